import Foundation
import LogTestSupport
import XferEvents

/// A record of Apple's log, to be written in any form.
struct WrittenRecord {
  enum Process: CaseIterable {
    case app, daemon, runningBoard

    var name: String {
      switch self {
      case .app: "My App"
      case .daemon: "nsurlsessiond"
      case .runningBoard: "runningboardd"
      }
    }

    var pid: Int {
      switch self {
      case .app: 4021
      case .daemon: 118
      case .runningBoard: 33
      }
    }

    var library: String { self == .runningBoard ? "RunningBoard" : "CFNetwork" }

    var origin: (subsystem: String, category: String) {
      switch self {
      case .app: ("com.apple.CFNetwork", "Default")
      case .daemon: ("com.apple.nsurlsessiond", "background")
      case .runningBoard: ("com.apple.runningboard", "assertion")
      }
    }
  }

  /// Milliseconds since 2026-03-01 10:00:00.
  var time: Int
  var process: Process
  var text: String
  var isError = false
}

/// A form in which people have Apple's log, with what it cannot carry. The article AppleLogs has the same list.
enum WrittenForm: String, CaseIterable, Sendable {
  case ndjson, json, iterator, standard, standardWithoutTTL, compact, syslog, console, consoleWithLibrary, consoleWithSpaces,
    xcode
  case xcodeWithoutZone, xcodeMetadata, xcodeAllMetadata, deviceSyslog, idevicesyslog, pymobiledevice3, bare, quoted

  /// What a form cannot carry.
  enum Lack: String, CaseIterable { case year, date, zone, time, fraction, process, pid, level }

  var lacks: Set<Lack> {
    switch self {
    case .ndjson, .json, .iterator, .standard, .standardWithoutTTL, .quoted: []
    case .syslog: [.level]
    case .compact: [.zone]
    case .console, .consoleWithLibrary, .consoleWithSpaces: [.date, .pid]
    case .xcode: [.level]
    case .xcodeWithoutZone: [.level, .zone]
    case .xcodeMetadata: [.level, .process, .pid]
    case .xcodeAllMetadata: [.pid]
    case .deviceSyslog, .idevicesyslog: [.year, .zone, .fraction]
    case .pymobiledevice3: [.zone]
    case .bare: [.date, .zone, .time, .process, .pid, .level]
    }
  }

  func text(_ records: [WrittenRecord]) -> String {
    switch self {
    case .json: return "[" + records.map(pretty).joined(separator: ",") + "]\n"
    case .ndjson: return banner + records.map { line($0) + "\n" }.joined() + "{\"count\":\(records.count),\"finished\":1}\n"
    case .standard:
      return banner + "Timestamp                       Thread     Type        Activity             PID    TTL  \n"
        + records.map { line($0) + "\n" }.joined()
    case .compact: return "Timestamp               Ty Process[PID:TID]\n" + records.map { line($0) + "\n" }.joined()
    case .syslog: return "Timestamp                       (process)[PID]    \n" + records.map { line($0) + "\n" }.joined()
    case .idevicesyslog: return "[connected:0123]\n" + records.map { line($0) + "\n" }.joined() + "[disconnected:0123]\n"
    case .quoted:
      let lines = records.map { Self.standard.line($0) }.joined(separator: "\n").split(
        separator: "\n", omittingEmptySubsequences: false)
      return "It fails like this:\n\n> ```\n" + lines.map { "> \($0)\n" }.joined() + "> ```\n\nAny ideas?\n"
    default: return records.map { line($0) + "\n" }.joined()
    }
  }

  private var banner: String { "Filtering the log data using \"process == \"My App\"\"\n" }

