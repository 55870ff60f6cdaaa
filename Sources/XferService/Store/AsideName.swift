import Foundation

/// Names for what cannot be read and is kept for somebody to look at.
enum AsideName {
  /// As many are kept of one file.
  private static let limit = 10_000

  /// - Returns: `path.damaged-1`, or with the first number that nothing has; `nil` when all are taken.
  static func free(_ path: String) -> String? {
    (1...limit).lazy.map { "\(path).damaged-\($0)" }.first { name in
      ["", "-wal"].allSatisfy { suffix in
        var status = stat()
        return lstat(name + suffix, &status) != 0
      }
    }
  }
}
