"""What players see and type; README.md describes line mode and the JSON lines."""