  private func json(_ record: WrittenRecord) -> [(key: String, value: String)] {
    func quoted(_ text: String) -> String {
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n").replacing(
        "/", with: "\\/")
      return "\"\(escaped)\""
    }
    let (subsystem, category) = record.process.origin
    if self == .iterator {
      return [
        ("subsystem", quoted(subsystem)), ("thread_id", "7"), ("pid", "\(record.process.pid)"),
        ("library", quoted("/S/\(record.process.library)")), ("process", quoted("/a/\(record.process.name)")),
        ("message", quoted(record.text)), ("event_type", "\"Log\""), ("log_type", record.isError ? "\"Error\"" : "\"Default\""),
        ("category", quoted(category)), ("timestamp", quoted(stamp(record, "+0100"))),
      ]
    }
    return [
      ("traceID", "17"), ("eventMessage", quoted(record.text)), ("eventType", "\"logEvent\""), ("source", "null"),
      ("backtrace", "{\"frames\":[{\"imageOffset\":1,\"imageUUID\":\"x\"}]}"), ("subsystem", quoted(subsystem)),
      ("category", quoted(category)), ("threadID", "7"), ("processImagePath", quoted("/a/\(record.process.name)")),
      ("timestamp", quoted(stamp(record, "+0100"))), ("senderImagePath", quoted("/S/\(record.process.library)")),
      ("messageType", record.isError ? "\"Error\"" : "\"Default\""), ("processID", "\(record.process.pid)"),
    ]
  }

  private func pretty(_ record: WrittenRecord) -> String {
    "{\n" + json(record).map { "  \"\($0.key)\" : \($0.value)" }.joined(separator: ",\n") + "\n}"
  }

  private func stamp(_ record: WrittenRecord, _ zone: String, digits: Int = 6) -> String {
    let (seconds, milliseconds) = record.time.quotientAndRemainder(dividingBy: 1000)
    let fraction = String(format: "%03d", milliseconds) + String(repeating: "0", count: digits - 3)
    return String(format: "2026-03-01 %02d:%02d:%02d.", 10 + seconds / 3600, seconds / 60 % 60, seconds % 60) + fraction + zone
  }

  private func clock(_ record: WrittenRecord) -> Substring { stamp(record, "").dropFirst(11) }

  func line(_ record: WrittenRecord) -> String {
    let (process, text) = (record.process, record.text)
    let (name, pid, library) = (process.name, process.pid, process.library)
    let origin = "[\(process.origin.subsystem):\(process.origin.category)]"
    let type = record.isError ? "Error" : "Default"
    switch self {
    case .ndjson, .iterator: return "{" + json(record).map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    case .json: return pretty(record)
    case .standard, .quoted:
      let padded = type.padding(toLength: 11, withPad: " ", startingAt: 0)
      return
        "\(stamp(record, "+0100")) 0x7        \(padded) 0x0                  \(pid)    0    \(name): (\(library)) \(origin) \(text)"
    case .standardWithoutTTL:
      return "\(stamp(record, "+0100")) 0x7        \(type)     0x0                  \(pid)    \(name): (\(library)) \(text)"
    case .compact:
      return "\(stamp(record, "", digits: 3)) \(record.isError ? "E " : "Df") \(name)[\(pid):7] (\(library)) \(origin) \(text)"
    case .syslog: return "\(stamp(record, "+0100"))  localhost \(name)[\(pid)]: (\(library)) \(origin) \(text)"
    case .console: return "\(type.lowercased())\t\(clock(record))+0100\t\(name)\t\(text)"
    case .consoleWithLibrary: return "\(type.lowercased())\t\(clock(record)) +0100\t\(name)\t\(library)\t\(text)"
    case .consoleWithSpaces:
      return "\(type.lowercased())    \(clock(record)) +0100    \(name.replacing(" ", with: "-"))    \(text)"
    case .xcode: return "\(stamp(record, "+0100")) \(name)[\(pid):7] [\(process.origin.category)] \(text)"
    case .xcodeWithoutZone: return "\(stamp(record, "", digits: 3)) \(name)[\(pid):7] \(text)"
    case .xcodeMetadata:
      return
        "\(text)\nTimestamp: \(stamp(record, "+01:00")) | Library: \(library) | Subsystem: \(process.origin.subsystem) | TID: 0x7"
    case .xcodeAllMetadata:
      return
        "\(text)\nType: \(type) | Timestamp: \(stamp(record, "+01:00")) | Process: \(name) | Library: \(library) | "
        + "Subsystem: \(process.origin.subsystem) | Category: \(process.origin.category) | TID: 0x7"
    case .deviceSyslog:
      return
        "Mar  1 \(clock(record).prefix(8)) TestPhone \(name)[\(pid)] <\(record.isError ? "Error" : "Notice")>: \(Self.visual(text))"
    case .idevicesyslog:
      return
        "Mar  1 \(clock(record).prefix(8)) iPhone \(name)(\(library))[\(pid)] <\(record.isError ? "Error" : "Notice")>: \(Self.visual(text))"
    case .pymobiledevice3:
      return "\(stamp(record, "")) \(name){\(library)}[\(pid)] <\(record.isError ? "ERROR" : "NOTICE")>: \(text)"
    case .bare: return text
    }
  }

  /// The escapes of vis(3).
  private static func visual(_ text: String) -> String {
    text.utf8.map { byte in
      if byte < 0x80 { return byte == 0x5C ? "\\\\" : String(UnicodeScalar(byte)) }
      let low = byte & 0x7F
      return low < 0x20 ? "\\M^\(UnicodeScalar(low ^ 0x40))" : low == 0x7F ? "\\M^?" : "\\M-\(UnicodeScalar(low))"
    }.joined()
  }
}

