"""The types of the page's scripts: `tsc --checkJs` over them, with types from the server's schema.

`make check` runs it. Nothing is built: the page's files are served as they are written. Node comes
from the system and is installed where that is allowed; TypeScript comes from its package registry
into `build/types`. Where they cannot be had that is said, and with CI=true it is a failure.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "types"


def main() -> int:
    missing = install()
    if missing:
        sys.stdout.write(f"The types of the page's scripts are left out: {missing}\n")
        return 1 if os.environ.get("CI") == "true" else 0
    write_schema()
    tool("openapi-typescript", "openapi.json", "--output", "schema.d.ts", quiet=True)
    return tool("tsc", "--project", str(HERE / "tsconfig.json")).returncode


def install() -> str | None:
    """Have node and TypeScript; a sentence where they cannot be had."""
    if not (shutil.which("node") and shutil.which("npm")):
        _install_node()
    npm = shutil.which("npm")
    if not (shutil.which("node") and npm):
        return "there is no node here, and it cannot be installed."
    BUILD.mkdir(parents=True, exist_ok=True)
    wanted, found = (HERE / "package.json").read_text(), BUILD / "package.json"
    if (
        found.exists()
        and found.read_text() == wanted
        and (BUILD / "node_modules/.bin/tsc").exists()
    ):
        return None
    found.write_text(wanted)
    command = [npm, "install", "--no-audit", "--no-fund", "--silent"]
    if subprocess.run(command, cwd=BUILD, check=False).returncode:
        found.unlink()
        return "npm cannot install TypeScript here."
    return None


def _install_node() -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return
    subprocess.run([apt, "-qq", "update"], check=False)
    command = [apt, "-qq", "install", "--yes", "--no-install-recommends", "nodejs", "npm"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def write_schema() -> None:
    """The schema of the server as it is now; nothing is started for it."""
    from noughts.web.app import create_app
    from noughts.web.settings import Settings

    app = create_app(Settings(port=0, workers=1, runs=BUILD / "runs", warms_up=False))
    (BUILD / "openapi.json").write_text(json.dumps(app.openapi()))


def tool(name: str, *arguments: str, quiet: bool = False) -> subprocess.CompletedProcess[bytes]:
    """Run a program of node's; what it prints is shown if it fails."""
    command = [str(BUILD / "node_modules" / ".bin" / name), *arguments]
    done = subprocess.run(command, cwd=BUILD, capture_output=quiet, check=False)
    if quiet and done.returncode:
        sys.stderr.buffer.write(done.stdout + done.stderr)
        sys.exit(done.returncode)
    return done


if __name__ == "__main__":
    sys.exit(main())
