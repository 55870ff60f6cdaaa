import Foundation
import LogTestSupport
import Testing

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
  private static let mistakes = [
    "task.nonsense=1", "task.http=", "(task.http=200", "task.http=abc", "task.took>2", "task.http~2", "task.session<",
    "task.http IN 200",
    "task.http BETWEEN {1}", "\"open", "and task.http=200", "task.http=200 or", "task.session~\"(\"", "task.type>a",
    "exists(task.http",
    "exists(nothing)", "task.received=10parsecs", "= 5", "task.http=200 )", "task.http[c]=200", "task.outcome=nonsense",
    "task.http=200 | tasks",
  ]

  @Test func `The filter selects the tasks that a query lists, and explains mistakes with their places`() throws {
    let directory = TemporaryDirectory()
    let logs = ["killed-before-delivery", "hundred-tasks-five-at-a-time"]
    let visits = try logs.map { name in
      let path = directory.path("\(name).html")
      try VisitedReport.write(VisitedReport.sample(name), to: path)
      try JSONSerialization.data(withJSONObject: Self.queries + Self.mistakes).write(to: URL(fileURLWithPath: path + ".queries"))
      return VisitedReport.Visit(scenario: "select", path: path)
    }
    for (name, line) in zip(logs, try VisitedReport.lines(visits, home: directory)) {
      let seen = try VisitedReport.object(line)
      #expect(seen["console"] as? [String] == [])
      let answers = try #require(seen["queries"] as? [String: [String: Any]])
      var selections = Set<[String]>()
      for query in Self.queries {
        let run = try ToolRun.xferlog("query", "\(query) | tasks", "-o", "ndjson", "--allow-empty", VisitedReport.sample(name))
        try #require(run.status == 0, "\(query): \(run.standardError)")
        let expected = try run.lines.compactMap { line -> String? in
          let row = try VisitedReport.object(line)
          return (row["session"] as? String).map { "\($0)/\(row["number"] ?? "")" }
        }.sorted()
        let tasks = answers[query]?["tasks"] as? [String]
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
        if !query.contains("|") {
          #expect(try ToolRun.xferlog("query", "\(query) | tasks", VisitedReport.sample(name)).status == 2, "\(query)")
        }
      }
    }
  }
}
