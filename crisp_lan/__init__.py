"""Crisp, Briscola and Crisps! for the people on one network, in the terminal."""

__version__ = "0.1.0"
