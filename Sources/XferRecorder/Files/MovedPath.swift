import Foundation

/// A path below a data directory that the app had before, of which the same file lies below the present one.
struct MovedPath {
  /// With which the path begins.
  let container: String

  /// - Parameter container: the present data directory.
  /// - Returns: `nil` when the path lies below that, or nothing of it does.
  init?(_ path: String, from container: String) {
    if path.hasPrefix(container + "/") { return nil }
    let parts = path.split(separator: "/").map(String.init)
    // The longest end of the path that is there: a file's name alone may be another file's.
    for place in parts.indices.dropFirst() where parts.count - place > 1 {
      guard FileManager.default.fileExists(atPath: ([container] + parts[place...]).joined(separator: "/")) else { continue }
      self.container = "/" + parts[..<place].joined(separator: "/")
      return
    }
    return nil
  }
}
