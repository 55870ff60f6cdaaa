import XferLogStore
import XferReading
import XferReport

/// A search through all files of a bundle for private values.
struct BundleScan {
  private(set) var scan: LeakScan
  private(set) var files = 0

  /// Secrets and encoded values are shorter, so none is missed between two pieces of a file.
  private static let overlap = 8192

  init(_ values: MaskedValues) { scan = LeakScan(values) }

  /// Searches a file, and the decompressed blocks of a sealed segment.
  mutating func search(_ path: String, named name: String) throws {
    files += 1
    if name.hasSuffix(".seg") {
      let isWhole = try SealedContents.each(of: path) { part, bytes in
        try Interruption.check()
        scan.search(bytes, at: "\(name), \(part)")
      }
      guard isWhole else {
        throw CommandExit(.failed, "\(name) cannot be searched for private values, because it is damaged; nothing was written")
      }
      return
    }
    var rest: [UInt8] = []
    var offset = 0
    try PieceReader(path).each { piece in
      let text = rest + piece
      scan.search(text, at: name, from: offset)
      let kept = min(text.count, Self.overlap)
      offset += text.count - kept
      rest = Array(text.suffix(kept))
    }
  }

  /// The names of the files, which must not contain private values either.
  mutating func search(names: [String]) { scan.search(Array(names.joined(separator: "\n").utf8), at: "the names of files") }
}
