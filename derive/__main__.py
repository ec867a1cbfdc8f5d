"""`python -m derive`."""

from derive.cli import main

main(prog_name="derive")
