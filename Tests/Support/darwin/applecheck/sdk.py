"""A stand-in for Apple's SDK: the open-source C headers, the toolchain's own libraries compiled for the triple, and stubs."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

from . import CheckFailed

STUBS = pathlib.Path(__file__).parent.parent / "stubs"
# Modules of the toolchain, with their flags, and stubs of Apple's modules. Each is compiled after those that it imports.
LIBRARIES = [
    ("interface", "Swift", ["-parse-stdlib"]),
    ("interface", "SwiftOnoneSupport", ["-parse-stdlib"]),
    ("interface", "_Concurrency", ["-parse-stdlib"]),
    ("interface", "_StringProcessing", []),
    ("overlay", "Darwin", []),
    ("overlay", "ObjectiveC", []),
    ("interface", "Synchronization", []),
    ("overlay", "Dispatch", []),
    ("overlay", "Foundation", []),
    ("overlay", "CryptoKit", []),
]
# Headers of libraries that are in Apple's SDK but not in Zig. Linux has the same ones.
LINUX_HEADERS = ["sqlite3.h", "zlib.h", "zconf.h"]


class SDK:
    """The SDK of one triple, such as arm64-apple-ios18.0."""

    def __init__(self, triple, cache, headers):
        system, self.version = re.fullmatch(r"arm64-apple-(macos|ios)([0-9.]+)", triple).groups()
        self.triple, self.platform, self.headers = triple, system, headers
        self.cache = cache / triple
        self.root = self.cache / "sdk"
        self.modules = self.root / "usr/lib/swift"
        compiler = pathlib.Path(os.path.realpath(shutil.which("swiftc")))
        self.toolchain = compiler.parent.parent
        self.stamp = self._make_stamp()

    def _make_stamp(self):
        digest = hashlib.sha256()
        for path in sorted([*STUBS.rglob("*"), pathlib.Path(__file__)]):
            if path.is_file():
                digest.update(str(path.relative_to(STUBS.parent)).encode() + path.read_bytes())
        version = subprocess.run([self.tool("swiftc"), "--version"], capture_output=True).stdout
        digest.update(version + str(self.headers).encode() + self.triple.encode())
        return digest.hexdigest()

    def tool(self, name):
        return str(self.toolchain / "bin" / name)

    @property
    def flags(self):
        library = self.toolchain / "lib/swift"
        return [
            "-target", self.triple, "-sdk", str(self.root), "-resource-dir", str(library),
            "-module-cache-path", str(self.cache / "clang"), "-I", str(self.modules), "-I", str(library / "shims"),
        ]

    def make(self):
        """Creates the SDK, unless the cache contains one of the same headers, stubs and toolchain."""
        stamp = self.cache / "sdk.stamp"
        if stamp.exists() and stamp.read_text() == self.stamp:
            return
        shutil.rmtree(self.cache, ignore_errors=True)
        self.modules.mkdir(parents=True)
        self._link(self.headers, self.root / "usr/include")
        self._link(STUBS / "include", self.root / "usr/include")
        self._link(STUBS / "frameworks", self.root / "System/Library/Frameworks")
        for name in LINUX_HEADERS:
            link = self.root / "usr/include" / name
            if not link.exists():
                link.symlink_to(f"/usr/include/{name}")
        name = {"macos": "macosx", "ios": "iphoneos"}[self.platform] + self.version
        (self.root / "SDKSettings.json").write_text(
            json.dumps({"CanonicalName": name, "Version": self.version, "MaximumDeploymentTarget": f"{self.version}.99"}))
        for kind, name, flags in LIBRARIES:
            if kind == "interface":
                self._compile_interface(name, flags)
            else:
                self._compile_overlay(name)
        stamp.write_text(self.stamp)

    @staticmethod
    def _link(source, directory):
        directory.mkdir(parents=True, exist_ok=True)
        for entry in source.iterdir():
            link = directory / entry.name
            link.unlink(missing_ok=True)
            link.symlink_to(entry)

    def _module(self, name):
        directory = self.modules / f"{name}.swiftmodule"
        directory.mkdir(exist_ok=True)
        return str(directory / f"arm64-apple-{self.platform}.swiftmodule")

    def _compile_interface(self, name, flags):
        """Compiles a module of the toolchain from its textual interface for Linux."""
        (source,) = (self.toolchain / "lib/swift/linux" / f"{name}.swiftmodule").glob("*-unknown-linux-gnu.swiftinterface")
        extra = STUBS / f"{name}+Apple.swiftinterface"
        text = adapted(source.read_text(), name, self.triple) + (extra.read_text() if extra.exists() else "")
        interface = self.cache / f"{name}.swiftinterface"
        interface.write_text(text)
        self._compile(
            name, ["-compile-module-from-interface", str(interface), *self.flags, "-module-name", name, *flags])

    def _compile_overlay(self, name):
        """Compiles the stub of the Swift part of Apple's module of that name."""
        self._compile(name, [
            "-emit-module", str(STUBS / "overlay" / f"{name}.swift"), *self.flags, "-module-name", name, "-parse-as-library",
            "-swift-version", "5", "-enable-library-evolution",
        ])

    def _compile(self, name, arguments):
        result = subprocess.run(
            [self.tool("swift-frontend"), *arguments, "-o", self._module(name)], capture_output=True, text=True)
        if result.returncode != 0:
            raise CheckFailed(f"{self.triple}: the stub of {name} does not compile:\n{result.stderr[-4000:]}")


def adapted(interface, name, triple):
    """Returns the interface of a toolchain module for Linux, changed as it would read for an Apple system."""
    text = re.sub(r"-target \S+-unknown-linux-gnu", f"-target {triple}", interface)
    text = text.replace(" -disable-objc-interop", "")
    text = re.sub(r"(?m)^(@_exported )?import (Swift)?Glibc\n", "", text)
    # Linux has no older system versions to deploy to, so its interface has no bodies for back deployment.
    text = re.sub(r"@backDeployed\([^)]*\)[ \n]", "", text)
    text = text.replace("-target-min-inlining-version min", "-target-min-inlining-version target")
    if name == "Swift":
        # These functions use Float80, which arm64 does not have. The stub declares functions that accept it.
        for function in ("_stdlib_remainderl", "_stdlib_squareRootl"):
            text = text.replace(f"{function}(", f"_stub{function}(")
    return text
