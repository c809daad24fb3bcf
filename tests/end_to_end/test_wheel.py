"""The wheel as it is installed, beside distributions that own `ai` and `protocol`.

Nothing is fetched: what the program depends on is lent by this interpreter's own
site-packages, put at the end of the new environment's search path.
"""

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from scopa_net import __version__

ROOT = Path(__file__).resolve().parent.parent.parent
FOREIGN = ("ai", "protocol")
HIJACK = "print('HIJACKED')\n"
WHERE = "import scopa_net, ai, protocol; print(ai.__file__); print(protocol.__file__)"


def run(*command: str | Path, cwd: Path) -> str:
    """What the command says; it must succeed and have nothing to complain about."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def build(project: Path, target: str, into: Path) -> Path:
    into.mkdir()
    run(
        *(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into),
        cwd=project,
    )
    (built,) = into.iterdir()
    return built


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@dataclass(frozen=True)
class Environment:
    """A virtual environment with nothing in it but what a test installs."""

    root: Path

    def path(self, kind: str) -> Path:
        base = str(self.root)
        return Path(sysconfig.get_path(kind, "venv", {"base": base, "platbase": base}))

    @property
    def site(self) -> Path:
        return self.path("purelib")

    def program(self, name: str) -> Path:
        return self.path("scripts") / (f"{name}.exe" if os.name == "nt" else name)

    def pip(self, *arguments: str | Path) -> None:
        """Run pip on this environment while it does not see what is lent."""
        lent = self.site / "lent.pth"
        lent.unlink(missing_ok=True)
        run(
            *(sys.executable, "-m", "pip", "--python", self.program("python")),
            *("--disable-pip-version-check", "--quiet", *arguments),
            cwd=self.root,
        )
        ours = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        lent.write_text("\n".join(sorted(ours)) + "\n", encoding="utf-8")

    def install(self, *wheels: Path) -> None:
        self.pip("install", "--no-index", "--no-deps", *wheels)

    def uninstall(self, name: str) -> None:
        self.pip("uninstall", "--yes", name)

    def files(self, *packages: str) -> dict[Path, bytes]:
        return {
            path: path.read_bytes()
            for package in packages
            for path in (self.site / package).rglob("*")
            if path.is_file()
        }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("ours") / "dist")


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Wheels of two distributions that have the names of our bundled folders."""
    built = []
    for name in FOREIGN:
        project = tmp_path_factory.mktemp(f"foreign-{name}")
        (project / name).mkdir()
        (project / name / "__init__.py").write_text(f"OWNER = 'foreign {name}'\n")
        (project / "pyproject.toml").write_text(
            f"[project]\nname = '{name}'\nversion = '9.0'\n"
            "[build-system]\nrequires = ['hatchling']\n"
            "build-backend = 'hatchling.build'\n"
        )
        built.append(build(project, "wheel", project / "dist"))
    return tuple(built)


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    made = Environment(tmp_path / "environment")
    venv.create(made.root, with_pip=False, symlinks=os.name != "nt")
    return made


def assert_ours_runs(environment: Environment, cwd: Path) -> None:
    bundled = environment.site / "scopa_net" / "_bundled"
    for name in ("scopa", "scopa-net"):
        said = run(environment.program(name), "--version", cwd=cwd)
        assert said.startswith(f"scopa-net {__version__} ")
    said = run(environment.program("python"), "-c", WHERE, cwd=cwd)
    assert [Path(line).parent for line in said.splitlines()] == [
        bundled / "ai",
        bundled / "protocol",
    ]


def assert_theirs_runs(environment: Environment, cwd: Path) -> None:
    for name in FOREIGN:
        code = f"import {name}; print({name}.OWNER)"
        said = run(environment.program("python"), "-c", code, cwd=cwd)
        assert said == f"foreign {name}\n"


def test_the_wheel_has_one_top_level_name(wheel: Path) -> None:
    names = set(contents(wheel))
    assert {name.split("/")[0] for name in names} == {
        "scopa_net",
        f"scopa_net-{__version__}.dist-info",
    }
    for name in (
        "__init__",
        "cli",
        "_bundled/ai/__init__",
        "_bundled/protocol/crypto/group",
    ):
        assert f"scopa_net/{name}.py" in names


def test_the_source_distribution_builds_the_same_wheel(
    wheel: Path, tmp_path: Path
) -> None:
    source = build(ROOT, "sdist", tmp_path / "dist")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / f"scopa_net-{__version__}"
    assert (unpacked / "tests" / "test_architecture.py").is_file()
    assert contents(build(unpacked, "wheel", tmp_path / "again")) == contents(wheel)


def test_an_installed_copy_leaves_its_namesakes_alone(
    environment: Environment,
    wheel: Path,
    foreign: tuple[Path, ...],
    tmp_path: Path,
) -> None:
    environment.install(*foreign)
    theirs = environment.files(*FOREIGN)
    environment.install(wheel)
    assert_ours_runs(environment, tmp_path)
    assert_theirs_runs(environment, tmp_path)
    assert environment.files(*FOREIGN) == theirs != {}

    environment.uninstall("scopa-net")
    assert environment.files(*FOREIGN) == theirs
    assert environment.files("scopa_net") == {}
    assert_theirs_runs(environment, tmp_path)


def test_an_installed_copy_survives_the_removal_of_its_namesakes(
    environment: Environment,
    wheel: Path,
    foreign: tuple[Path, ...],
    tmp_path: Path,
) -> None:
    environment.install(wheel)
    ours = environment.files("scopa_net")
    environment.install(*foreign)
    for name in FOREIGN:
        environment.uninstall(name)
    assert environment.files("scopa_net") == ours != {}
    assert_ours_runs(environment, tmp_path)


def test_a_folder_with_our_names_in_it_is_not_run(
    environment: Environment, wheel: Path, tmp_path: Path
) -> None:
    hostile = tmp_path / "hostile"
    for name in FOREIGN:
        (hostile / name).mkdir(parents=True)
        (hostile / name / "__init__.py").write_text(HIJACK)
    environment.install(wheel)
    said = run(
        *(environment.program("python"), "-m", "scopa_net", "--version"), cwd=hostile
    )
    assert said.startswith(f"scopa-net {__version__} ")
    assert_ours_runs(environment, hostile)


def test_every_bot_of_an_installed_copy_is_found_by_its_entry_point(
    environment: Environment, wheel: Path, tmp_path: Path
) -> None:
    environment.install(wheel)
    code = (
        "import scopa_net; from importlib.metadata import distribution\n"
        "for found in distribution('scopa-net').entry_points:\n"
        "    if found.group == 'scopa_net.bots':\n"
        "        print(found.name, callable(found.load()))\n"
    )
    said = run(environment.program("python"), "-c", code, cwd=tmp_path)
    names = ("beginner", "easy", "greedy", "mc", "medium", "random", "rules", "strong")
    assert sorted(said.splitlines()) == [f"{name} True" for name in names]
    # And somebody's own in a process, which finds our part of it there.
    (tmp_path / "mine.py").write_text(
        "def choose(observation):\n    return observation.legal_actions[-1]\n"
    )
    position = ("--table", "3C 4S KB QB", "--hand", "AD 2B KS")
    words = ("bot", "hint", "./mine.py", *position)
    assert run(environment.program("scopa"), *words, cwd=tmp_path) == "KSxKB\n"
