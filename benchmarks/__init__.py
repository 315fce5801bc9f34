"""What crisp-lan costs: see README.md beside this file."""
