#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that receives one line at the start and at the end of every served request.
///
/// Each line is written immediately with one `write(2)` call, so it survives the end of any process, including the server.
package final class OracleFile: Sendable {
  private let descriptor: CInt

  /// Opens the file for appending and creates it with mode 0600 when it is missing.
  package init(path: String) throws(ScriptError) {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ScriptError(
        code: .cannotRecord, place: path, problem: "the record of served requests cannot be opened",
        advice: "Name a file in a folder that you may write to.", cause: String(cString: strerror(errno)))
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func write(_ request: ServedRequest) {
    var line = request.ndjson
    line.withUTF8 { bytes in
      // A full disk loses the line. The records in memory stay correct.
      _ = systemWrite(descriptor, bytes.baseAddress, bytes.count)
    }
  }
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  var written: Int
  repeat { written = write(descriptor, bytes, count) } while written < 0 && errno == EINTR
  return written
}
