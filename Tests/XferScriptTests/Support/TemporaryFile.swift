import Foundation

/// A file of a test, gone when the test lets go of it.
final class TemporaryFile {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("xferscript-\(UUID().uuidString)").path

  init(_ bytes: [UInt8] = []) throws { try write(bytes) }

  /// All zeros, and no room on disk.
  init(sparse size: Int) throws {
    try write([])
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: UInt64(size))
    try handle.close()
  }

  deinit { remove() }

  func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
