internal import CZlib
import Foundation

/// A ZIP archive of the files of a directory, without compression. `xferlog` reads a log in it.
struct ZippedLog {
  private(set) var bytes: [UInt8] = []

  /// The maximum size of the files. A larger log is only kept in its folder.
  private static let limit = 256 << 20

  /// - Parameter directory: a directory without subdirectories. Members have its name as their first part.
  /// - Returns: `nil` if the files cannot be read, or are too large.
  init?(directory: String) {
    let folder = directory.split(separator: "/").last.map(String.init) ?? "log.xlog"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory).sorted() else { return nil }
    var entries: [UInt8] = []
    for name in names {
      guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)"), bytes.count + data.count <= Self.limit
      else { return nil }
      let member = Member(name: "\(folder)/\(name)", data: Array(data), offset: bytes.count)
      bytes += member.localHeader + member.data
      entries += member.directoryEntry
    }
    let start = bytes.count
    bytes += entries
    bytes.append(word: 0x0605_4B50)
    for half in [0, 0, names.count, names.count] { bytes.append(half: half) }
    for word in [entries.count, start] { bytes.append(word: word) }
    bytes.append(half: 0)
  }

  private struct Member {
    let name: [UInt8]
    let data: [UInt8]
    let offset: Int
    private let checksum: Int

    init(name: String, data: [UInt8], offset: Int) {
      (self.name, self.data, self.offset) = (Array(name.utf8), data, offset)
      checksum = Int(clamping: crc32(0, data, UInt32(clamping: data.count)))
    }

    /// The members that both headers have: version 2.0, UTF-8 names, no compression, and 1980-01-01 as the time.
    private var common: [UInt8] {
      var bytes: [UInt8] = []
      for half in [20, 0x0800, 0, 0, 0x21] { bytes.append(half: half) }
      for word in [checksum, data.count, data.count] { bytes.append(word: word) }
      for half in [name.count, 0] { bytes.append(half: half) }
      return bytes
    }

    var localHeader: [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(word: 0x0403_4B50)
      return bytes + common + name
    }

    var directoryEntry: [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(word: 0x0201_4B50)
      bytes.append(half: 20)
      bytes += common
      for half in [0, 0, 0] { bytes.append(half: half) }
      for word in [0, offset] { bytes.append(word: word) }
      return bytes + name
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(half: Int) { for shift in [0, 8] { append(UInt8(truncatingIfNeeded: half >> shift)) } }
  fileprivate mutating func append(word: Int) {
    for shift in [0, 8, 16, 24] { append(UInt8(truncatingIfNeeded: word >> shift)) }
  }
}
