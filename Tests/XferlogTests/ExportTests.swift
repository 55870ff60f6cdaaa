import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog export`: what all formats have in common.
@Suite struct ExportTests {
  private let directory = TemporaryDirectory()

  /// The formats that go to standard output.
  static let formats = [
    "ndjson", "apple-ndjson", "csv", "otlp-logs", "otlp-spans", "har", "chrome", "perfetto", "qlog", "xes", "lnav",
  ]

  @Test func `JSON lines and CSV are those of show`() throws {
    let log = try ExportSample.write(in: directory)
    for format in ["ndjson", "csv"] {
      let export = try ToolRun.xferlog("export", "--format", format, log)
      #expect(export.status == 0)
      #expect(export.standardOutput == (try ToolRun.xferlog("show", "--all", "-o", format, log).standardOutput))
    }
  }

  @Test func `No cell of CSV is a formula`() throws {
    let log = try RecordedLog(in: directory)
    log.emit(at: 0, MessageDefault(subsystem: "=cmd", category: "c", eventMessage: "m", task: nil))
    log.emit(at: 1, TaskResumed(task: TaskIdentity(uid: TaskUID(high: 1, low: 1), session: "=HYPERLINK(1)", number: 1)))
    log.close()
    let run = try ToolRun.xferlog("export", "--format", "csv", log.path)
    #expect(run.text.contains("'=HYPERLINK(1)"))
    #expect(!run.text.contains(",=") && !run.text.contains("\n="))
  }

  @Test(arguments: formats)
  func `A file has what standard output gets`(format: String) throws {
    let log = try ExportSample.write(in: directory)
    let path = directory.path("out")
    let run = try ToolRun.xferlog("export", "--format", format, "-o", path, log)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.standardOutput == [])
    let piped = try ToolRun.xferlog("export", "--format", format, log)
    #expect(piped.status == 0)
    #expect(FileManager.default.contents(atPath: path).map(Array.init) == piped.standardOutput)
    #expect(piped.standardOutput.count > 100)
  }

  @Test(arguments: formats + ["sqlite", "lnav-format"])
  func `A file is not overwritten unless asked, and no draft is left behind`(format: String) throws {
    let log = try ExportSample.write(in: directory)
    let place = TemporaryDirectory()
    let path = try place.write(Array("mine".utf8), to: "out")
    let refused = try ToolRun.xferlog("export", "--format", format, "-o", path, log)
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("already exists; not overwritten"))
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    #expect(try ToolRun.xferlog("export", "--format", format, "-o", path, "--overwrite", log).status == 0)
    #expect(FileManager.default.contents(atPath: path) != Data("mine".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["out"])
  }

  @Test func `An export that fails creates no file`() throws {
    let log = try ExportSample.write(in: directory)
    let place = TemporaryDirectory()
    let run = try ToolRun.xferlog("export", "--format", "har", "-o", place.path("x.har"), "--host", "nowhere", log)
    #expect(run.status == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
    let nowhere = try ToolRun.xferlog("export", "--format", "har", "-o", place.path("missing/x.har"), log)
    #expect(nowhere.status == 2)
    #expect(nowhere.standardError.contains("cannot be created"))
  }

  @Test(arguments: formats)
  func `A reader that closes the pipe is a normal end`(format: String) throws {
    let log = try RecordedLog(in: directory)
    for number in 0..<2000 {
      let task = TaskIdentity(uid: TaskUID(high: 7, low: UInt64(number)), session: "s", number: UInt32(number))
      log.emit(at: Int64(number), TaskCreated(task: task, type: .data, method: "GET", scheme: "http", host: "a.example.com"))
      log.emit(at: Int64(number), AttemptStarted(task: task, attempt: 1, scheme: "http", host: "a.example.com"))
      log.emit(
        at: Int64(number),
        AttemptConnectionAcquired(task: task, attempt: 1, transaction: 1, connection: CorrelationID(UInt64(number))))
      log.emit(at: Int64(number), AttemptEnded(task: task, attempt: 1, end: .finished, received: 1))
      log.emit(at: Int64(number), TaskCompleted(task: task, received: 1))
    }
    log.close()
    let run = try ToolRun.bash("set -o pipefail; $xferlog export --format \(format) \(log.path) | head -c 100")
    #expect(run.status == 0)
    #expect(run.standardError == "")
    #expect(run.standardOutput.count == 100)
  }

  // MARK: Filters

  @Test func `A condition selects events, and the attempts of selected events`() throws {
    let log = try ExportSample.write(in: directory)
    let rows = try ToolRun.xferlog("export", "--format", "csv", "-p", "status>=400", log).lines.dropFirst()
    #expect(rows.count == 2)
    let har = try ExportTools.read("har", "har", of: log, "-p", "status>=400", in: directory)
    #expect((har["entries"] as? [[String: Any]])?.map { $0["status"] as? Int } == [404])
    // A condition on the task selects all its attempts.
    let photo = try ExportTools.read("har", "har", of: log, "-p", "type=download", in: directory)
    #expect((photo["entries"] as? [[String: Any]])?.map { $0["status"] as? Int } == [0, 302, 200])
    let one = try ExportTools.read("har", "har", of: log, "-t", "docs/2", in: directory)
    #expect((one["entries"] as? [[String: Any]])?.map { $0["method"] as? String } == ["PUT"])
    let retried = try ExportTools.read("otlp", "otlp-spans", of: log, "-p", "attempt=2", in: directory)
    #expect((retried["records"] as? [Any])?.count == 1)
  }

  @Test func `Formats say what they cannot contain`() throws {
    let log = try ExportSample.write(in: directory)
    #expect(try ToolRun.xferlog("export", "--format", "xes", log).standardError.contains("of no task were left out"))
    let qlog = try ToolRun.xferlog("export", "--format", "qlog", log)
    #expect(qlog.standardError.contains("1 request was left out, because a trace of qlog is a connection"))
    let empty = try ToolRun.xferlog("export", "--format", "har", "-p", "level=error subsystem=com.example", log)
    #expect(empty.status == 3)
    #expect(empty.standardError.contains("have no entry for this format"))
    // The schema of qlog allows no empty list of traces.
    let other = try RecordedLog.sample(in: directory, name: "other.xlog")
    let none = try ToolRun.xferlog("export", "--format", "qlog", "-t", "docs/*", "--allow-empty", other)
    let document = try #require(JSONSerialization.jsonObject(with: Data(none.standardOutput)) as? [String: Any])
    #expect(none.status == 0 && document["traces"] == nil && document["file_schema"] != nil, "\(none.text)")
    // The comment of an archive names what the log lacks.
    let gap = try DamagedLog.flipped(in: directory)
    #expect(try ToolRun.xferlog("export", "--format", "har", "--allow-empty", gap).text.contains("The log has 1 gap."))
  }

  @Test func `Times keep their nanoseconds, and resources their launch`() throws {
    let log = ToolRun.checkout + "/Samples/killed-before-delivery/log.xlog"
    let chrome =
      try JSONSerialization.jsonObject(
        with: Data(ToolRun.xferlog("export", "--format", "chrome", log).standardOutput)) as? [String: Any]
    let times = (chrome?["traceEvents"] as? [[String: Any]] ?? []).compactMap { $0["ts"] as? Double }
    #expect(times.count { $0 != $0.rounded() } > times.count / 2)
    let ids = try ToolRun.bash(
      "$xferlog export --format otlp-logs \(log) | jq -r '.resourceLogs[].resource.attributes[] | "
        + "select(.key == \"service.instance.id\") | .value.stringValue' | sort -u"
    ).lines
    #expect(try ids == ToolRun.bash("$xferlog show --all -o ndjson \(log) | jq -r .launch | sort -u").lines && ids.count == 2)
  }

  // MARK: Privacy

  @Test(arguments: formats, [CaptureMode.hashed, .redacted])
  func `Masked values stay masked`(format: String, mode: CaptureMode) throws {
    let log = try ExportSample.write(in: directory, mode: mode)
    let run = try ToolRun.xferlog("export", "--format", format, log)
    #expect(run.status == 0)
    #expect(!run.text.contains("canary") && !run.text.contains("size=2"))
    #expect(run.text.contains("img.example.com"))
    if ["har", "otlp-spans"].contains(format) {
      #expect(run.text.contains(mode == .hashed ? "https://img.example.com:8443/REDACTED-" : "8443/REDACTED"))
    }
  }

  // MARK: Usage

  @Test func `Wrong usage is explained`() throws {
    let log = try ExportSample.write(in: directory)
    for (arguments, text) in [
      ([], "the format is missing"), (["--format", "sqlite"], "a database needs a file"),
      (["--otlp-endpoint", "localhost"], "is not the URL of a collector"),
      (["--otlp-endpoint", "http://127.0.0.1:1", "--format", "har"], "a collector takes otlp-logs and otlp-spans"),
      (["--otlp-endpoint", "http://127.0.0.1:1", "-o", "x"], "leave out --output"),
      (["--format", "har", "-o", directory.path], "is a directory"),
    ] as [([String], String)] {
      let run = try ToolRun.xferlog(["export"] + arguments + [log])
      #expect(run.status == 2)
      #expect(run.standardError.contains(text), "\(run.standardError)")
    }
  }

  @Test func `Memory does not grow with the length of a log`() throws {
    func peak(tasks: Int, _ format: String) throws -> Int {
      let log = try RecordedLog(in: directory, name: "\(tasks)-\(format).xlog")
      for number in 0..<tasks {
        let task = TaskIdentity(uid: TaskUID(high: 7, low: UInt64(number)), session: "s", number: UInt32(number))
        let time = Int64(number)
        log.emit(at: time, TaskCreated(task: task, type: .data, method: "GET", scheme: "http", host: "a.example.com", path: "/a"))
        log.emit(at: time, AttemptStarted(task: task, attempt: 1, scheme: "http", host: "a.example.com"))
        for received in 1..<8 { log.emit(at: time, AttemptBytesReceived(task: task, attempt: 1, received: Int64(received))) }
        log.emit(at: time, AttemptEnded(task: task, attempt: 1, end: .finished, received: 8))
        log.emit(at: time, TaskCompleted(task: task, received: 8))
      }
      log.close()
      let measure = """
        import resource, subprocess, sys
        subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """
      let run = try ToolRun(ExportTools.python, ["-c", measure, ToolRun.tool, "export", "--format", format, log.path])
      return try #require(Int(run.text.filter(\.isNumber)), "\(run.standardError)")
    }
    for format in ["har", "otlp-logs", "perfetto", "xes"] {
      let (small, large) = try (peak(tasks: 1000, format), peak(tasks: 10_000, format))
      // In KiB. The files of the large log, some 8 MB, are mapped and count, too; its exports have up to 50 MB.
      #expect(large - small < 16_000, "\(format): \(small) and \(large) KiB")
    }
  }
}
