import CXferPlatform
import Foundation
import Synchronization
import XferEvents
import XferPostmortem

/// The folder of a test's log and report: a folder with the name of the test in `$XFERLOG_POSTMORTEM`, or else in `.build/postmortem`.
///
/// The log is in its final place from the beginning, so that it remains if the test crashes.
struct PostmortemFolder: Sendable {
  /// A file that a test attaches.
  struct File: Sendable {
    let name: String
    let bytes: [UInt8]
  }

  /// The name of the test for people.
  let test: String
  let path: String

  var log: String { "\(path)/log.xlog" }
  private var report: String { "\(path)/report.html" }

  /// The folders that tests of this process have.
  private static let taken = Mutex<Set<String>>([])

  init(for test: String) throws {
    self.test = test
    let base = "\(Self.parent)/\(Self.fileName(for: test))"
    // Cases of a parameterized test have the same name.
    path = Self.taken.withLock { taken in
      var (path, number) = (base, 1)
      while !taken.insert(path).inserted {
        number += 1
        path = "\(base)-\(number)"
      }
      return path
    }
    // What an earlier run left behind is replaced.
    for file in [log, report] { try? FileManager.default.removeItem(atPath: file) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  private static var parent: String {
    if let given = xp_variable("XFERLOG_POSTMORTEM") { return String(cString: given) }
    let package = FileManager.default.currentDirectoryPath
    // Xcode runs tests with another working directory.
    if FileManager.default.fileExists(atPath: "\(package)/.build") { return "\(package)/.build/postmortem" }
    return FileManager.default.temporaryDirectory.appendingPathComponent("xferlog-postmortem").path
  }

  /// Returns a name of at most 100 bytes that is valid in all file systems.
  static func fileName(for test: String) -> String {
    let bytes = test.utf8.map { byte -> UInt8 in
      let isPlain =
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
      return isPlain ? byte : UInt8(ascii: "-")
    }
    let text = String(decoding: bytes.prefix(100), as: UTF8.self)
    return text.hasPrefix(".") ? "test" + text : text
  }

  /// A sentence that says where the results are.
  var advice: String { "The report is \(report), and the log \(log)." }

  /// Writes the HTML report.
  ///
  /// - Returns: the problems, as sentences.
  func writeReport(_ options: Postmortem.Options) -> [String] {
    do throws(PostmortemError) {
      try Postmortem.writeReport(of: [log], to: report, options: options)
      return []
    } catch {
      return ["The report cannot be written: \(error)"]
    }
  }

  /// The report and a ZIP archive of the log.
  var files: [File] {
    let name = path.fileName ?? "test"
    let contents = [("report.html", Self.bytes(report)), ("log.zip", ZippedLog(directory: log, at: "\(path)/log.zip")?.bytes)]
    return contents.compactMap { suffix, bytes in bytes.map { File(name: "\(name)-\(suffix)", bytes: $0) } }
  }

  private static func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

  /// Removes the folder. Another test may have its name afterwards.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    _ = Self.taken.withLock { $0.remove(path) }
  }
}
