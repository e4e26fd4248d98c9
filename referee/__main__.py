"""``python -m referee`` is ``referee``."""

from referee.cli import main

main()
