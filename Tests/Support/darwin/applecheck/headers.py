"""Apple's open-source C headers, from the `ziglang` wheel on PyPI."""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

REQUIREMENTS = pathlib.Path(__file__).parent.parent / "requirements.txt"
# The directory of Apple's headers in the wheel.
IN_WHEEL = "ziglang/lib/libc/include/any-darwin-any/"


class HeadersUnavailable(Exception):
    """The wheel cannot be downloaded: pip or the network is missing."""


def install(cache):
    """Downloads the pinned wheel if needed, and returns the directory of the headers.

    Only the headers are unpacked: 8 of the wheel's 380 MB.
    """
    version = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]
    headers = cache / f"headers-{version}"
    if headers.exists():
        return headers
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        scratch = pathlib.Path(scratch)
        _unpack(_download(scratch), scratch / "headers")
        # A rename makes the headers appear complete or not at all.
        try:
            (scratch / "headers").rename(headers)
        except OSError:
            if not headers.exists():
                raise
    return headers


def _download(directory):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"]
    result = subprocess.run(
        [*command, "--dest", str(directory), "--requirement", str(REQUIREMENTS)], capture_output=True, text=True)
    wheels = list(directory.glob("*.whl"))
    if result.returncode != 0 or not wheels:
        lines = [line for line in result.stderr.splitlines() if line.strip()]
        raise HeadersUnavailable(lines[-1] if lines else "pip downloaded no wheel")
    return wheels[0]


def _unpack(wheel, directory):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.startswith(IN_WHEEL) or name.endswith("/"):
                continue
            target = directory / name.removeprefix(IN_WHEEL)
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, open(target, "wb") as destination:
                shutil.copyfileobj(source, destination)
