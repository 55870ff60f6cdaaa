import Foundation
import LogTestSupport
import Testing
import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay
import XferReport

/// The documents of `xferlog replay`: their lifecycles, inputs and output formats.
struct ReplayDocumentTests {
  /// A download that succeeds, one that is under way when the log stops, and a wake whose handler is called.
  private func run(in directory: TemporaryDirectory) throws -> RecordedLog {
    let log = try RecordedLog(in: directory, seed: 5)
    let (task, first, second) = (RecordedLog.task, DeliveryID(5), DeliveryID(6))
    log.emit(
      at: 1, SessionCreated(session: "img", instance: CorrelationID(1), sessionKind: .background, hasDelegate: true))
    log.emit(at: 2, SessionConnected(session: "img", instance: CorrelationID(1)))
    log.emit(at: 10, WakeDelivered(session: "img", handler: HandlerID(3)))
    log.emit(at: 100, TaskCreated(task: task, type: .download, method: "GET", host: "cdn.example.com"))
    log.emit(at: 200, TaskResumed(task: task))
    log.emit(at: 230, AttemptStarted(task: task, attempt: 1))
    log.emit(at: 270, AttemptConnectionAcquired(task: task, attempt: 1, transaction: 1))
    log.emit(at: 320, AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 10))
    log.emit(at: 380, AttemptEnded(task: task, attempt: 1, end: .finished, received: 10))
    log.emit(at: 380, TaskTransferred(task: task, received: 10, status: 200))
    log.emit(at: 381, DeliverySent(task: task, delivery: first, callback: .didFinishDownloading))
    log.emit(at: 382, DeliveryReceived(task: task, delivery: first, callback: .didFinishDownloading))
    log.emit(at: 383, DeliveryEntered(task: task, delivery: first, callback: .didFinishDownloading))
    log.emit(at: 384, DeliveryLeft(task: task, delivery: first, callback: .didFinishDownloading))
    log.emit(at: 385, DeliverySent(task: task, delivery: second, callback: .didComplete))
    log.emit(at: 386, DeliveryReceived(task: task, delivery: second, callback: .didComplete))
    log.emit(at: 450, DeliveryEntered(task: task, delivery: second, callback: .didComplete))
    log.emit(at: 451, DeliveryLeft(task: task, delivery: second, callback: .didComplete))
    log.emit(at: 460, TaskCompleted(task: task, delivery: second, received: 10, status: 200))
    log.emit(at: 470, TaskAcknowledged(task: task, delivery: second))
    log.emit(at: 480, SessionEventsFinished(session: "img", instance: CorrelationID(1), handler: HandlerID(3)))
    log.emit(at: 490, WakeHandlerCalled(session: "img", handler: HandlerID(3), onMainThread: true))
    log.emit(at: 500, SessionCreated(session: "docs", instance: CorrelationID(2), sessionKind: .default))
    log.emit(at: 510, TaskCreated(task: RecordedLog.other, type: .data))
    log.emit(at: 520, TaskResumed(task: RecordedLog.other))
    log.emit(at: 530, AttemptStarted(task: RecordedLog.other, attempt: 1))
    log.emit(at: 531, AttemptConnectionAcquired(task: RecordedLog.other, attempt: 1, transaction: 1))
    log.emit(at: 534, AttemptResponseReceived(task: RecordedLog.other, attempt: 1, status: 200, expected: 10))
    log.emit(at: 540, AppNoted(intent: "nobody replays this"))
    log.emit(at: 2020, AttemptBytesReceived(task: RecordedLog.other, attempt: 1, received: 4))
    return log
  }

  private func lines(_ path: String, _ options: String...) throws -> [(kind: String, text: String)] {
    try ToolRun.xferlog(["replay", "-o", "ndjson", path] + options).lines.map { line in
      let prefix = #"{"schema":"xferlog.replay-line/1","kind":""#
      #expect(line.hasPrefix(prefix))
      let kind = String(line.dropFirst(prefix.count).prefix { $0 != "\"" })
      return (kind, String(line.dropFirst(prefix.count + kind.count + 2 + kind.count + 3).dropLast()))
    }
  }

  @Test func `NDJSON has a line for each object, and the verdict is the last line`() throws {
    let directory = TemporaryDirectory()
    let log = try run(in: directory)
    let lines = try lines(log.path)
    #expect(
      lines.map(\.kind) == ["task", "task", "input", "process", "session", "session", "wake", "finding", "verdict"])
    #expect(
      lines.last?.text == """
        {"verdict":"incomplete","complete":false,"incompleteBecause":["the log of sample (pid 4001) stops with 1 task open"],\
        "exitCode":0,"events":34,"unmodelled":2,"late":0,"inversions":0,"userRules":[],"limits":[],"window":null,\
        "acceptance":null}
        """)
  }

  @Test func `The lists of the document contain the objects of the lines`() throws {
    let directory = TemporaryDirectory()
    let log = try run(in: directory)
    let text = try ToolRun.xferlog("replay", "-o", "json", log.path).text
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let lists = ["inputs", "processes", "sessions", "tasks", "wakes", "findings", "groups", "undecided"]
    let others = [
      "schema", "verdict", "complete", "incompleteBecause", "exitCode", "events", "unmodelled", "late", "inversions", "userRules",
      "limits", "window", "acceptance",
    ]
    #expect(Set(document.keys) == Set(lists + others))
    let elements = text.split(separator: "\n").dropFirst()
    // Each element is on its own line, and the end of the list follows the last element.
    for line in try lines(log.path).dropLast() { #expect(elements.contains { $0.hasPrefix(line.text) }, "\(line)") }
  }

  @Test func `A task has its stages in nanoseconds and its deliveries with their times`() throws {
    let directory = TemporaryDirectory()
    let log = try run(in: directory)
    let tasks = try lines(log.path).filter { $0.kind == "task" }.map(\.text)
    #expect(
      tasks == [
        """
        {"uid":"abcdef01-2345-6789-0123-456789abcdef","session":"img","number":7,"type":"download","state":"acknowledged",\
        "outcome":"succeeded","http":200,"error":null,"attempts":1,"bytes":10,\
        "timing":{"queue":30000000,"connect":40000000,"firstByte":50000000,"body":60000000,"delivery":70000000,\
        "total":260000000},"deliveries":[\
        {"id":"5","kind":"didFinishDownloading","sent":"2026-11-20T14:02:07.381000000Z",\
        "received":"2026-11-20T14:02:07.382000000Z","entered":"2026-11-20T14:02:07.383000000Z",\
        "left":"2026-11-20T14:02:07.384000000Z","acknowledged":null,\
        "lives":[{"launch":"63033b0c-a389-c35a-c097-314d939736f8","received":"2026-11-20T14:02:07.382000000Z",\
        "entered":"2026-11-20T14:02:07.383000000Z","left":"2026-11-20T14:02:07.384000000Z"}]},\
        {"id":"6","kind":"didComplete","sent":"2026-11-20T14:02:07.385000000Z","received":"2026-11-20T14:02:07.386000000Z",\
        "entered":"2026-11-20T14:02:07.450000000Z","left":"2026-11-20T14:02:07.451000000Z",\
        "acknowledged":"2026-11-20T14:02:07.470000000Z",\
        "lives":[{"launch":"63033b0c-a389-c35a-c097-314d939736f8","received":"2026-11-20T14:02:07.386000000Z",\
        "entered":"2026-11-20T14:02:07.450000000Z","left":"2026-11-20T14:02:07.451000000Z"}]}],\
        "otherDeliveries":0,"unexpected":0,"continues":null,"continuedBy":null,"acceptedStatus":null,"appOutcome":null}
        """,
        """
        {"uid":"11112222-3333-4444-5555-666677778888","session":"docs","number":1,"type":"data","state":"running",\
        "outcome":"open","http":null,"error":null,"attempts":1,"bytes":4,\
        "timing":{"queue":10000000,"connect":1000000,"firstByte":3000000,"body":null,"delivery":null,"total":null},\
        "deliveries":[],"otherDeliveries":0,"unexpected":0,"continues":null,"continuedBy":null,"acceptedStatus":null,"appOutcome":null}
        """,
      ])
  }

  @Test func `Sessions have their incarnations, wakes their launch and thread`() throws {
    let directory = TemporaryDirectory()
    let log = try run(in: directory)
    let lines = try lines(log.path)
    let launch = "63033b0c-a389-c35a-c097-314d939736f8"
    #expect(
      lines.filter { $0.kind == "session" }.map(\.text) == [
        """
        {"identifier":"img","kind":"background","incarnations":[{"launch":"\(launch)",\
        "created":"2026-11-20T14:02:07.001000000Z","connected":"2026-11-20T14:02:07.002000000Z","invalidated":null}]}
        """,
        """
        {"identifier":"docs","kind":"default","incarnations":[{"launch":"\(launch)",\
        "created":"2026-11-20T14:02:07.500000000Z","connected":null,"invalidated":null}]}
        """,
      ])
    #expect(
      lines.filter { $0.kind == "wake" }.map(\.text) == [
        """
        {"handler":"3","session":"img","launch":"\(launch)","wanted":null,"launched":null,\
        "delivered":"2026-11-20T14:02:07.010000000Z","stored":null,"eventsFinished":"2026-11-20T14:02:07.480000000Z",\
        "called":"2026-11-20T14:02:07.490000000Z","released":null,"thread":"main","outcome":"called"}
        """
      ])
  }

  @Test func `A session that is created in two process lives has two incarnations`() throws {
    let directory = TemporaryDirectory()
    for (seed, pid) in [(UInt64(1), Int32(4001)), (2, 4002)] {
      let log = try RecordedLog(in: directory, seed: seed, pid: pid)
      log.emit(at: Int64(seed), SessionCreated(session: "img", instance: CorrelationID(1), sessionKind: .background))
      log.emit(at: Int64(seed), SessionInvalidated(session: "img", instance: CorrelationID(1)))
      log.close()
    }
    let sessions = try lines("\(directory.path)/run.xlog").filter { $0.kind == "session" }
    #expect(sessions.count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(sessions[0].text.utf8)) as? [String: Any]
    let incarnations = try #require(object?["incarnations"] as? [[String: Any]])
    #expect(Set(incarnations.compactMap { $0["launch"] as? String }).count == 2)
    #expect(incarnations.compactMap { $0["invalidated"] as? String }.count == 2)
  }

  @Test func `Each input has its own figures`() throws {
    let directory = TemporaryDirectory()
    let whole = try RecordedLog(in: directory, name: "whole.xlog", seed: 9)
    whole.emit(at: 1, AppNoted(intent: "a"))
    whole.close()
    let damaged = try DamagedLog.flipped(in: directory)
    let open = try RecordedLog(in: directory, name: "open.xlog", seed: 5)
    let task = TaskIdentity(uid: TaskUID(high: 3, low: 4), session: "img", number: 1)
    open.emit(at: 1, AppNoted(intent: "a"))
    open.emit(at: 2, TaskCreated(task: task, type: .data))
    let noise = try directory.write(Array("no log".utf8), to: "noise.seg")
    let run = try ToolRun.xferlog("replay", "-o", "json", whole.path, damaged, open.path, noise)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    let inputs = try #require(document["inputs"] as? [[String: Any]])
    func numbers(_ name: String) -> [Int] { inputs.map { $0[name] as? Int ?? -1 } }
    #expect(inputs.map { $0["path"] as? String } == [whole.path, damaged, open.path, noise])
    #expect(numbers("events").reduce(0, +) == document["events"] as? Int)
    #expect(numbers("unmodelled").reduce(0, +) == document["unmodelled"] as? Int)
    #expect(numbers("unmodelled") == [2, 1, 2, 0])
    #expect(numbers("damaged") == [0, 1, 0, 0])
    #expect(numbers("missing") == [0, 1, 0, 0])
    #expect(inputs.map { $0["complete"] as? Bool } == [true, false, false, false])
    #expect(inputs.map { $0["error"] is NSNull } == [true, true, true, false])
  }

  @Test func `Text shows how long a task has been open and the time between evidence`() throws {
    let directory = TemporaryDirectory()
    let log = try run(in: directory)
    let run = try ToolRun.xferlog("replay", log.path)
    #expect(run.text.contains("\n34 events, 2 tasks (1 open, 1 succeeded), 1 finding\nopen: docs/1 running (1.5s)\n"))
    log.emit(at: 3000, WakeDelivered(session: "docs", handler: HandlerID(4)))
    log.emit(at: 5500, SessionEventsFinished(session: "docs", instance: CorrelationID(2), handler: HandlerID(4)))
    log.emit(at: 40_000, WakeHandlerReleased(session: "docs", handler: HandlerID(4)))
    let text = try ToolRun.xferlog("replay", log.path).text
    #expect(text.contains("    evidence  14:02:12.500000000Z  session.eventsFinished  1/1/35  +2.5s\n"))
    #expect(text.contains("    missing   wake.handlerCalled, due by 14:02:40.000000000Z  +30s\n"))
  }

  @Test func `Possible findings count only with --fail-on-possible`() throws {
    let directory = TemporaryDirectory()
    let log = try run(in: directory)
    let plain = try ToolRun.xferlog("replay", log.path)
    #expect(plain.status == 0)
    #expect(plain.text.hasSuffix("verdict: incomplete\n"))
    let strict = try ToolRun.xferlog("replay", "--fail-on-possible", log.path)
    #expect(strict.status == 1)
    #expect(strict.text.hasSuffix("verdict: findings\n"))
    #expect(strict.standardError == "xferlog: exit 1 (findings): 1 finding: crash-mid-transfer\n")
    #expect(try ToolRun.xferlog("replay", "--fail-on-possible", "--fail-on", "critical", log.path).status == 0)
  }

  // MARK: Causes

  /// A rule that reports every process. A chain of such rules gives findings of any depth.
  private struct First: ProcessRule {
    static let description = Self.make("first", after: [])
    static let watches: Set<EventKind> = []

    static func make(_ id: String, after roots: [String]) -> RuleDescription {
      RuleDescription(
        id: id, severity: .error, summary: "", explanation: "", remedy: "none", sources: [], consequenceOf: roots, reports: [],
        staysSilent: [])
    }

    func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
      process.firstSeen.map { .finding(Draft(summary: "It is so.", claim: .presence, evidence: $0)) }
    }
  }

  private struct Second: ProcessRule {
    static let description = First.make("second", after: ["first"])
    static let watches: Set<EventKind> = []
    func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
      First().verdict(on: process, tasks: tasks, in: world, asked: asked)
    }
  }

  private struct Third: ProcessRule {
    static let description = First.make("third", after: ["second"])
    static let watches: Set<EventKind> = []
    func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
      First().verdict(on: process, tasks: tasks, in: world, asked: asked)
    }
  }

  @Test func `A consequence of a consequence is nested below it`() {
    var diagnosis = Diagnosis(rules: [Third(), Second(), First()])
    let example = RuleExample("", .at(0, ProcessStarted(executable: "app")))
    for member in example.members() { diagnosis.apply(member) }
    diagnosis.finish()
    var text = TextBuffer()
    ReplayWriter(.text).end(ReplayDocument(diagnosis: JointDiagnosis(diagnosis), inputs: [], exitCode: 1)) { $0(&text) }
    #expect(
      String(decoding: text.bytes, as: UTF8.self) == """
        error first (certain)
            It is so.
            evidence  20:26:41.000000000Z  process.started  1/1/0
            remedy    none
            └ error second (certain)
                It is so.
                evidence  20:26:41.000000000Z  process.started  1/1/0
                remedy    none
                └ error third (certain)
                    It is so.
                    evidence  20:26:41.000000000Z  process.started  1/1/0
                    remedy    none

        1 event, 0 tasks, 3 findings
        verdict: findings

        """)
  }
}
