import Foundation

/// Resolves program names to paths.
enum ProgramPath {
  /// - Parameters:
  ///   - name: A path, or a program name to search for.
  ///   - folder: A folder to search before `PATH`. `nil` means only `PATH` is searched.
  /// - Returns: The absolute path with symbolic links resolved, as the kernel reports it for a running process.
  static func find(_ name: String, beside folder: String?, environment: [String: String]) -> String? {
    let folders = (folder.map { [$0] } ?? []) + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }), let real = realpath(found, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
