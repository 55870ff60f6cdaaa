import Foundation

/// Names for damaged files that are kept for inspection.
enum DamagedName {
  /// The maximum number of damaged copies of one file.
  private static let limit = 10_000

  /// Returns the first unused name of the form `path.damaged-1`, `path.damaged-2` and so on, or `nil` when all names are taken.
  static func free(_ path: String) -> String? {
    (1...limit).lazy.map { "\(path).damaged-\($0)" }.first { name in
      ["", "-wal"].allSatisfy { suffix in
        var status = stat()
        return lstat(name + suffix, &status) != 0
      }
    }
  }
}
