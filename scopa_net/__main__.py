"""``python -m scopa_net`` is the command ``scopa``."""

from scopa_net.cli import main

if __name__ == "__main__":
    main()
