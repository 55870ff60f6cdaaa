package import XferEvents
import XferSQLite

/// The inputs and the program version from which an index is made. Equal origins give equal indexes.
package struct IndexOrigin: Hashable, Sendable {
  /// One segment or foreign file, in its state before reading.
  package struct Source: Hashable, Sendable {
    /// The path of the log directory, or of the file if the user named the file itself.
    package let log: String
    package let path: String
    package let size: Int64
    package let modified: WallTime
    package let inode: UInt64
    /// The checksum of a segment that its writer has not closed. Writes through a memory mapping change neither size nor
    /// modification time, so only a checksum reveals them. `nil` for other files.
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
  /// The version and build of the program. A different build may have different rules.
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
