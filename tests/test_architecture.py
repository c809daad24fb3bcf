"""What import contracts cannot say: sizes, names, entropy, what a cold import loads.

The contracts themselves are in pyproject.toml and are checked by `lint-imports`. The
list of shells is read from there, so it exists once.
"""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("scopa_net", "protocol", "ai")

MODULE_LINES_MAX = 600
FUNCTION_LINES_MAX = 50
PUBLIC_METHODS_MAX = 15
SAYS_NOTHING = {
    "base",
    "common",
    "core",
    "engine",
    "handler",
    "handlers",
    "helper",
    "helpers",
    "manager",
    "managers",
    "util",
    "utils",
}
DRAWS_ENTROPY = {
    "SealedBox",
    "crypto_box_keypair",
    "crypto_box_seal",
    "crypto_kx_keypair",
    "crypto_sign_keypair",
    "randombytes",
}
RUNS_FOREIGN_CODE = {"scopa_net/bots/loading.py"}
"""Where a bot is loaded, it may raise anything; one place there catches it."""
TOUCHES_THE_WORLD = {"breakpoint", "input", "open", "print"}


def shells() -> tuple[str, ...]:
    """The modules that the contracts let touch the world, `x.**` being all below x."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    return tuple(
        line.removesuffix(" -> **")
        for contract in contracts
        if contract["id"] in {"protocol-no-io", "scopa-net-no-io"}
        for line in contract["ignore_imports"]
        if line.endswith(" -> **")
    )


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_shell(module: str) -> bool:
    return any(
        module.startswith(shell.removesuffix("**"))
        if shell.endswith(".**")
        else module == shell
        for shell in shells()
    )


def files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


EVERY_FILE = files(*PRODUCT, "tests")
PRODUCT_FILES = files(*PRODUCT)
INNER_FILES = [
    path for path in files("scopa_net", "protocol") if not is_shell(module_name(path))
]


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def long_functions(tree: ast.Module) -> list[str]:
    return [
        f"{node.name}: {length} lines"
        for node in functions(tree)
        if (length := (node.end_lineno or 0) - node.lineno + 1) > FUNCTION_LINES_MAX
    ]


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether its caller reads it like a field."""
    decorators = {ast.unparse(each).split(".")[-1] for each in function.decorator_list}
    return not decorators.isdisjoint({"property", "cached_property", "setter"})


