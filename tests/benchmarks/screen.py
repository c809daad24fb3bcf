"""What the first frame costs, beside importing what it stands on.

    python -m tests.benchmarks.screen [RUNS] [--json]

Each is a fresh interpreter with compiled modules at hand, as an installed program has
them; its own CPU time counts, the best and the median of RUNS.
The bar: the first frame of `scopa play` within 1.3 of importing prompt_toolkit and
asyncioreactor.
"""

import json
import os
import select
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from statistics import median

import click

ROOT = Path(__file__).resolve().parent.parent.parent
RUNS = 9
BAR = 1.3

IMPORTS = """
import sys, time
import prompt_toolkit, twisted.internet.asyncioreactor
open(sys.argv[1], "w").write(str(time.process_time()))
"""
FRAME = """
import os, sys, time
from prompt_toolkit.application import Application
out = sys.argv[1]
draw = Application._redraw
def drawn(app, render_as_done=False):
    draw(app, render_as_done)
    open(out, "w").write(str(time.process_time()))
    sys.stdout.flush()
    os._exit(0)
Application._redraw = drawn
from scopa_net.cli import main
sys.argv = ["scopa", "play"]
main()
"""
RENDER = """
import sys, time
from tests.ui.make_screens import asked
from scopa_net.ui.faces import FULL
from scopa_net.ui.scenes import draw
view = asked().press("3").view
for columns, rows in ((80, 24), (120, 36), (200, 60)):
    took = []
    for _ in range(50):
        start = time.process_time()
        canvas = draw(view, columns, rows, FULL)
        for row in range(rows):
            canvas.runs(row)
        took.append(time.process_time() - start)
    print(f"{columns}x{rows} {1000 * sorted(took)[25]:.2f}")
"""


def cpu_s(code: str, compiled: str) -> float:
    """The CPU seconds that the code reports, run on a terminal."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "PYTHONPYCACHEPREFIX": compiled,
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "seconds"
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(out)],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
        )
        while process.poll() is None:
            if select.select([ours], [], [], 0.02)[0]:
                os.read(ours, 65536)
        os.close(ours)
        os.close(theirs)
        return float(out.read_text(encoding="utf-8"))


@click.command()
@click.argument("runs", default=RUNS)
@click.option("--json", "as_json", is_flag=True)
def main(*, runs: int, as_json: bool) -> None:
    """Both figures and their ratio, and what a pure frame costs."""
    imports, frames = [], []
    with tempfile.TemporaryDirectory() as compiled:
        for _ in range(runs + 1):
            imports.append(cpu_s(IMPORTS, compiled))
            frames.append(cpu_s(FRAME, compiled))
    del imports[0], frames[0]  # these compiled the modules
    render = [sys.executable, "-c", RENDER]
    drawn = subprocess.run(render, cwd=ROOT, check=True, capture_output=True, text=True)
    found = {
        "imports_ms": spread(imports),
        "first_frame_ms": spread(frames),
        "ratio_of_medians": round(median(frames) / median(imports), 2),
        "bar": BAR,
        "render_ms": dict(read_line(line) for line in drawn.stdout.splitlines()),
    }
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        click.echo(f"{name:<17} {value}")


def read_line(line: str) -> tuple[str, float]:
    size, took = line.split()
    return size, float(took)


def spread(times: list[float]) -> dict[str, int]:
    best, middle = 1000 * min(times), 1000 * median(times)
    return {"best": round(best), "median": round(middle)}


if __name__ == "__main__":
    main()
