import Foundation

/// A file that is deleted when the test releases this object.
final class TemporaryFile {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("xferscript-\(UUID().uuidString)").path

  init(_ bytes: [UInt8] = []) throws { try write(bytes) }

  /// Creates a sparse file of zeros, which uses no disk space.
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
