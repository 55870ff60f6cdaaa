import Foundation
import LogTestSupport
import Testing

/// Tests that an undeclared body length is missing from the log, so that nothing can be divided by it.
struct UnknownLengthTests {
  private struct Line: Decodable {
    let event: String
    let fields: Fields

    struct Fields: Decodable {
      let expected: Int?
      let received: Int?
      let eventMessage: Message?
    }

    struct Message: Decodable { let message: String }
  }

  private static func lines(of log: String) throws -> [Line] {
    let lines = try ToolRun("xferlog", ["show", "-o", "ndjson", log]).lines
    return try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  /// Returns the expected length in every event that reports the size of a body.
  private static func expected(in log: String) throws -> [Int?] {
    let lines = try lines(of: log).filter { ["attempt.responseReceived", "attempt.bytesReceived"].contains($0.event) }
    #expect(lines.contains { $0.fields.received ?? 0 > 0 })
    return lines.map(\.fields.expected)
  }

  @Test
  func `An undeclared length is absent from the log, and a declared one is present`() throws {
    let unknown = try Self.expected(in: #require(Sample.all.first { $0.name == "progress-of-unknown-length" }).log)
    #expect(unknown.count >= 2 && unknown.allSatisfy { $0 == nil })
    let known = try Self.expected(in: #require(Sample.all.first { $0.name == "file-never-moved" }).log)
    #expect(known.count >= 4 && known.allSatisfy { $0 == 64_000 })
  }

  @Test(arguments: ["progress-of-unknown-length": true, "progress-of-the-task": false])
  func `An app that divides by an unknown length shows nonsense, and one that uses the task's progress does not`(
    _ sample: String, _ divides: Bool
  ) throws {
    let directory = TemporaryDirectory()
    #expect(try Sample.record([sample], to: directory).status == 0)
    let shown = try Self.lines(of: directory.path("\(sample)/log.xlog")).compactMap { $0.fields.eventMessage?.message }
    #expect(!shown.isEmpty && shown.allSatisfy { $0.hasPrefix("download: export") && $0.contains(": -") == divides }, "\(shown)")
  }
}
