import LogTestSupport
import Testing
import XferEvents

/// The exact output of `xferlog show`.
@Suite struct ShowTests {
  @Test func `An event is shown as one line`() throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("show", RecordedLog.sample(in: directory))
    #expect(run.status == 0)
    #expect(run.standardError.isEmpty)
    #expect(
      run.text == """
        2026-11-20 14:02:07.000Z          N engine:4001  process.started    sample started as engine, pid 4001, because of user
        2026-11-20 14:02:07.000Z          F engine:4001  message.fault      [xferlog:privacy] This log contains private values and secrets in clear text. Do not share it.
        2026-11-20 14:02:07.100Z          N img          session.created    background session img
        2026-11-20 14:02:07.118Z          N img/7        task.created       download GET https://cdn.example.com/files/o/31337/file.bin
        2026-11-20 14:02:07.121Z     +3ms N img/7        task.held          waits for hostSlots 6/6
        2026-11-20 14:02:07.130Z          N docs/1       task.created       data GET https://docs.example.com/a
        2026-11-20 14:02:09.004Z    +1.8s N img/7        task.resumed       resumed
        2026-11-20 14:02:09.066Z    +62ms N img/7        attempt.started    attempt 1 to cdn.example.com
        2026-11-20 14:02:09.070Z     +4ms N img/7        attempt.responseReceived 200 image/png 33.1 MiB
        2026-11-20 14:02:10.000Z   +930ms N img/7        attempt.bytesReceived    16.2 MiB of 33.1 MiB
        2026-11-20 14:02:10.500Z    +3.3s E docs/1       delivery.dropped         didComplete was dropped: noConsumer
        2026-11-20 14:02:12.470Z    +2.4s N img/7        task.transferred         transferred: 33.1 MiB received, 0 B sent, status 200
        2026-11-20 14:02:12.471Z          N img          wake.delivered           the wake of img reached the app
        2026-11-20 14:04:22.471Z  +2m 11s N docs/1       task.completed           complete: operationTimedOut
        2026-11-20 14:04:22.471Z          N engine:4001  process.exited           exits with 0 (returned)

        """)
  }

  @Test func `A log without a subcommand is shown`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    #expect(try ToolRun.xferlog(log).text == ToolRun.xferlog("show", log).text)
  }

  @Test func `Verbose output shows every field with its name`() throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("show", RecordedLog.sample(in: directory), "-o", "verbose", "--level", "=error")
    #expect(
      run.text.withoutThreads == """
        2026-11-20 14:02:10.500000000Z E docs/1  delivery.dropped  didComplete was dropped: noConsumer
            task                    docs/1 11112222-3333-4444-5555-666677778888
            delivery                77
            callback                didComplete
            why                     noConsumer
            · place                 1/1/12 in 000001.seg
            · writer                engine, sample, pid 4001, thread T, launch 910a2dec-8902-5cc1-beeb-8da1658eec67, boot \
        00000000-0000-0001-0000-000000000002
            · clocks                monotonic 5003500000000 ns, boottime 5004500000000 ns

        """)
  }

  @Test func `NDJSON has one object per line with keys in a fixed order`() throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("show", RecordedLog.sample(in: directory), "-o", "ndjson", "-t", "docs/1")
    #expect(
      run.text.withoutThreads == """
        {"schema":"xferlog.event/1","time":"2026-11-20T14:02:07.130000000Z","mono":"5000130000000","level":"default",\
        "event":"task.created","launch":"910a2dec-8902-5cc1-beeb-8da1658eec67","pid":4001,"role":"engine","thread":0,\
        "source":{"segment":1,"lane":1,"seq":7},"task":{"uid":"11112222-3333-4444-5555-666677778888","session":"docs","number":1},\
        "fields":{"type":"data","method":"GET","scheme":"https","host":"docs.example.com","path":"/a"}}
        {"schema":"xferlog.event/1","time":"2026-11-20T14:02:10.500000000Z","mono":"5003500000000","level":"error",\
        "event":"delivery.dropped","launch":"910a2dec-8902-5cc1-beeb-8da1658eec67","pid":4001,"role":"engine","thread":0,\
        "source":{"segment":1,"lane":1,"seq":12},"task":{"uid":"11112222-3333-4444-5555-666677778888","session":"docs","number":1},\
        "fields":{"delivery":"77","callback":"didComplete","why":"noConsumer"}}
        {"schema":"xferlog.event/1","time":"2026-11-20T14:04:22.471000000Z","mono":"5135471000000","level":"default",\
        "event":"task.completed","launch":"910a2dec-8902-5cc1-beeb-8da1658eec67","pid":4001,"role":"engine","thread":0,\
        "source":{"segment":1,"lane":1,"seq":15},"task":{"uid":"11112222-3333-4444-5555-666677778888","session":"docs","number":1},\
        "fields":{"domain":"curl","error":28,"errorName":"operationTimedOut","message":"timed out"}}

        """)
  }

  @Test func `JSON is one document with the same events`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let lines = try ToolRun.xferlog("show", log, "-o", "ndjson").lines
    let document = try ToolRun.xferlog("show", log, "-o", "json").text
    let events = lines.map { $0.replacing("\"schema\":\"xferlog.event/1\",", with: "") }
    #expect(document == "{\"schema\":\"xferlog.events/1\",\"events\":[\n" + events.joined(separator: ",\n") + "\n]}\n")
  }

  @Test func `A JSON document without events is complete`() throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog("show", RecordedLog.sample(in: directory), "-o", "json", "--session", "none")
    #expect(run.text == "{\"schema\":\"xferlog.events/1\",\"events\":[\n]}\n")
    #expect(run.status == 3)
  }

  @Test func `Private values of a hashed log are shown as hashes`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory, mode: .hashed)
    let text = try ToolRun.xferlog("show", log, "-t", "img/7", "-n", "all").lines[0]
    #expect(text.hasSuffix("download GET https://cdn.example.com<mask.hash: 7a507e94f2f240ab>"))
    let json = try ToolRun.xferlog("show", log, "-t", "img/7", "-o", "ndjson").lines[0]
    #expect(json.contains(#""path":{"hash":"7a507e94f2f240ab"}"#))
    let redacted = try RecordedLog.sample(in: directory, name: "redacted.xlog", mode: .redacted)
    #expect(try ToolRun.xferlog("show", redacted, "-o", "ndjson").text.contains(#""path":{"redacted":true}"#))
  }

  // MARK: Filters

  /// The options, and the names of the events that they select.
  static let filters: [(options: [String], events: [String])] = [
    (["-l", "error"], ["message.fault", "delivery.dropped"]),
    (["-l", "=fault"], ["message.fault"]),
    (["-l", "=info", "--allow-empty"], []),
    (["-t", "1"], ["task.created", "delivery.dropped", "task.completed"]),
    (["-t", "docs/1", "-l", "e"], ["delivery.dropped"]),
    (["-t", "11112222-3333-4444-5555-666677778888", "-n", "1"], ["task.completed"]),
    (["-t", "11112222", "-n", "1"], ["task.completed"]),
    (["-t", "abcdef01-23", "-n", "1"], ["task.transferred"]),
    (["-t", "do*/?", "-n", "2"], ["delivery.dropped", "task.completed"]),
    (["-t", "docs/1", "-t", "img/7", "-n", "2"], ["task.transferred", "task.completed"]),
    (["--session", "img", "-n", "2"], ["task.transferred", "wake.delivered"]),
    (["--session", "d[n-p]cs", "-n", "1"], ["task.completed"]),
    (["--session", "img", "-t", "1", "--allow-empty"], []),
    (["--host", "docs.*"], ["task.created", "delivery.dropped", "task.completed"]),
    (["--host", "docs.*", "--host", "cdn.*", "-n", "2"], ["task.transferred", "task.completed"]),
    (["--since", "2026-11-20T14:02:12.471Z", "-n", "2"], ["process.exited", "log.closed"]),
    (["-S", "2026-11-20 14:02:09", "-U", "2026-11-20T14:02:09.070Z"], ["task.resumed", "attempt.started"]),
    (["-S", "@1795183332.470", "-U", "@1795183332.471"], ["task.transferred"]),
    (["-n", "0"], []),
    (["-n", "1"], ["log.closed"]),
    (["-n", "2", "-r"], ["log.closed", "process.exited"]),
    (["-t", "1", "-r"], ["task.completed", "delivery.dropped", "task.created"]),
    (["--event", "task.created"], ["task.created", "task.created"]),
    (["--event", "created", "-t", "img/7"], ["task.created"]),
    (["--event", "attempt.*"], ["attempt.started", "attempt.responseReceived", "attempt.bytesReceived"]),
    (["--event", "resumed", "--event", "held"], ["task.held", "task.resumed"]),
    (["--grep", "hostslots"], ["task.held"]), (["-g", "hostSlots"], ["task.held"]), (["-g", "HostSlots", "--allow-empty"], []),
    (["-g", "^docs/1 .*(dropped|created)"], ["task.created", "delivery.dropped"]),
    // A value that the message does not have.
    (["-g", "timed out"], ["task.completed"]),
    (["-g", "file\\.bin", "--event", "task.*"], ["task.created"]),
    (["-t", "https://docs.example.com/a"], ["task.created", "delivery.dropped", "task.completed"]),
    (["-t", "file.bin", "-n", "1"], ["task.transferred"]),
  ]

  @Test(arguments: filters)
  func `Filters select the matching events`(_ filter: (options: [String], events: [String])) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog(["show", log, "-o", "ndjson"] + filter.options)
    #expect(run.lines.map(\.eventName) == filter.events)
    #expect(run.status == 0)
  }

  @Test func `A task is selected by its intent, with what was said before the intent had a task`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, AppIntentDeclared(intent: "tile-2"))
    for task in [RecordedLog.task, RecordedLog.other] {
      log.emit(at: 2, TaskCreated(task: task, type: .download, method: "GET", scheme: "https", host: "h", path: "/a"))
    }
    log.emit(at: 3, AppIntentBound(intent: "tile-2", task: RecordedLog.task))
    log.emit(at: 4, TaskResumed(task: RecordedLog.task))
    log.close()
    let expected = ["app.intentDeclared", "task.created", "app.intentBound", "task.resumed"]
    #expect(try ToolRun.xferlog("show", "-t", "tile-2", "-o", "ndjson", log.path).lines.map(\.eventName) == expected)
    #expect(
      try ToolRun.xferlog("tail", "--no-findings", "-t", "tile-?", "-o", "ndjson", log.path).lines.map(\.eventName) == expected)
    let none = try ToolRun.xferlog("show", "-t", "tile-3", log.path)
    #expect(none.status == 3 && none.standardError.contains("events matched --task tile-3"))
  }

  static let misuses: [(options: [String], says: String)] = [
    (["--event", "task.creatd"], "there is no event 'task.creatd'. Did you mean task.created"),
    (["--event", "task"], "'task' is a family of events.\nWrite 'task.*' for all of its events."),
    (["--grep", "("], "'(' is not a regular expression"),
  ]

  @Test(arguments: misuses)
  func `A filter that cannot match is refused`(_ misuse: (options: [String], says: String)) throws {
    let directory = TemporaryDirectory()
    let run = try ToolRun.xferlog(["show", RecordedLog.sample(in: directory)] + misuse.options)
    #expect(run.status == 2 && run.standardError.contains(misuse.says), "\(run.standardError)")
  }

  @Test func `CSV has a row for each event and no formula`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, AppNoted(intent: "x", message: "=1+1"))
    log.emit(at: 2, TaskResumed(task: RecordedLog.task))
    log.close()
    let run = try ToolRun.xferlog("show", "-o", "csv", "--event", "noted", "--event", "task.resumed", log.path)
    #expect(
      run.text == """
        time,mono,level,event,session,number,uid,role,pid,message,place
        2026-11-20T14:02:07.001000000Z,5000001000000,default,app.noted,,,,engine,4001,'=1+1,1/1/4
        2026-11-20T14:02:07.002000000Z,5000002000000,default,task.resumed,img,7,\(RecordedLog.task.uid),engine,4001,resumed,1/1/5

        """)
    let all = try ToolRun.xferlog("show", "-o", "csv", log.path)
    #expect(try all.lines.count == 1 + ToolRun.xferlog("show", "-o", "ndjson", log.path).lines.count)
    let gap = try ToolRun.xferlog("show", "-o", "csv", DamagedLog.flipped(in: directory))
    #expect(gap.text.contains(#",gap,,,,,,"1 record of lane 1 is damaged"#))
  }

  @Test func `A port stands behind its host unless it is the scheme's own`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    for (number, port) in [(UInt32(1), 8099), (2, 443)] {
      let task = TaskIdentity(uid: TaskUID(high: 9, low: UInt64(number)), session: "img", number: number)
      log.emit(
        at: 1,
        TaskCreated(task: task, type: .download, method: "GET", scheme: "https", host: "cdn.example.com", port: port, path: "/a"))
      log.emit(at: 2, AttemptStarted(task: task, attempt: 1, scheme: "https", host: "cdn.example.com", port: port))
    }
    log.close()
    let text = try ToolRun.xferlog("show", log.path).text
    #expect(text.contains("download GET https://cdn.example.com:8099/a\n"), "\(text)")
    #expect(text.contains("attempt 1 to cdn.example.com:8099\n") && text.contains("download GET https://cdn.example.com/a\n"))
    #expect(try ToolRun.xferlog("why", "img/1", log.path).lines[0].hasPrefix("img/1 (download to cdn.example.com:8099)"))
  }

  // MARK: Time columns

  static let times: [(options: [String], first: String, second: String)] = [
    (["--time", "none"], "E docs/1", "N img/7"),
    (["--time", "relative"], "    +0.000 E docs/1", "    +1.970 N img/7"),
    (["--time", "delta"], "    +0.000 E docs/1", "    +1.970 N img/7"),
    (["--utc"], "2026-11-20 14:02:10.500Z", "2026-11-20 14:02:12.470Z"),
    (["--local"], "2026-11-20 15:02:10.500 ", "2026-11-20 15:02:12.470 "),
  ]

  @Test(arguments: times)
  func `Times are shown in the requested style`(_ time: (options: [String], first: String, second: String)) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let options = ["-S", "2026-11-20T14:02:10.5Z", "-U", "2026-11-20T14:02:12.471Z"]
    let run = try ToolRun.xferlog(["show", log] + options + time.options, environment: ["TZ": "Europe/Berlin"])
    #expect(run.lines.count == 2)
    #expect(run.lines[0].hasPrefix(time.first))
    #expect(run.lines[1].hasPrefix(time.second))
  }

  @Test func `Delta times count from the previous event, relative times from the first`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    func last(_ style: String) throws -> String {
      String(try ToolRun.xferlog("show", log, "-t", "1", "--time", style).lines[2].prefix(12))
    }
    #expect(try last("relative") == "  +135.341 N")
    #expect(try last("delta") == "  +131.971 N")
  }

  // MARK: Gaps

  @Test func `A damaged record is shown as a line in its place and as a gap in JSON`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.flipped(in: directory)
    let run = try ToolRun.xferlog("show", log, "-t", "img/7")
    #expect(
      run.lines.contains {
        $0.hasPrefix("── 1 record of lane 1 is damaged: these bytes are not a valid record (000001.seg, record 5, bytes ")
      })
    #expect(run.standardError == "xferlog: incomplete: 1 gap, 1 record missing\n")
    let json = try ToolRun.xferlog("show", log, "-o", "ndjson")
    let gap = try #require(json.lines.first { $0.contains(#""gap":{"#) })
    #expect(
      gap.contains(
        #""gap":{"cause":"damaged","problem":"these bytes are not a valid record","segment":1,"name":"000001.seg","lane":1,"sequences":{"from":5,"to":6},"bytes":{"#
      ))
  }
}

extension String {
  /// Replaces the thread number, which the kernel assigns.
  var withoutThreads: String {
    replacing(/"thread":\d+/, with: "\"thread\":0").replacing(/thread \d+/, with: "thread T")
  }

  var eventName: String { firstMatch(of: /"event":"([^"]+)"/).map { String($0.1) } ?? "" }
}