/// The lines of one or two tasks, from a seed.
struct WrittenLifecycle {
  private(set) var records: [WrittenRecord] = []
  private var random: SeededRandom
  private var now = 0

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    switch Int(seed % 14) {
    case 0: foreground([200, 206].randomElement(using: &random)!)
    case 1: foreground([404, 500].randomElement(using: &random)!)
    case 2: fail("-1001", "The request timed out.")
    case 3: fail("-1005", "The network connection was lost.")
    case 4:
      fail(
        "-1009", "The Internet connection appears to be offline.", "_NSURLErrorNWPathKey=unsatisfied (Local network prohibited), "
      )
    case 5: fail("-997", "Lost connection to background transfer service", "b=(\n    \"x’s\"\n), ")
    case 6: fail("-999", "(null)", "NSURLErrorBackgroundTaskCancelledReasonKey=\(Int.random(in: 0...2, using: &random)), ")
    case 7: background(isUpload: false)
    case 8: background(isUpload: true)
    case 9: background(isUpload: true, retries: true)
    case 10: background(isUpload: false, waits: true)
    case 11:
      foreground(200)
      add(
        .app,
        "Warning: Application delegate received call to -application:handleEventsForBackgroundURLSession:completionHandler: but the completion handler was never called."
      )
    case 12:
      let session = uuid()
      add(.app, "BackgroundSession <\(session)> connection to background transfer daemon interrupted")
      add(
        .app,
        "BackgroundSession <\(session)> an error occurred on the xpc connection to setup: Error Domain=NSCocoaErrorDomain Code=4097 \"x\"",
        isError: true)
    default:
      foreground(200)
      add(.runningBoard, "Assertion did invalidate due to timeout: 170-129-2658 (target:[anon<My App>(501):4021])")
      fail("-1004", "Could not connect to the server.")
    }
  }

  private mutating func uuid() -> String { "\(TaskUID(using: &random))".uppercased() }

  private mutating func add(_ process: WrittenRecord.Process, _ text: String, isError: Bool = false) {
    now += Int.random(in: 1...4000, using: &random)
    records.append(WrittenRecord(time: now, process: process, text: text, isError: isError))
  }

  private mutating func task() -> String { "Task <\(uuid())>.<\(Int.random(in: 1...900, using: &random))>" }

  private mutating func start(_ task: String) {
    add(.app, "\(task) resuming, timeouts(60.0, 604800.0) QOS(0x19) Voucher (null)")
    add(.app, "\(task) now using Connection \(Int.random(in: 1...99, using: &random))")
    add(.app, "\(task) sent request, body N 0")
  }

  private mutating func foreground(_ status: Int) {
    let task = task()
    start(task)
    add(.app, "\(task) received response, status \(status) content K")
    add(.app, "\(task) response ended")
    add(.app, "\(task) finished successfully")
  }

  private mutating func fail(_ code: String, _ description: String, _ info: String = "") {
    let task = task()
    start(task)
    add(
      .app,
      "\(task) finished with error [\(code)] Error Domain=NSURLErrorDomain Code=\(code) \"\(description)\" UserInfo={\(info)NSErrorFailingURLStringKey=https://example.com/a, NSLocalizedDescription=\(description)}",
      isError: true)
  }

  private mutating func background(isUpload: Bool, retries: Bool = false, waits: Bool = false) {
    let (task, session, identifier) = (task(), uuid(), "com.example.transfer")
    add(.app, "BackgroundSession <\(session)> background session setup complete")
    add(
      .daemon,
      isUpload ? "\(task) uploadTaskWithRequest: <private> fromFile: <private>" : "\(task) downloadTaskWithRequest: <private>")
    add(.daemon, "\(task) is for <com.example.app>.<\(identifier)>.<3>")
    add(.app, "\(task) resuming, QOS(0x9)")
    if waits {
      add(.daemon, "\(task) for client <private> is waiting for connection - reason: 1")
      add(.daemon, "\(task) for client <private> conditions changed - satisfied: 1")
    }
    add(.daemon, "\(task) will begin")
    if retries {
      add(.daemon, "\(task) for client <private> will be retried after error Error Domain=NSURLErrorDomain Code=-1005")
      add(.daemon, "\(task) will begin")
    }
    add(.daemon, "\(task) now using Connection 9")
    add(.daemon, "\(task) sent request, body N 0")
    add(.daemon, "\(task) received response, status 201 content K")
    add(
      .daemon,
      "\(task) summary for task success {transaction_duration_ms=59, response_status=201, connection=9, protocol=\"h2\", domain_lookup_duration_ms=3, connect_duration_ms=8, reused=0}"
    )
    add(
      .daemon,
      "\(task) logTaskError isDownload = \(isUpload ? "N" : "Y") bytesReceived = 4096 bytesSent = 1186948 isRecoverable = N")
    add(.daemon, "\(task) completed with error (null) [0]")
    add(.app, "\(task) finished successfully")
    add(.daemon, "\(task) client acknowledged completion")
  }
}
