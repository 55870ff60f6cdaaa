"""Type-checks modules for one triple and caches the results."""

import hashlib
import os
import pathlib
import re
import subprocess
import time

from . import CheckFailed, manifest
from .sdk import STUBS

# The modules of other packages that the package uses, by product.
PRODUCTS = {
    "ArgumentParser": ["swift-argument-parser/Sources/ArgumentParserToolInfo", "swift-argument-parser/Sources/ArgumentParser"],
    "HTTPTypes": ["swift-http-types/Sources/HTTPTypes"],
    "Logging": ["swift-log/Sources/Logging"],
}
# The articles whose Swift examples are checked for iOS.
ARTICLES = ["UseInAnIOSApp"]
# The headers of system libraries that macOS gets from Homebrew. Linux has the same ones. OpenSSL is used on Linux only.
LIBRARY_HEADERS = {
    "CBrotli": ["brotli"], "COpenSSL": [], "CCurl": ["curl"], "CSQLite": [], "CYAML": ["yaml.h"], "CZlib": [],
    "CZstd": ["zstd.h", "zstd_errors.h"],
}
USR_INCLUDE = pathlib.Path("/usr/include")
DIAGNOSTIC = re.compile(r"(?m)^\S+:\d+:\d+: (?:error|warning): .*$")


