import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Markup and scripts in every string that a log can contain, shown by a page in Debian's Chromium.
@Suite struct ReportHostileTests {
  private let directory = TemporaryDirectory()

  /// Texts that would run a script, load something or change the page if one place did not escape them.
  static let payloads: [String] = {
    let actions = [
      "<script>owned=1</script>", "<img src=x onerror=owned=1>", "<svg onload=owned=1>", "<svg><script>owned=1</script></svg>",
      "<iframe srcdoc='<script>parent.owned=1</script>'>", "<body onload=owned=1>", "<details open ontoggle=owned=1>",
      "<a href=javascript:owned=1>x</a>",
      "<math><mtext><img src=x onerror=owned=1></mtext></math>", "<object data=javascript:owned=1>",
      "<embed src=javascript:owned=1>",
      "<link rel=stylesheet href=http://127.0.0.1:9/x>", "<base href=http://127.0.0.1:9/>",
      "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
      "<style>@import 'http://127.0.0.1:9/x';*{display:none}</style>",
      "<form action=http://127.0.0.1:9/><button>x</button></form>",
      "<input autofocus onfocus=owned=1>", "<video src=x onerror=owned=1>", "<marquee onstart=owned=1>",
      "<!--<img src=x onerror=owned=1>-->",
    ]
    let wrappers: [(String, String)] = [
      ("", ""), ("\">", ""), ("'>", ""), ("</h1>", ""), ("</title>", ""), ("</noscript>", ""), ("</li></ul></noscript>", ""),
      ("</script>", ""),
      ("</style>", ""), ("-->", "<!--"), ("]]>", ""), ("\\\">", ""), ("</textarea>", ""), ("`${", "}`"), ("\u{2028}", "\u{2029}"),
    ]
    return wrappers.flatMap { wrapper in actions.map { wrapper.0 + $0 + wrapper.1 } }
  }()

  /// Control characters, formatting characters and Markdown.
  private static let others =
    HostileTextTests.texts + [
      "@everyone #1 :smile: $x$", "www.x.example https://x.example a@b.example", "**b** _i_ ~~s~~ [l](x) ![i](x) `c` | \\ *",
    ]

  /// The log's name. Without an escape, a page would show another character instead of the reference.
  private static let name = "<img src=x onerror=owned=1>&lt;.xlog"

