"""Counts the positions of every preset by brute force, and writes the vector."""

import json
import random

from scopa_net.rules.cards import MAZZO
from tests.rules.test_brute_force import FIGURES, counted_by_brute_force, order_for
from tests.support.deals import PRESETS

if __name__ == "__main__":
    lines = []
    for name, variant in PRESETS.items():
        order = order_for(variant, random.Random(f"counted {name}"))
        told = {
            "order": "".join(str(MAZZO[at]) for at in order),
            "positions": counted_by_brute_force(variant, order),
        }
        lines.append(f"  {json.dumps(name)}: {json.dumps(told)}")
    FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
