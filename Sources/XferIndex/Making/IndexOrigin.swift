package import XferEvents

/// What an index was made from, and by: the same origin gives the same index.
package struct IndexOrigin: Hashable, Sendable {
  /// One segment, as it was when it was about to be read.
  package struct Source: Hashable, Sendable {
    /// The log that it belongs to; the segment itself where that was named.
    package let log: String
    package let path: String
    package let size: Int64
    package let modified: WallTime
    package let inode: UInt64
    /// Of the bytes, while the writer has not said that it is done: what it writes through a mapping changes neither size
    /// nor time. `nil` for a segment that is complete.
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
  /// The program, down to its build: other rules find other things.
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