  /// Writes a log with payloads as names of sessions, hosts, files, intents, programs, errors and messages, and with findings about them.
  private func log(_ payloads: ArraySlice<String>) throws -> String {
    let log = try RecordedLog(in: directory, name: Self.name, mode: .hashed)
    for (place, text) in payloads.enumerated() {
      let task = TaskIdentity(uid: TaskUID(high: 3, low: UInt64(place) + 1), session: text, number: UInt32(place))
      let time = Int64(place) * 20
      log.emit(at: time, SessionCreated(session: text, instance: CorrelationID(UInt64(place)), sessionKind: .default))
      log.emit(
        at: time + 1,
        TaskCreated(task: task, type: .download, completion: .delegate, method: text, scheme: text, host: text, path: "/\(text)"))
      log.emit(at: time + 2, TaskResumed(task: task, by: .app))
      log.emit(at: time + 3, AttemptStarted(task: task, attempt: 1, scheme: text, host: text))
      log.emit(
        at: time + 4, AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 1, contentType: text, etag: text))
      log.emit(at: time + 5, AppNoted(task: task, intent: text, message: text))
      log.emit(at: time + 6, AppListenerAttached(session: text, name: text))
      var message: LogMessage = "said \(text, privacy: .public)"
      message.attach(text, text, privacy: .public)
      log.emit(at: time + 7, MessageError(subsystem: text, category: text, eventMessage: message, fileID: text, function: text))
      log.emit(at: time + 8, TaskTransferred(task: task, received: 1, sent: 0, status: 200))
      if place % 3 == 0 {
        log.emit(at: time + 9, TaskCompleted(task: task, domain: .curl, error: 28, errorName: text, message: text))
      }
    }
    log.emit(at: 900_000, AppNoted(intent: "x", message: "the end"))
    log.close()
    return log.path
  }

  /// Reports whatever a payload did to a page.
  private func effects(_ seen: [String: Any]) -> [String] {
    var effects =
      (seen["console"] as? [String] ?? []) + (seen["violations"] as? [String] ?? []) + (seen["requests"] as? [String] ?? [])
    if seen["state"] as? String != "ready" { effects.append("the page is not shown") }
    if seen["owned"] as? String != "undefined" { effects.append("a script ran") }
    if seen["foreign"] as? Int != 0 { effects.append("\(seen["foreign"] ?? "") foreign elements") }
    if seen["scripts"] as? Int != 1 { effects.append("\(seen["scripts"] ?? "") scripts") }
    effects += (seen["raw"] as? [String] ?? []).map { "the character \($0)" }
    return effects
  }

  @Test func `300 payloads in every string of a log have no effect`() throws {
    #expect(Self.payloads.count == 300)
    let path = directory.path("page.html")
    try VisitedReport.write(try log((Self.payloads + Self.others)[...]), to: path)
    let visits = ["hostile", "plain"].map { VisitedReport.Visit(scenario: $0, path: path) }
    let lines = try VisitedReport.lines(visits, home: directory)
    let (seen, plain) = (try VisitedReport.object(lines[0]), try VisitedReport.object(lines[1]))
    #expect(effects(seen) == [])
    #expect(seen["shown"] as? Int ?? 0 > 2000)
    #expect((seen["title"] as? String)?.hasPrefix(Self.name) == true)
    #expect(plain["foreign"] as? Int == 0)
    #expect(plain["console"] as? [String] == [])
    #expect(plain["items"] as? Int ?? 0 > 40)
    // What the page copies for an issue is text, too.
    let copied = seen["copied"] as? [String] ?? []
    #expect(copied.count > 20)
    try Data(copied.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: directory.path("copied.md")))
    let markdown = try ToolRun(ExportTools.python, [ExportTools.script("read-output"), "markdown", directory.path("copied.md")])
    let read = try VisitedReport.object(try #require(markdown.lines.first, "\(markdown.standardError)"))
    #expect(read["problems"] as? [String] == [])
    let (rendered, summaries) = (read["plain"] as? String ?? "", seen["summaries"] as? [String] ?? [])
    #expect(summaries.count > 20)
    for summary in summaries { #expect(rendered.contains(summary), "\(summary)") }
    #expect(Set((read["elements"] as? [String: Int] ?? [:]).keys).isSubset(of: ["p", "strong", "ul", "li", "span"]))
  }

  @Test func `A served page of a hostile log shows no effect, either`() throws {
    let payloads = Self.payloads.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    let log = try log((payloads + Self.others)[...])
    let server = try Follower(["serve", log])
    let url = try #require(server.lines { !$0.isEmpty }.first)
    let seen = try VisitedReport.object(VisitedReport.lines([.init(scenario: "hostile", path: url)], home: directory)[0])
    #expect(effects(seen) == [])
    #expect(seen["shown"] as? Int ?? 0 > 1000)
    #expect((seen["title"] as? String)?.hasPrefix(Self.name) == true)
    server.end()
    #expect(server.status == 128 + SIGTERM)
  }

  /// The test would see a missing escape: each place of the HTML with text from a log is unescaped in turn.
  @Test(arguments: ["<title>", "<h1 id=\"sentence\">", "<noscript>"])
  func `A text that is not escaped has an effect that the test sees`(_ place: String) throws {
    let path = try log(Self.payloads.filter { $0.hasPrefix("</") }[0..<40])
    func unescaped(_ text: String) -> String {
      guard let start = text.range(of: place),
        let end = text.range(
          of: "</\(place == "<noscript>" ? "noscript" : place == "<title>" ? "title" : "h1")>",
          range: start.upperBound..<text.endIndex)
      else { return text }
      let body = text[start.upperBound..<end.lowerBound].replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(
        of: "&gt;", with: ">"
      ).replacingOccurrences(of: "&amp;", with: "&")
      return text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: body)
    }
    let scenario = place == "<noscript>" ? "plain" : "hostile"
    let seen = try VisitedReport.visit(scenario, log: path, in: directory, change: unescaped)
    if place == "<noscript>" {
      #expect(seen["foreign"] as? Int != 0)
    } else if place == "<title>" {
      // The title has only the log's name, which contains no end tag.
      #expect((seen["title"] as? String)?.hasPrefix(Self.name) == false)
    } else {
      #expect(effects(seen) != [])
    }
  }
}