class ModuleChecker:
    """Type-checks modules in the order of their dependencies.

    A module's stamp covers everything that its result depends on. A module with the stamp of its last success is not checked again.
    """

    def __init__(self, sdk, package, checkouts, report):
        self.sdk, self.package, self.checkouts, self.report = sdk, package, checkouts, report
        self.modules = sdk.cache / "modules"
        self.stamps = {}
        self.imports_of = {}
        self.failures = 0

    def run(self, names):
        targets = manifest.load(self.package, self.sdk.platform)
        order, unchecked = manifest.plan(targets, self.sdk.platform, PRODUCTS)
        unknown = sorted(set(names) - {target.name for target in order})
        if unknown:
            raise CheckFailed(f"{self.sdk.triple}: not among the checked modules: {', '.join(unknown)}")
        if names:
            order = self._closure(names, order)
        for target in order:
            self._check(target)
        if not names:
            for article in ARTICLES if self.sdk.platform == "ios" else []:
                self._check_article(article)
            for name, reason in sorted(unchecked.items()):
                self.report(f"{self.sdk.platform}: {name} is not checked, because it needs {reason}")
        return self.failures == 0

    @staticmethod
    def _closure(names, order):
        needed = set(names)
        for target in reversed(order):
            if target.name in needed:
                needed.update(target.dependencies)
        return [target for target in order if target.name in needed]

    def _check(self, target):
        for product in target.products:
            for path in PRODUCTS[product]:
                self._check_package_module(self.checkouts / path)
        imports = [*target.dependencies, *(pathlib.Path(path).name for product in target.products for path in PRODUCTS[product])]
        self.imports_of[target.name] = imports
        missing = [name for name in imports if name not in self.stamps]
        if missing:
            self.failures += 1
            self.report(f"{self.sdk.platform}: {target.name} is not checked, because {missing[0]} has errors")
        elif target.kind == "system":
            self._provide_library(target)
        elif target.kind == "c":
            self._check_c(target, imports)
        else:
            self._check_swift(target.name, target.sources, [*target.flags, "-package-name", "package", "-warnings-as-errors"], imports)

    # MARK: Modules of other packages

    def _check_package_module(self, directory):
        name = directory.name
        if name in self.stamps:
            return
        if not directory.exists():
            raise CheckFailed(f"{directory} does not exist. Run `swift package resolve`.")
        if (directory / "module.modulemap").exists():
            self._search_in(name, directory)
            self.stamps[name] = self._stamp(sorted(directory.iterdir()), [], [])
            return
        stub = STUBS / "packages" / f"{name}.swift"
        sources = sorted(directory.rglob("*.swift")) + ([stub] if stub.exists() else [])
        imports = ["ArgumentParserToolInfo"] if name == "ArgumentParser" else []
        flags = ["-swift-version", "6", "-suppress-warnings", "-package-name", name]
        self._check_swift(name, sources, [*flags, "-enable-upcoming-feature", "MemberImportVisibility"], imports)
        if name not in self.stamps:
            raise CheckFailed(f"{self.sdk.platform}: the stubs do not suffice for {name} of another package.")

    # MARK: C

    def _search_in(self, name, *directories):
        """Makes a C module available to the modules that depend on it, and to no others."""
        path = self._c_directory(name) / "search-path"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(map(str, directories)))

    def _c_directory(self, name):
        return self.sdk.cache / "c" / name

    def _provide_library(self, target):
        """Provides a system library's module, with the headers of this library only."""
        headers = self._c_directory(target.name) / "headers"
        headers.mkdir(parents=True, exist_ok=True)
        for entry in LIBRARY_HEADERS[target.name]:
            found = [*USR_INCLUDE.glob(entry), *USR_INCLUDE.glob(f"*-linux-gnu/{entry}")]
            link = headers / entry
            if found and not link.is_symlink():
                link.symlink_to(found[0])
        self._search_in(target.name, target.directory, headers)
        self.stamps[target.name] = self._stamp(sorted(target.directory.iterdir()), [], [])

    def _check_c(self, target, imports):
        """Compiles a C target's sources without output, and provides its headers as a module."""
        include = target.directory / "include"
        header = include / f"{target.name}.h"
        stamp = self._stamp([*target.sources, *sorted(include.rglob("*.h"))], [], imports)
        module = self._c_directory(target.name)
        module.mkdir(parents=True, exist_ok=True)
        (module / "module.modulemap").write_text(f'module {target.name} [system] {{ header "{header}" export * }}\n')
        self._search_in(target.name, module, include)
        if self._is_known(target.name, stamp):
            return
        start = time.monotonic()
        flags = ["-target", self.sdk.triple, "-isysroot", str(self.sdk.root), "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]
        output = ""
        for source in target.sources:
            output += subprocess.run(
                [self.sdk.tool("clang"), *flags, "-fsyntax-only", "-I", str(include), *self._includes(imports), str(source)],
                capture_output=True, text=True).stderr
        self._finish(target.name, stamp, output, "error:" not in output, start)

    # MARK: Swift

    def _check_swift(self, name, sources, flags, imports):
        stamp = self._stamp(sources, flags, imports)
        module = self.modules / f"{name}.swiftmodule"
        if module.exists() and self._is_known(name, stamp):
            return
        start = time.monotonic()
        # A failed check must not replace the module of the last success.
        draft = self.modules / f"{name}.draft-{os.getpid()}.swiftmodule"
        self.modules.mkdir(exist_ok=True)
        result = subprocess.run(
            [
                self.sdk.tool("swift-frontend"), "-emit-module", "-emit-module-path", str(draft), *map(str, sources), *self.sdk.flags,
                *self._includes(imports), "-I", str(self.modules), "-plugin-path",
                str(self.sdk.toolchain / "lib/swift/host/plugins"), *flags,
                "-module-name", name.replace("-", "_"), "-parse-as-library", "-Onone",
            ], capture_output=True, text=True)
        if result.returncode == 0:
            draft.rename(module)
        draft.unlink(missing_ok=True)
        self._finish(name, stamp, result.stdout + result.stderr, result.returncode == 0, start)

    def _check_article(self, name):
        """Type-checks the Swift examples of an article as one module."""
        text = (self.package / "Sources/xferlog/xferlog.docc" / f"{name}.md").read_text()
        source = self.sdk.cache / "articles" / f"{name}.swift"
        source.parent.mkdir(exist_ok=True)
        source.write_text("\n".join(re.findall(r"(?s)```swift\n(.*?)```", text)))
        imports = ["XferEvents", "XferLogStore", "XferRecorder"]
        if all(module in self.stamps for module in imports):
            self.imports_of[name] = imports
            self._check_swift(name, [source], ["-swift-version", "6", "-warnings-as-errors"], imports)

    def _includes(self, imports):
        """Returns the search paths of the C modules among the direct and indirect imports."""
        flags = []
        for name in sorted(self._all_imports(imports)):
            path = self._c_directory(name) / "search-path"
            if path.exists():
                flags += [flag for directory in path.read_text().splitlines() for flag in ("-I", directory)]
        return flags

    def _all_imports(self, imports):
        found = set(imports)
        for name in imports:
            found |= self._all_imports(self.imports_of[name]) if name in self.imports_of else set()
        return found

    # MARK: Results

    def _stamp(self, files, flags, imports):
        digest = hashlib.sha256("\0".join([self.sdk.stamp, *flags, *(self.stamps[name] for name in imports)]).encode())
        for file in files:
            digest.update(file.name.encode() + file.read_bytes())
        return digest.hexdigest()

    def _is_known(self, name, stamp):
        path = self.sdk.cache / "stamps" / name
        if not path.exists() or path.read_text() != stamp:
            return False
        self.stamps[name] = stamp
        return True

    def _finish(self, name, stamp, output, succeeded, start):
        seconds = time.monotonic() - start
        if succeeded:
            path = self.sdk.cache / "stamps" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(stamp)
            self.stamps[name] = stamp
            self.report(f"{self.sdk.platform}: {name} has no errors ({seconds:.0f} s)")
            return
        self.failures += 1
        found = DIAGNOSTIC.findall(output) or [output[-2000:]]
        prefix = f"{self.package}/"
        for line in found:
            self.report(line.removeprefix(prefix))
        self.report(f"{self.sdk.platform}: {name} has {len(found)} errors ({seconds:.0f} s)")
