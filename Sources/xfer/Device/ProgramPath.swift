import Foundation

/// Where a program is.
enum ProgramPath {
  /// - Parameters:
  ///   - name: a path, or a name to be looked for.
  ///   - folder: is looked in before `PATH`; `nil` for none.
  /// - Returns: absolute, with no links in it: so the kernel calls it.
  static func find(_ name: String, beside folder: String?, environment: [String: String]) -> String? {
    let folders = (folder.map { [$0] } ?? []) + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }), let real = realpath(found, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
