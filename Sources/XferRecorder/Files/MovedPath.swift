import Foundation

/// A path in a previous data directory of the app whose file exists in the current data directory.
struct MovedPath {
  /// The previous data directory, a prefix of the path.
  let container: String

  /// Searches for the file of a path in the current data directory.
  ///
  /// - Parameter container: The current data directory.
  /// - Returns: `nil` when the path is already in the current data directory, or the file is not found there.
  init?(_ path: String, from container: String) {
    if path.hasPrefix(container + "/") { return nil }
    let parts = path.split(separator: "/").map(String.init)
    // Finds the longest suffix of the path that exists. A file name alone is not enough, because it may be a different file.
    for place in parts.indices.dropFirst() where parts.count - place > 1 {
      guard FileManager.default.fileExists(atPath: ([container] + parts[place...]).joined(separator: "/")) else { continue }
      self.container = "/" + parts[..<place].joined(separator: "/")
      return
    }
    return nil
  }
}
