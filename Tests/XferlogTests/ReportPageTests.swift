import Foundation
import LogTestSupport
import Testing
import XferEvents

/// The page of a report in Debian's Chromium, without a network, and its modules.
@Suite struct ReportPageTests {
  private let directory = TemporaryDirectory()
  private static let page = ToolRun.checkout + "/Sources/XferReport/Report/Page"

  @Test(arguments: VisitedReport.samples)
  func `A page opens from a file without a message, a request or a violation`(_ name: String) throws {
    let seen = try VisitedReport.seen("open", of: name)
    #expect(seen["state"] as? String == "ready")
    #expect(seen["console"] as? [String] == [])
    #expect(seen["violations"] as? [String] == [])
    #expect(seen["requestCount"] as? Int == 1)
    #expect(seen["dataIsGone"] as? Bool == true)
    #expect(seen["foreign"] as? Int == 0)
    #expect(
      seen["headings"] as? [String] == [
        "Findings", "What this report cannot know", "Timeline", "Messages of a task", "Tasks", "Requests", "Log",
        "About this report",
      ])
    // Lists show the first rows of what the other commands print.
    let shown = try ToolRun.xferlog("show", "--all", "-o", "cat", VisitedReport.sample(name)).lines
    let text = try #require(seen["log"] as? String)
    #expect(shown.count > 50)
    for message in shown.prefix(14) { #expect(text.contains(message), "\(message)") }
  }

  @Test func `The page of an empty log has no time, and does not call the log complete`() throws {
    let (log, path) = (directory.path("empty.xlog"), directory.path("page.html"))
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
    try VisitedReport.write(log, "--allow-empty", to: path)
    let visits = [VisitedReport.Visit(scenario: "content", path: path)]
    let seen = try VisitedReport.object(VisitedReport.lines(visits, home: directory)[0])
    let text = try #require(seen["text"] as? String)
    #expect(text.contains("The log has no events, so nothing is known about transfers."))
    #expect(!text.contains("1970") && !text.contains("the log is complete"), "\(text)")
    #expect(seen["console"] as? [String] == [])
  }

