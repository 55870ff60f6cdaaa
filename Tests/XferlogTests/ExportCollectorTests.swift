import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Exports to collectors of OpenTelemetry.
@Suite struct ExportCollectorTests {
  private let directory = TemporaryDirectory()

  private struct Outcome {
    var status: Int
    var standardError: String
    var requests: [String]
    var logs: [[String: Any]]
    var spans: [[String: Any]]
    var headers: [String: String]

    /// The identities of the log records.
    var logIDs: [String] { logs.compactMap { ($0["attributes"] as? [String: Any])?["log.record.uid"] as? String } }
  }

  private func collect(
    _ options: [String], answers: [String] = [], throughRotel: Bool = false, environment: [String: String] = [:]
  ) throws -> Outcome {
    var arguments = [ExportTools.script("collector")]
    if throughRotel { arguments.append("--rotel") }
    if !answers.isEmpty { arguments += ["--answers", answers.joined(separator: ",")] }
    arguments += ["--", ToolRun.tool, "export", "--otlp-endpoint", "{endpoint}"] + options
    let run = try ToolRun(ExportTools.python, arguments, environment: environment)
    guard let document = try? JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any] else {
      throw ExportTools.Failure(text: "\(run.standardError)\nTests/run installs the tools that this test needs.")
    }
    return Outcome(
      status: document["status"] as? Int ?? -1, standardError: document["stderr"] as? String ?? "",
      requests: document["requests"] as? [String] ?? [], logs: document["logs"] as? [[String: Any]] ?? [],
      spans: document["spans"] as? [[String: Any]] ?? [], headers: document["headers"] as? [String: String] ?? [:])
  }

  @Test func `Every record arrives once through rotel`() throws {
    // Several requests of 2,000 records.
    let log = try RecordedLog(in: directory)
    for number in 0..<1500 {
      let task = TaskIdentity(uid: TaskUID(high: 7, low: UInt64(number)), session: "s", number: UInt32(number))
      let time = Int64(number)
      log.emit(at: time, TaskCreated(task: task, type: .data, method: "GET", scheme: "http", host: "a.example.com", path: "/a"))
      log.emit(at: time, AttemptStarted(task: task, attempt: 1, scheme: "http", host: "a.example.com"))
      log.emit(at: time, AttemptEnded(task: task, attempt: 1, end: .finished, received: 8))
      log.emit(at: time, TaskCompleted(task: task, received: 8))
    }
    log.close()
    let outcome = try collect([log.path], throughRotel: true)
    #expect(outcome.status == 0, "\(outcome.standardError)")
    let all = try ToolRun.xferlog("show", "-o", "csv", "--all", log.path).lines.count - 1
    #expect(outcome.logIDs.count == all)
    #expect(Set(outcome.logIDs).count == all)
    #expect(outcome.spans.count == 1500)
    #expect(outcome.standardError.contains("sent \(all) log records and 1500 spans"))
    let first = try #require(outcome.logs.first { $0["name"] as? String == "xferlog.task.created" })
    #expect((first["resource"] as? [String: Any])?["service.name"] as? String == "sample")
    #expect((first["attributes"] as? [String: Any])?["xferlog.host"] as? String == "a.example.com")
  }

  @Test func `A request is retried while the collector is unavailable`() throws {
    let log = try ExportSample.write(in: directory)
    let outcome = try collect(["--format", "otlp-logs", log], answers: ["503", "close", "429"])
    #expect(outcome.status == 0, "\(outcome.standardError)")
    #expect(outcome.requests.count == 4)
    #expect(Set(outcome.logIDs).count == outcome.logIDs.count)
    #expect(outcome.logs.count == (try ToolRun.xferlog("show", "-o", "csv", "--all", log).lines.count) - 1)
  }

  @Test func `A request that the collector rejects is not retried`() throws {
    let log = try ExportSample.write(in: directory)
    let outcome = try collect([log], answers: ["400"])
    #expect(outcome.status == 2)
    #expect(outcome.requests.count == 1)
    #expect(outcome.standardError.contains("it answered with status 400"))
  }

  @Test func `Records that a collector refuses are reported`() throws {
    let log = try ExportSample.write(in: directory)
    let outcome = try collect(["--format", "otlp-logs", log], answers: ["partial"])
    #expect(outcome.status == 2)
    #expect(outcome.standardError.contains("the collector refused 1 of them: too old"))
  }

  @Test func `Header fields come from an option and from the environment`() throws {
    let log = try ExportSample.write(in: directory)
    let outcome = try collect(
      ["--otlp-header", "X-Token: a", log], environment: ["OTEL_EXPORTER_OTLP_HEADERS": "x-key=b%20c,x-other=d"])
    #expect(outcome.status == 0)
    #expect(outcome.headers["x-token"] == "a")
    #expect(outcome.headers["x-key"] == "b c")
    #expect(outcome.headers["x-other"] == "d")
    #expect(outcome.headers["content-type"] == "application/json")
    #expect(outcome.requests == ["/v1/logs", "/v1/traces"])
  }

  @Test func `Spans belong to the trace of the environment`() throws {
    let log = try ExportSample.write(in: directory)
    let path = directory.path("spans")
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    let run = try ToolRun.xferlog(
      "export", "--format", "otlp-spans", "-o", path, log, environment: ["TRACEPARENT": parent])
    #expect(run.status == 0)
    let records = try #require(try ExportTools.read("otlp", path)["records"] as? [[String: Any]])
    #expect(Set(records.compactMap { $0["traceId"] as? String }) == ["4bf92f3577b34da6a3ce929d0e0e4736"])
    #expect(Set(records.compactMap { $0["parentSpanId"] as? String }) == ["00f067aa0ba902b7"])
    let malformed = try ToolRun.xferlog(
      "export", "--format", "otlp-spans", log, environment: ["TRACEPARENT": parent.uppercased()])
    #expect(malformed.status == 0)
    #expect(malformed.standardError.contains("TRACEPARENT is malformed and was ignored"))
  }

  @Test func `Recorded spans keep their identifiers`() throws {
    let log = try RecordedLog(in: directory)
    log.emit(
      at: 1,
      AttemptStarted(
        task: RecordedLog.task, attempt: 1, scheme: "http", host: "a.example.com",
        traceParent: "00-4bf92f3577b34da6a3ce929d0e0e4736-1111111111111111-01", parentSpan: ValueDigest(0x22)))
    log.emit(at: 2, AttemptEnded(task: RecordedLog.task, attempt: 1, end: .finished))
    log.close()
    for (format, key) in [("otlp-spans", "parentSpanId"), ("otlp-logs", nil)] as [(String, String?)] {
      let path = directory.path(format)
      let run = try ToolRun.xferlog("export", "--format", format, "--event", "attempt.*", "-o", path, log.path)
      #expect(run.status == 0, "\(run.standardError)")
      let records = try #require(try ExportTools.read("otlp", path)["records"] as? [[String: Any]])
      #expect(Set(records.compactMap { $0["traceId"] as? String }) == ["4bf92f3577b34da6a3ce929d0e0e4736"])
      #expect(Set(records.compactMap { $0["spanId"] as? String }) == ["1111111111111111"])
      if let key { #expect(records[0][key] as? String == "0000000000000022") }
    }
  }
}
