"""The commands of crisp-lan. Each loads what it needs when it is run."""
