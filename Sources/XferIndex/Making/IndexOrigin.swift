package import XferEvents

/// The inputs and the program of an index. Equal origins give equal indexes.
package struct IndexOrigin: Hashable, Sendable {
  /// One segment or foreign file, in the state before it was read.
  package struct Source: Hashable, Sendable {
    /// The path of the log; the file itself where that was named.
    package let log: String
    package let path: String
    package let size: Int64
    package let modified: WallTime
    package let inode: UInt64
    /// The checksum of a segment that its writer has not closed, because stores through a mapping change neither size nor time. `nil` for
    /// other files.
    package let checksum: UInt32?

    package init(log: String, path: String, size: Int64, modified: WallTime, inode: UInt64, checksum: UInt32?) {
      self.log = log
      self.path = path
      self.size = size
      self.modified = modified
      self.inode = inode
      self.checksum = checksum
    }
  }

  package let sources: [Source]
  /// The version and build of the program, because another build may have other rules.
  package let program: String

  package init(sources: [Source], program: String) {
    self.sources = sources
    self.program = program
  }
}

extension IndexOrigin.Source {
  var columns: KeyValuePairs<String, SQLiteValue> {
    [
      "log": .text(log), "path": .text(path), "size": .integer(size), "modified_ns": .integer(modified.nanoseconds),
      "inode": .text("\(inode)"),
      "checksum": checksum.map { .text(Self.digits($0)) } ?? .null,
    ]
  }

  private static func digits(_ checksum: UInt32) -> String {
    let digits = String(checksum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