def wide_classes(tree: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            public = {
                item.name
                for item in node.body
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
                and not (item.name.startswith("_") or is_property(item))
            }
            if len(public) > PUBLIC_METHODS_MAX:
                found.append(f"{node.name}: {len(public)} public methods")
    return found


def broad_excepts(tree: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = node.type
            kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
            for kind in kinds:
                text = "" if kind is None else ast.unparse(kind)
                if text in {"", "Exception", "BaseException"}:
                    found.append(f"line {node.lineno}")
    return found


def worldly_names(tree: ast.Module) -> list[str]:
    """Where a pure module or a machine would draw entropy, read or write."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found += [a.name for a in names if a.name.startswith("nacl.utils")]
            case ast.ImportFrom(module=str(module), names=names):
                whole = [f"{module}.{alias.name}" for alias in names]
                found += [name for name in whole if name.startswith("nacl.utils")]
                found += [a.name for a in names if a.name in DRAWS_ENTROPY]
            case ast.Attribute(attr="generate", value=owner):
                if ast.unparse(owner).endswith(("SigningKey", "PrivateKey")):
                    found.append(ast.unparse(node))
            case ast.Attribute(attr=attr) if attr in DRAWS_ENTROPY:
                found.append(ast.unparse(node))
            case ast.Attribute(attr="utils", value=ast.Name(id="nacl")):
                found.append("nacl.utils")
            case ast.Call(func=ast.Name(id=called)) if called in TOUCHES_THE_WORLD:
                found.append(f"{called}() in line {node.lineno}")
    return found


def foreign_imports(tree: ast.Module) -> list[str]:
    """What a module of the rules imports beyond the standard library and the rules."""
    imported = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                imported += [alias.name for alias in names]
            case ast.ImportFrom(module=str(module)):
                imported.append(module)
    return [
        name
        for name in imported
        if name.split(".")[0] not in sys.stdlib_module_names
        and f"{name}.".partition("scopa_net.rules.")[0] != ""
    ]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def loaded_by(code: str) -> set[str]:
    """The modules a fresh interpreter holds after running the code here."""
    script = f"{code}\nimport sys; print('\\n'.join(sys.modules), file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(run.stderr.splitlines())


@pytest.mark.parametrize("path", EVERY_FILE, ids=relative)
def test_a_module_can_be_held_in_mind(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= MODULE_LINES_MAX
    tree = parse(path)
    assert long_functions(tree) == []
    assert wide_classes(tree) == []


def test_names_say_something() -> None:
    parts = {part for path in EVERY_FILE for part in module_name(path).split(".")}
    assert parts & SAYS_NOTHING == set()


@pytest.mark.parametrize("path", PRODUCT_FILES, ids=relative)
def test_an_except_names_what_it_expects(path: Path) -> None:
    allowed = 1 if relative(path) in RUNS_FOREIGN_CODE else 0
    assert len(broad_excepts(parse(path))) == allowed


@pytest.mark.parametrize("path", INNER_FILES, ids=relative)
def test_outside_the_shells_nothing_draws_entropy_or_touches_the_world(
    path: Path,
) -> None:
    assert worldly_names(parse(path)) == []


@pytest.mark.parametrize("path", files("scopa_net/rules"), ids=relative)
def test_the_rules_need_the_standard_library_only(path: Path) -> None:
    assert foreign_imports(parse(path)) == []


def test_help_loads_no_screen_no_reactor_and_no_tls() -> None:
    loaded = loaded_by(
        "import sys; sys.argv = ['scopa', '--help']\n"
        "from scopa_net.cli import main\n"
        "try:\n    main()\nexcept SystemExit as left:\n    assert left.code == 0\n"
    )
    assert "click" in loaded
    unwanted = {"prompt_toolkit", "twisted", "asyncio", "ssl", "rich", "nacl"}
    unwanted |= {"tomlkit", "wormhole", "zeroconf", "numba", "numpy"}
    assert loaded & unwanted == set()


def test_a_first_frame_waits_for_no_cryptography_and_no_bot() -> None:
    loaded = loaded_by("import scopa_net.commands.play, scopa_net.ui.screen")
    assert {"prompt_toolkit", "twisted", "scopa_net.app.stage"} <= loaded
    unwanted = {"nacl", "sqlite3", "scopa_net.seat", "scopa_net.bots.registry"}
    unwanted |= {"tomlkit", "wormhole", "zeroconf"}
    assert loaded & unwanted == set()


def test_a_match_with_bots_loads_no_numba_unless_a_bot_asks_for_it() -> None:
    loaded = loaded_by(
        "import sys\n"
        "sys.argv = ['scopa', 'play', '--plain', '--against', 'rules']\n"
        "from scopa_net.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
    )
    assert {"scopa_net.seat", "ai.rule_bot"} <= loaded
    assert loaded & {"numba", "llvmlite", "numpy"} == set()


def test_who_plays_without_codes_does_not_load_what_meets_by_them() -> None:
    commands = ("host", "join", "resume", "rendezvous", "config")
    loaded = loaded_by(
        "\n".join(f"import scopa_net.commands.{name}" for name in commands)
    )
    assert {"twisted", "protocol.codes"} <= loaded
    assert loaded & {"tomlkit", "wormhole", "autobahn", "zeroconf"} == set()


def test_pure_modules_and_machines_load_no_twisted() -> None:
    names = [module_name(path) for path in INNER_FILES]
    loaded = loaded_by("\n".join(f"import {name}" for name in names))
    assert loaded >= set(names)
    assert loaded & {"prompt_toolkit", "twisted", "sqlite3"} == set()


def test_the_shells_are_known() -> None:
    assert is_shell("scopa_net.cli")
    assert is_shell("protocol.links.tcp")
    assert not is_shell("protocol.log")
    assert not is_shell("scopa_net.clinic")


def test_the_checks_above_can_fail() -> None:
    long = "def f():\n" + "    x()\n" * FUNCTION_LINES_MAX
    methods = [f"    def m{i}(self): ..." for i in range(PUBLIC_METHODS_MAX + 1)]
    assert long_functions(ast.parse(long)) == ["f: 51 lines"]
    assert wide_classes(ast.parse("\n".join(["class C:", *methods]))) == [
        "C: 16 public methods"
    ]
    fields = [f"    @property\n{method}" for method in methods]
    assert wide_classes(ast.parse("\n".join(["class C:", *fields]))) == []
    for caught in ("", " Exception", " (KeyError, BaseException)", " Exception as e"):
        assert broad_excepts(ast.parse(f"try: x()\nexcept{caught}: y()")) != []
    assert broad_excepts(ast.parse("try: x()\nexcept KeyError: y()")) == []
    assert foreign_imports(ast.parse("import scopa_net.rules.cards, enum")) == []
    assert foreign_imports(ast.parse("from scopa_net.table import x")) != []
    assert foreign_imports(ast.parse("import nacl")) == ["nacl"]


@pytest.mark.parametrize(
    "line",
    [
        "import nacl.utils",
        "from nacl import utils",
        "from nacl.utils import random",
        "nacl.utils.random(32)",
        "from nacl.public import SealedBox",
        "from nacl.bindings import randombytes",
        "SigningKey.generate()",
        "nacl.signing.SigningKey.generate()",
        "key = bindings.crypto_sign_keypair()",
        "open('x')",
        "print('x')",
    ],
)
def test_a_line_that_reaches_out_is_seen(line: str) -> None:
    assert worldly_names(ast.parse(line)) != []
