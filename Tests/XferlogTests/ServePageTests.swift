import Foundation
import LogTestSupport
import Testing

/// The page of `xferlog serve` in Debian's Chromium, while a real writer writes.
@Suite struct ServePageTests {
  private let directory = TemporaryDirectory()

  @Test func `Two pages show a growing log, and keep selection, filter, focus and scroll positions`() throws {
    let seen = try ServedReport.watch("growing", in: directory)
    // The token is not in the address any more.
    #expect(seen["address"] as? String == seen["expectedAddress"] as? String)
    #expect(seen["title"] as? String == "a.xlog – xferlog report")
    #expect((seen["live"] as? String)?.wholeMatch(of: /Live, as of \d\d:\d\d:\d\d UTC/) != nil, "\(seen["live"] ?? "")")
    #expect((seen["sentence"] as? String)?.hasPrefix("Task maps/2 finished, but its completion was never sent.") == true)
    let (before, after, both) = (
      try #require(seen["before"] as? [String: Any]), try #require(seen["after"] as? [String: Any]),
      try #require(seen["both"] as? [String: Any])
    )
    #expect(before["focus"] as? String == "task-filter" && before["value"] as? String == "maps" && before["caret"] as? Int == 3)
    #expect(before["expanded"] as? String == "true" && before["log"] as? Int == 240 && before["scroll"] as? Int ?? 0 > 500)
    #expect((before["hash"] as? String)?.hasPrefix("#finding=0&task=") == true)
    for name in [
      "focus", "value", "caret", "details", "expanded", "body", "hash", "from", "to", "log", "note", "selected",
      "sameInput", "sameFinding",
    ] { #expect("\(after[name] ?? "")" == "\(before[name] ?? "")", "\(name)") }
    #expect(after["sameInput"] as? Bool == true && after["sameFinding"] as? Bool == true)
    // Another finding is shown above what the user looks at.
    for name in ["focus", "value", "caret", "details", "log", "selected", "sameInput"] {
      #expect("\(both[name] ?? "")" == "\(before[name] ?? "")", "\(name)")
    }
    // What is at the top of the window stays there, although the page has become longer above it. Positions are rounded.
    let tops = [before, after, both].compactMap { $0["top"] as? Double }
    #expect(tops.count == 3 && tops.allSatisfy { abs($0 - tops[0]) <= 1 }, "\(tops)")
    #expect(before["scroll"] as? Int != both["scroll"] as? Int)
    for seconds in try #require(seen["seconds"] as? [Double]) { #expect(seconds < 3) }
    #expect(seen["loads"] as? Int == 1)
    #expect(seen["console"] as? [String] == [])
    #expect(seen["violations"] as? [String] == [])
    #expect(seen["foreign"] as? [String] == [])
    #expect(seen["status"] as? Int == 130)
  }

  @Test func `A page waits for a log, keeps the last report when one fails, and connects again after a restart`() throws {
    let seen = try ServedReport.watch("restarted", in: directory)
    #expect(
      (seen["problem"] as? String)?.hasPrefix("There is no newer report: \(directory.path("run.xlog")): not a log") == true,
      "\(seen["problem"] ?? "")")
    #expect((seen["kept"] as? String)?.contains("first words") == true)
    #expect(seen["deleted"] as? String == "There is no newer report: \(directory.path("run.xlog")) no longer exists")
    #expect((seen["keptDeleted"] as? String)?.contains("first words") == true)
    #expect(seen["console"] as? [String] == [])
    #expect(seen["status"] as? Int == Int(-SIGTERM))
    #expect(
      (seen["disconnected"] as? String)?.wholeMatch(
        of: /Not connected to xferlog serve; trying again\. The page shows the state of \d\d:\d\d:\d\d UTC\./)
        != nil, "\(seen["disconnected"] ?? "")")
    #expect((seen["live"] as? String)?.hasPrefix("Live, as of ") == true)
    #expect(seen["loads"] as? Int == 1)
    #expect((seen["refused"] as? String)?.hasPrefix("Not connected: xferlog serve was started again with another token.") == true)
  }
}