  @Test func `A click on the first finding scrolls the timeline to the missing event`() throws {
    let seen = try VisitedReport.seen("finding", of: "killed-before-delivery")
    let (before, after) = (try #require(seen["before"] as? [String: String]), try #require(seen["after"] as? [String: String]))
    #expect(before["missing"] == nil)
    #expect(after["missing"] == "delivery.sent")
    #expect(seen["scrolledIntoView"] as? Bool == true)
    #expect((seen["status"] as? String)?.hasPrefix("delivery.sent is missing; it was due at 07:21:44.507") == true)
    let box = try #require(seen["box"] as? [String: Double])
    let (x, y) = (try #require(seen["x"] as? Int), try #require(seen["y"] as? Int))
    #expect(Double(x) < box["width"]! && Double(y) < box["height"]!)
    // The diamond is drawn there, in the colour of critical findings, on both sides of its middle.
    let pixels = try #require(seen["around"] as? [[Int]])
    func isCritical(_ pixel: [Int]) -> Bool { abs(pixel[0] - 179) < 40 && pixel[1] < 110 && abs(pixel[2] - 59) < 80 }
    #expect(pixels[..<10].contains(where: isCritical))
    #expect(pixels[11...].contains(where: isCritical))
    #expect((seen["details"] as? String)?.contains("process.exitObserved") == true)
    #expect((seen["body"] as? String)?.contains("delivery.sent is missing, due by 07:21:44.507") == true)
    #expect(seen["console"] as? [String] == [])
  }

  @Test func `All rows are printed up to a limit, tasks are sorted by their numbers, and open findings change to local times`()
    throws
  {
    let seen = try VisitedReport.seen("printed", of: "hundred-tasks-five-at-a-time")
    let sorted = try #require(seen["sorted"] as? [String])
    #expect(sorted.count == 12 && sorted.map { $0.split(separator: "/").last.map(String.init) } == (1...12).map { "\($0)" })
    let (before, printed, after) = (
      try #require(seen["before"] as? [String: Any]), try #require(seen["printed"] as? [String: Any]),
      try #require(seen["after"] as? [String: Any])
    )
    #expect(printed["tasks"] as? Int == 100 && printed["events"] as? Int == 1000)
    let rest = try #require(printed["rest"] as? [String])
    #expect(rest.count == 1 && rest[0].hasSuffix(" more rows are not printed."), "\(rest)")
    #expect(before["tasks"] as? Int ?? 100 < 100 && before["rest"] as? [String] == [])
    #expect(NSDictionary(dictionary: before) == NSDictionary(dictionary: after))
    let (universal, local) = (try #require(seen["universal"] as? String), try #require(seen["local"] as? String))
    #expect(universal != local && universal.count == local.count, "\(local)")
    #expect(seen["console"] as? [String] == [])
  }

  @Test func `A missing event in a row far below is scrolled to`() throws {
    let seen = try VisitedReport.seen("finding", of: "hundred-tasks-five-at-a-time")
    #expect((seen["after"] as? [String: String])?["missing"] == "task.holdEnded")
    let (box, y) = (try #require(seen["box"] as? [String: Double]), try #require(seen["y"] as? Int))
    #expect(Double(y) < box["height"]! && y > 26)
    #expect((seen["body"] as? String)?.contains("undefined") == false)
  }

  @Test func `The page can be used with the keyboard alone`() throws {
    let seen = try VisitedReport.seen("keyboard", of: "killed-before-delivery")
    #expect((seen["afterEnter"] as? [String: String])?["missing"] == "delivery.sent")
    #expect(seen["reachedTimeline"] as? String == "timeline-box")
    let zoomed = try #require(seen["zoomed"] as? [[String: String]])
    func span(_ state: [String: String]?) -> Double { (Double(state?["to"] ?? "") ?? 0) - (Double(state?["from"] ?? "") ?? 0) }
    #expect(abs(span(zoomed[1]) / span(zoomed[0]) - 0.7) < 0.01)
    let moved = try #require(seen["moved"] as? [String: String])
    #expect(abs(span(moved) - span(zoomed[1])) < 1)
    #expect(Double(moved["from"] ?? "")! > Double(zoomed[1]["from"] ?? "")!)
    #expect(span(seen["whole"] as? [String: String]) > span(moved))
    #expect((seen["row"] as? String)?.hasPrefix("Row 6 of 7: maps/2") == true)
    #expect((seen["firstEvent"] as? String)?.contains("task.created") == true)
    #expect((seen["secondEvent"] as? String)?.contains("app.intentBound") == true)
    #expect((seen["filtered"] as? String)?.hasPrefix("2 of 3 tasks") == true)
    #expect((seen["selectedTask"] as? String)?.hasPrefix("maps/1\nsucceeded") == true)
    #expect(seen["focusIsVisible"] as? String == "solid")
    #expect(seen["console"] as? [String] == [])
  }

  @Test func `The table of tasks is filtered by conditions, and an invalid one is explained`() throws {
    let seen = try VisitedReport.seen("filters", of: "killed-before-delivery")
    let expected = [
      "": "3 of 3 tasks.", "outcome=lost": "1 of 3 tasks.", "NOT outcome=lost": "2 of 3 tasks.",
      "http=200 AND bytes>1KiB": "3 of 3 tasks.",
      "(outcome=lost OR outcome=failed) duration<1h": "1 of 3 tasks.", "maps": "3 of 3 tasks.", "duration>2s": "0 of 3 tasks.",
      "host!=127.0.0.1": "0 of 3 tasks.", "'maps/2'": "1 of 3 tasks.", "log": "1 of 88 events.",
      "outcome=": "This filter is not valid: a value is missing (at the end).",
      "(maps": "This filter is not valid: a closing parenthesis is missing (at the end).",
    ]
    for (query, note) in expected { #expect(seen[query] as? String == note, "\(query)") }
    #expect(
      seen["nonsense=1"] as? String == "This filter is not valid: this is not a field of tasks; to search for a text, put it in "
        + "quotation marks (at character 1: “nonsense”).")
  }

  @Test(arguments: VisitedReport.samples)
  func `Nothing overlaps, leaves the window or lacks contrast at 400 and 1,600 pixels, light and dark`(_ name: String) throws {
    let list = try #require(try VisitedReport.seen("layout", of: name)["list"] as? [[String: Any]])
    #expect(list.count == 4)
    for seen in list {
      #expect(seen["problems"] as? [String] == [], "\(seen["width"] ?? "") \(seen["scheme"] ?? "")")
      #expect(seen["console"] as? [String] == [])
      let (canvas, timeline) = (try #require(seen["canvas"] as? [Int]), try #require(seen["timeline"] as? [Int]))
      #expect(canvas[2] > timeline[2] - 20 && canvas[3] > 100)
    }
    #expect(Set(list.compactMap { $0["back"] as? String }).count == 2)
  }

  @Test func `Without scripts, the page shows a summary`() throws {
    let seen = try VisitedReport.seen("plain", of: "killed-before-delivery")
    #expect(seen["items"] as? Int == 1)
    #expect(seen["requests"] as? Int == 1)
    #expect((seen["text"] as? String)?.contains("Verdict: findings. Exit code 1 (findings).") == true)
  }

  @Test func `If the data is damaged, the page says so and offers it`() throws {
    let seen = try VisitedReport.visit("broken", log: VisitedReport.sample("killed-before-delivery"), in: directory) { text in
      text.replacingOccurrences(of: "x-xferlog-report\">eJ", with: "x-xferlog-report\">eK")
    }
    #expect(seen["state"] as? String == "failed")
    #expect((seen["text"] as? String)?.contains("The data of this report cannot be shown") == true)
    #expect(seen["raw"] as? Int ?? 0 > 5000)
  }

  @Test func `A link restores the selection, a finding is copied as Markdown, and the events of its task can be stepped through`()
    throws
  {
    let seen = try VisitedReport.seen("share", of: "killed-before-delivery")
    let hash = try #require(seen["hash"] as? String)
    #expect(hash.hasPrefix("#finding=0&task="))
    #expect(seen["restored"] as? String == "delivery.sent")
    #expect(seen["restoredDetails"] as? String == seen["details"] as? String)
    #expect((seen["restoredRange"] as? String)?.hasSuffix(" of 88 events in the selected range.") == true)
    let markdown = try #require(seen["markdown"] as? String)
    #expect(markdown.hasPrefix("**critical** Task maps/2 finished, but its completion was never sent."))
    #expect(markdown.contains("- missing: delivery.sent, due by 07:21:44.507"))
    #expect((seen["messages"] as? String)?.contains("attempt.requestSent") == true)
    #expect((seen["ghost"] as? [String])?.first?.hasPrefix("delivery.sent") == true)
    #expect((seen["clocks"] as? String)?.contains("all writers share one clock") == true)
    let states = try #require(seen["states"] as? [[String]])
    #expect(states.count >= 3)
    for (earlier, later) in zip(states, states.dropFirst()) { #expect(later[0] == earlier[1]) }
    #expect(seen["console"] as? [String] == [])
  }

  @Test func `A report against another run shows its differences`() throws {
    let seen = try VisitedReport.seen("differences", of: "killed-before-delivery")
    #expect((seen["text"] as? String)?.contains(" aligned") == true)
    #expect(seen["items"] as? Int ?? 0 > 0)
    #expect(seen["console"] as? [String] == [])
  }

  // MARK: Modules

  @Test func `The modules pass TypeScript's checks`() throws {
    let run = try ToolRun("/usr/bin/env", ["tsc", "-p", Self.page])
    #expect(run.status == 0, "\(run.text)")
  }

  @Test func `The modules make elements only of text, and names are unique among them`() throws {
    var names: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.page).sorted() where file.hasSuffix(".js") {
      let text = try String(contentsOfFile: "\(Self.page)/\(file)", encoding: .utf8)
      let banned = [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "createContextualFragment", "eval(",
        "new Function",
        "setHTML", "srcdoc", "await import(", "fetch(", "XMLHttpRequest", "Worker(", "createObjectURL", "WebSocket", "sendBeacon",
        "localStorage",
        "window.open", "location.href", "</script",
      ]
      // Only the module of served pages may ask for something.
      for word in banned where !(word == "fetch(" && file == "live.js") { #expect(!text.contains(word), "\(file): \(word)") }
      #expect(text.hasPrefix("// @ts-check\n"))
      if file != "dom.js" {
        for word in ["createElement", "setAttribute('on"] { #expect(!text.contains(word), "\(file): \(word)") }
      }
      for line in text.split(separator: "\n") {
        let words = line.replacingOccurrences(of: "export ", with: "").replacingOccurrences(of: "async ", with: "").split(
          separator: " ")
        guard words.count > 1, ["function", "const", "let", "class"].contains(words[0]), !line.hasPrefix(" ") else { continue }
        let name = String(words[1].prefix { $0.isLetter || $0.isNumber })
        #expect(names.updateValue(file, forKey: name) == nil, "\(name) in \(file)")
      }
    }
    #expect(names.count > 40)
  }

  @Test func `All modules but that of served pages are in the page, and the page's code is small`() throws {
    let text = try ToolRun.xferlog("report", VisitedReport.sample("clean-run"), "-o", "-").text
    let script = try #require(text.components(separatedBy: "<script>").last)
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.page) where file.hasSuffix(".js") {
      let source = try String(contentsOfFile: "\(Self.page)/\(file)", encoding: .utf8)
      let line = try #require(source.split(separator: "\n").last { $0.hasPrefix("  ") && $0.count > 20 })
      #expect(script.contains(line) == (file != "live.js"), "\(file)")
    }
    #expect(!script.contains("fetch("))
    #expect(script.utf8.count < 300_000)
  }
}
