import Foundation
import LogTestSupport
import Testing

/// Tests that hashes of private values match within an installation and differ between installations, and that no log contains
/// the key.
struct HashTests {
  private let directory = TemporaryDirectory()

  private func emit(_ log: String, state: String, _ arguments: String...) throws -> ToolRun {
    try ToolRun(
      "xferlog", ["emit", "--log", directory.path(log)] + arguments, environment: ["XDG_STATE_HOME": directory.path(state)])
  }

  /// Returns the hashes shown in place of private values, in order.
  private func hashes(_ log: String) throws -> [String] {
    try ToolRun("xferlog", ["show", "-o", "short", directory.path(log)]).text.matches(of: /<mask\.hash: [0-9a-f]{16}>/)
      .map { String($0.0) }
  }

  @Test func `Equal values have the same hash in all processes and logs of an installation`() throws {
    for (log, state) in [("a.xlog", "one"), ("a.xlog", "one"), ("b.xlog", "one"), ("c.xlog", "two")] {
      let run = try emit(log, state: state, "--private", "the same", "--field", "user=the same", "--field", "other=another")
      #expect(run.status == 0, "\(run.standardError)")
    }
    let (first, second, third) = (try hashes("a.xlog"), try hashes("b.xlog"), try hashes("c.xlog"))
    #expect(first.count == 6 && second.count == 3 && third.count == 3)
    #expect(Set(first).count == 2)
    #expect(Array(first[..<3]) == Array(first[3...]) && Array(first[..<3]) == second)
    #expect(first[0] == first[1] && first[0] != first[2])
    #expect(Set(first).isDisjoint(with: third), "a different key gives different hashes")
  }

  @Test func `Events of a private intent can be joined by its hash`() throws {
    let line = #"{"event": "app.intentDeclared", "fields": {"intent": "jane's photos"}}"#
    for _ in 0..<2 {
      let run = try ToolRun(
        "xferlog", ["emit", "--log", directory.path("i.xlog"), "--private", "--input", "ndjson"], input: Array(line.utf8),
        environment: ["XDG_STATE_HOME": directory.path("one")])
      #expect(run.status == 0, "\(run.standardError)")
    }
    let found = try hashes("i.xlog")
    #expect(found.count == 2 && Set(found).count == 1)
  }

  @Test func `No log contains the key`() throws {
    #expect(try emit("a.xlog", state: "one", "--private", "x").status == 0)
    let key = try Data(contentsOf: URL(fileURLWithPath: directory.path("one/xferlog/mask.key")))
    #expect(key.count == 16)
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path("a.xlog")) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path("a.xlog/\(name)")))
      for word in [key.prefix(8), key.suffix(8)] {
        #expect(bytes.range(of: word) == nil && bytes.range(of: Data(word.reversed())) == nil)
      }
    }
  }

  @Test func `A command rejects a key that other users can read, and says what to do`() throws {
    #expect(try emit("a.xlog", state: "one", "--private", "x").status == 0)
    let key = directory.path("one/xferlog/mask.key")
    chmod(key, 0o644)
    let run = try emit("a.xlog", state: "one", "--private", "hush")
    #expect(run.status == 2)
    #expect(run.standardError.contains("\(key): other users may have read the key for private values"))
    #expect(run.standardError.contains("chmod 600"))
    #expect(try hashes("a.xlog").count == 1)
  }
}
