"""The modules to check on each platform, derived from the package's manifest."""

import dataclasses
import json
import pathlib
import subprocess

from . import CheckFailed

# The system libraries that Apple's SDK for iOS contains. macOS has the others from Homebrew.
IN_IOS_SDK = {"CSQLite", "CZlib"}

# The libraries that an app links. They must be available for iOS.
REQUIRED_ON_IOS = {"XferEvents", "XferLogStore", "XferRecorder", "XferSwiftLog"}


@dataclasses.dataclass
class Target:
    name: str
    # "system", "c" or "swift"
    kind: str
    directory: pathlib.Path
    dependencies: list
    # The products of other packages that the target depends on.
    products: list
    flags: list

    @property
    def sources(self):
        suffix = ".swift" if self.kind == "swift" else ".c"
        return sorted(path for path in self.directory.rglob(f"*{suffix}"))


def load(package, platform):
    """Returns the targets in `Sources` by name, with the dependencies that they have on a platform ("macos" or "ios")."""
    result = subprocess.run(
        ["swift", "package", "--package-path", str(package), "dump-package"], capture_output=True, text=True)
    if result.returncode != 0:
        raise CheckFailed(f"The manifest cannot be read:\n{result.stderr}")
    targets = {}
    for entry in json.loads(result.stdout)["targets"]:
        if entry["type"] not in ("system", "regular", "executable") or entry.get("path"):
            continue
        directory = package / "Sources" / entry["name"]
        names, products = [], []
        for dependency in entry["dependencies"]:
            kind, values = next(iter(dependency.items()))
            condition = values[-1]
            if condition and platform not in condition["platformNames"]:
                continue
            (products if kind == "product" else names).append(values[0])
        kind = "system" if entry["type"] == "system" else "c" if (directory / "include").exists() else "swift"
        targets[entry["name"]] = Target(entry["name"], kind, directory, names, products, list(_flags(entry["settings"])))
    return targets


def _flags(settings):
    """Returns the compiler flags of a target. Warnings are errors in this check, whatever the manifest says."""
    for setting in settings:
        kind, values = next(iter(setting["kind"].items()))
        if kind == "swiftLanguageMode":
            yield from ("-swift-version", values["_0"])
        elif kind == "enableUpcomingFeature":
            yield from ("-enable-upcoming-feature", values["_0"])


def plan(targets, platform, supported_products):
    """Returns the targets to check, each after its dependencies, and the reason for each other target by name."""
    order, reasons = [], {}

    def visit(target):
        if target.name in reasons or target in order:
            return
        for name in target.dependencies:
            if name in targets:
                visit(targets[name])
        reason = _reason_against(target, targets, reasons, platform, supported_products)
        if reason:
            reasons[target.name] = reason
        else:
            order.append(target)

    for target in targets.values():
        visit(target)
    missing = sorted(REQUIRED_ON_IOS & set(reasons)) if platform == "ios" else []
    if missing:
        raise CheckFailed("\n".join(f"{name} must be available for iOS, but it needs {reasons[name]}." for name in missing))
    return order, {name: reason for name, reason in reasons.items() if targets[name].kind == "swift"}


def _reason_against(target, targets, reasons, platform, supported_products):
    if target.kind == "system" and platform == "ios" and target.name not in IN_IOS_SDK:
        return target.name
    for name in target.dependencies:
        if name in reasons:
            return reasons[name]
    return next((product for product in target.products if product not in supported_products), None)
