import Foundation
import LogTestSupport
import Testing
import XferEvents

/// The filter of tasks in the page of a report, which selects the tasks that `xferlog query` lists.
@Suite struct ReportFilterTests {
  private static let queries = [
    "task.outcome=lost", "task.outcome!=succeeded", "not task.outcome=succeeded", "task.outcome = LOST",
    "task.outcome IN {lost, failed}",
    "task.outcome NOT IN {lost, failed}", "task.outcome NOT IN (succeeded)", "task.http=200",
    "task.status>=200 and task.status<300",
    "task.http BETWEEN {100, 299}", "task.http?=404", "task.received>=10kB", "task.bytes>39KiB && task.bytes<=40000",
    "task.sent=0",
    "took>2s", "took<=1h30m", "task.took>0", "task.totalTime<500ms", "task.queueTime>50us", "task.deliveryTime<1.5s",
    "exists(task.took)", "not exists(task.completed)", "exists(task.error) or exists(task.hold)", "task.name=maps/2",
    "task.session=maps", "task.session BEGINSWITH \"ma\"", "task.session BEGINSWITH[c] 'MA'", "task.session ENDSWITH ps",
    "task.session CONTAINS[cd] \"ÁP\"", "task.session LIKE \"m?p*\"", "task.session LIKE[c] \"M*\"",
    "task.session MATCHES \"m.ps\"",
    "task.session MATCHES \"m.\"", "task.session~=ap", "task.session~\"^m\"", "task.session!~\"^m\"", "task.session~~=p$",
    "\"maps\" == task.session", "\"2\" < task.number", "task.number>1", "task.number IN {1, 3}", "task.number<>2",
    "task.session>m",
    "task.session BETWEEN {\"a\", \"n\"}", "task.type=download", "task.type:download", "task.session:\"maps\"", "task.method=GET",
    "task.scheme=http", "task.host=127.0.0.1", "task.host CONTAINS 0.0", "task.attempts>1", "task.connections>=1",
    "task.reused=0",
    "task.state=completed || task.state=acknowledged", "(task.number=1 or task.number=2) and not task.outcome=lost",
    "task.number=1 task.outcome=succeeded", "!(task.number=1)", "not not task.number=1", "*", "TRUEPREDICATE", "FALSEPREDICATE",
    "task.created>2020-01-01T00:00:00Z", "task.created<@1700000000", "task.completed>=2026-11-21T07:21:44Z", "task.path~=x",
    "task.launch!=x", "task.intent=x", "exists(task.intent)", "task.uid MATCHES \"[0-9a-f-]{36}\"", "task.appOutcome=success",
    "task.cancelledBy=app", "task.errorName=timedOut or task.errorDomain=curl", "process.exited or task.number=1", "exitObserved",
    "\"task.created\"", "GET and task.number=2", "\"maps/2\"", "not \"nothing like this\"",
  ]
  /// Queries whose answers differ for the tasks of `sessions`.
  private static let finer = [
    // Names of events.
    "task.transferred", "task.cancelRequested", "not task.created", "process.exitObserved or task.forgotten",
    "app.noted task.number=3",
    "\"task.cancelRequested\"", "saw", "\"e\u{301}1\"",
    // Times relative to now.
    "task.created<'5m ago'", "task.created>5m", "task.created<-5m", "task.created<=now", "task.created>yesterday",
    "task.created<tomorrow",
    "task.created>'3 weeks ago'", "task.created<friday", "task.created<'1h30m ago'", "task.created>2026-11-21",
    "task.created>'2026-11-21 07:21'", "task.created>'2026-11-21 08:21:00.5+01:00'",
    "task.created<today or task.number=1",
    "task.created<14:00", "task.created BETWEEN {2026-11-01, 2026-11-30T12:00:00.25Z}", "task.created>2026-11-20T15:02:07+0100",
    // Regular expressions.
    #"task.session~"^\w+$""#, #"task.session~"\d""#, #"task.session~"\s""#, #"task.session~"\W""#, #"task.session~"^\D+$""#,
    #"task.session~"\S \S""#, #"task.session MATCHES "..""#, #"task.session MATCHES ".1""#, #"task.session~"[a-c]""#,
    #"task.session~"[^a-z]""#, #"task.session MATCHES "(?:m|x).*""#, #"task.session~"a{1,2}""#, #"task.session~"p{2}""#,
    #"task.session MATCHES[c] "MAPS""#, #"task.session~[c]"Ü""#, #"task.session MATCHES[d] "e1""#, #"task.session~"\[z\]""#,
    #"task.session~"[\]\[]""#, #"task.session~"^(?=m)""#, #"task.session~"^(?!m)""#, #"task.session~"a|m""#,
    #"task.session MATCHES "[\w.]+""#, #"task.session~"\.""#, #"task.session MATCHES "\{q\}""#, #"task.session~"a.*?b""#,
    #"task.session~"^m??a""#, #"task.session MATCHES "日.""#, #"task.session~"s$""#, #"task.session~"[-_]""#,
    #"task.session~"[_-]""#,
    #"task.session~"(a|m)(p|.b)""#, #"task.session MATCHES "a\sb""#, #"task.session~"^[^\s\d]+$""#, #"task.session~"é""#,
    #"task.session~"[à-ü]""#, #"task.session MATCHES """#, #"task.session~"()""#, #"task.session!~"\w""#,
  ]
  /// Queries with regular expressions that only `xferlog query` knows.
  private static let unknown = [
    (#"task.session~"\bmaps""#, #"\b"#), (#"task.session~"(?i)MAPS""#, "(?i"),
    (#"task.session~"a++""#, "++"), (#"task.session~"[[:alpha:]]""#, "[ within brackets"), (#"task.session~"\p{L}""#, #"\p"#),
    (#"task.session~"[a-z&&[m]]""#, "&&"), (#"task.session~"(?<x>a)""#, "(?<"), (#"task.session~"\x61""#, #"\x"#),
    (#"task.session~"(a)\1""#, #"\1"#),
  ]
  private static let mistakes = [
    "task.nonsense=1", "task.http=", "(task.http=200", "task.http=abc", "task.took>2", "task.http~2", "task.session<",
    "task.http IN 200",
    "task.http BETWEEN {1}", "\"open", "and task.http=200", "task.http=200 or", "task.session~\"(\"", "task.type>a",
    "exists(task.http",
    "exists(nothing)", "task.created>someday", "task.created>'2026-02-30'", "task.created>25:00", "task.created<'20 Nov 2026'",
    #"task.session~"*a""#,
    #"task.session~"[a""#, #"task.session~"a)""#, #"task.session~"a{2,1}""#, "task.received=10parsecs", "= 5", "task.http=200 )",
    "task.http[c]=200", "task.outcome=nonsense",
    "task.http=200 | tasks",
  ]

  /// Writes a log with a task in each of several sessions, whose names tell expressions apart. A host has the name of an event.
  private func sessions(in directory: TemporaryDirectory) throws -> String {
    let log = try RecordedLog(in: directory, name: "sessions.xlog")
    let names = ["maps", "a.b", "é1", "e\u{301}1", "x_y-9", "Ünï", "٣", "a b", "[z]", "{q}", "日本", "UP", "a\u{2003}b", "mm", ""]
    for (place, name) in names.enumerated() {
      let task = TaskIdentity(uid: TaskUID(high: 5, low: UInt64(place)), session: name, number: UInt32(place + 1))
      let time = Int64(place) * 10
      log.emit(at: time, TaskCreated(task: task, type: .data, method: "GET", scheme: "https", host: "a.example.com", path: "/"))
      log.emit(at: time + 1, TaskResumed(task: task))
      if place % 2 == 0 { log.emit(at: time + 2, AttemptStarted(task: task, attempt: 1, host: "saw.task.cancelRequested")) }
      if place % 5 == 0 { log.emit(at: time + 3, TaskCancelRequested(task: task, by: .app)) }
    }
    log.close()
    return log.path
  }

  @Test func `The filter selects the tasks that a query lists, and explains mistakes with their places`() throws {
    let directory = TemporaryDirectory()
    let logs = [
      (VisitedReport.sample("killed-before-delivery"), Self.queries),
      (VisitedReport.sample("hundred-tasks-five-at-a-time"), Self.queries),
      (try sessions(in: directory), Self.finer),
    ]
    let visits = try logs.enumerated().map { place, log in
      let path = directory.path("\(place).html")
      try VisitedReport.write(log.0, to: path)
      try JSONSerialization.data(withJSONObject: log.1 + Self.mistakes + Self.unknown.map(\.0))
        .write(to: URL(fileURLWithPath: path + ".queries"))
      return VisitedReport.Visit(scenario: "select", path: path)
    }
    for ((name, queries), line) in zip(logs, try VisitedReport.lines(visits, home: directory)) {
      let seen = try VisitedReport.object(line)
      #expect(seen["console"] as? [String] == [])
      let answers = try #require(seen["queries"] as? [String: [String: Any]])
      var selections = Set<[String]>()
      for query in queries {
        let run = try ToolRun.xferlog("query", "\(query) | tasks", "-o", "ndjson", "--allow-empty", name)
        try #require(run.status == 0, "\(query): \(run.standardError)")
        let expected = try run.lines.compactMap { line -> String? in
          let row = try VisitedReport.object(line)
          return (row["session"] as? String).map { "\($0)/\(row["number"] ?? "")" }
        }.sorted()
        let tasks = (answers[query]?["tasks"] as? [String])?.sorted()
        #expect(tasks == expected, "\(name): \(query): \(answers[query]?["note"] ?? "")")
        selections.insert(expected)
      }
      #expect(selections.count > 3)
      for query in Self.mistakes {
        let answer = try #require(answers[query])
        #expect(answer["tasks"] is NSNull, "\(query)")
        let note = answer["note"] as? String ?? ""
        #expect(note.contains(/^This filter is not valid: .+ \(at (the end|character \d+: “.*”)\)\.$/), "\(query): \(note)")
        // What the page refuses, a query refuses, too. Only a query has stages.
        if !query.contains("|"), queries == Self.finer {
          #expect(try ToolRun.xferlog("query", "\(query) | tasks", name).status == 2, "\(query)")
        }
      }
      // What only a query knows is refused, so that the page does not select other tasks.
      for (query, sign) in Self.unknown {
        let answer = try #require(answers[query])
        let note = answer["note"] as? String ?? ""
        #expect(
          answer["tasks"] is NSNull && note.contains("the page does not know “") && note.contains("\(sign)”"), "\(query): \(note)"
        )
        #expect(note.contains("use it with xferlog query"))
        if queries == Self.finer {
          #expect([0, 3].contains(try ToolRun.xferlog("query", "\(query) | tasks", name).status), "\(query)")
        }
      }
    }
  }
}
