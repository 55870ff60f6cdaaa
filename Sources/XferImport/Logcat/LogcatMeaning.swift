import XferEvents

/// What a message of Android's log means for transfers.
enum LogcatMeaning {
  case work(String, Work)
  case download(String, Download)
  case request(method: String, url: String)
  case response(status: Int, url: String?)
  case requestFailed(String, url: String?)
  case processDied(pid: Int?, name: String?, ExitReason, signal: Int?)
  case started(pid: Int?, name: String?)
  case network(isConnected: Bool)
  /// A part of a known protocol without an event of its own.
  case detail

  enum Work {
    case scheduled, waits, constraintsMet, started, succeeded, failed, threw, retried, cancelRequested, stopped, mentioned
  }

  enum Download { case started, finished(status: String), stopped(status: String, message: String?) }

  /// - Returns: `nil` if the message tells nothing about transfers.
  init?(tag: String, _ message: UnsafeRawBufferPointer) {
    // People mark messages as bold when they report them.
    let message = message.hasPrefix("**") ? message.slice(2, message.count) : message
    // Older versions write tags without the prefix.
    let name = tag.hasPrefix("WM-") ? String(tag.dropFirst(3)) : tag
    switch name {
    case "WorkerWrapper", "Processor", "SystemJobScheduler", "SystemAlarmScheduler", "GreedyScheduler", "SystemJobService",
      "CommandHandler", "StopWorkRunnable", "WorkConstraintsTracker", "WorkConstraintsTrack", "ConstraintTrkngWrkr",
      "SystemFgDispatcher", "WorkProgressUpdater":
      guard let meaning = Self.work(message) else { return nil }
      self = meaning
    case "ConstraintTracker", "NetworkStateTracker":
      guard let state = message.first("NetworkState(isConnected=") else { return nil }
      self = .network(isConnected: message.hasLiteral("true", at: state + 25))
    case "DownloadManager", "DownloadThread":
      guard let meaning = Self.download(message) else { return nil }
      self = meaning
    case _ where Self.isOfSystem(name):
      guard let meaning = Self.process(message) else { return nil }
      self = meaning
    default:
      // The tag of OkHttp's interceptor can be chosen, but its messages cannot.
      guard let meaning = Self.http(message) else { return nil }
      self = meaning
    }
  }

  // MARK: WorkManager

  private static func work(_ text: UnsafeRawBufferPointer) -> LogcatMeaning? {
    guard let id = uuid(text) else { return nil }
    func work(_ work: Work) -> LogcatMeaning { .work(id, work) }
    if text.hasPrefix("Worker result SUCCESS") { return work(.succeeded) }
    if text.hasPrefix("Worker result FAILURE") { return work(.failed) }
    if text.first("failed because it threw") != nil { return work(.threw) }
    if text.hasPrefix("Worker result RETRY") { return work(.retried) }
    if text.hasPrefix("Processor cancelling") { return work(.cancelRequested) }
    // Work is also "cancelled" when a constraint is lost, when its time is over, and when the system stops it.
    if text.first("was cancelled") != nil || text.hasPrefix("Work interrupted for") || text.hasPrefix("onStopJob for")
      || text.first("Constraints not met: Cancelling") != nil
    {
      return work(.stopped)
    }
    if text.hasPrefix("Scheduling work ID") { return work(.scheduled) }
    if text.hasPrefix("Starting tracking for") { return work(.waits) }
    if text.hasPrefix("Constraints met: Scheduling") || text.hasPrefix("Constraints met for") { return work(.constraintsMet) }
    if text.hasPrefix("Processor: processing") || text.hasPrefix("onStartJob for") { return work(.started) }
    return work(.mentioned)
  }

  private static func uuid(_ text: UnsafeRawBufferPointer) -> String? {
    var scanner = ByteScanner(text)
    while scanner.place + 36 <= text.count {
      let start = scanner.place
      if text[start].hexadecimalValue != nil, scanner.takeUUID() != nil { return text.slice(start, start + 36).text.lowercased() }
      scanner.move(to: start + 1)
    }
    return nil
  }

  // MARK: DownloadManager

  private static func download(_ text: UnsafeRawBufferPointer) -> LogcatMeaning? {
    var scanner = ByteScanner(text)
    // Android 4: Aborting request for download 430: no network connection available
    if scanner.take("Aborting request for download "), let id = scanner.takeInteger(), scanner.take(": ") {
      return .download("\(id)", .stopped(status: "aborted", message: scanner.rest.text))
    }
    guard scanner.take("["), let id = scanner.takeInteger(), scanner.take("] ") else { return nil }
    if scanner.take("Starting") { return .download("\(id)", .started) }
    if scanner.take("Failed: ") { return .download("\(id)", .stopped(status: "failed", message: scanner.rest.text)) }
    if scanner.take("Finished with status ") {
      return .download("\(id)", .finished(status: scanner.takeWord()?.text ?? "UNKNOWN"))
    }
    if scanner.take("Stop requested with status ") {
      let status = scanner.take(until: 0x3A)?.text ?? scanner.rest.text
      let rest = scanner.rest.trimmed
      return .download("\(id)", .stopped(status: status, message: rest.isEmpty || rest.equals("null") ? nil : rest.text))
    }
    return .detail
  }

  // MARK: OkHttp

  private static func http(_ text: UnsafeRawBufferPointer) -> LogcatMeaning? {
    var scanner = ByteScanner(text)
    if scanner.take("--> ") {
      if scanner.take("END ") { return .detail }
      guard let method = scanner.takeWord(), method.allSatisfy({ $0 >= 0x41 && $0 <= 0x5A }), scanner.takeSpaces() > 0,
        let url = scanner.takeWord(), url.first("://") != nil
      else { return nil }
      return .request(method: method.text, url: url.text)
    }
    guard scanner.take("<-- ") else { return nil }
    if scanner.take("END HTTP") { return .detail }
    if scanner.take("HTTP FAILED: ") {
      let rest = scanner.rest
      return .requestFailed(rest.text, url: url(rest))
    }
    guard let status = scanner.takeNumber(digits: 3...3) else { return nil }
    return .response(status: status, url: url(scanner.rest))
  }

  private static func url(_ text: UnsafeRawBufferPointer) -> String? {
    for word in text.split(separator: 0x20) {
      let word = UnsafeRawBufferPointer(rebasing: word)
      if word.hasPrefix("http://") || word.hasPrefix("https://") { return word.text }
    }
    return nil
  }

  // MARK: Exceptions

  /// Returns the class of the exception that a message begins with, without its package; `nil` for another message. For example,
  /// `java.net.SocketTimeoutException: timeout` has the class `SocketTimeoutException`.
  static func exception(_ text: UnsafeRawBufferPointer) -> String? {
    let text = text.trimmed
    let name = text[..<(text.firstIndex { $0 == 0x3A || $0 == 0x20 } ?? text.count)]
    guard name.count <= 200, let dot = name.lastIndex(of: 0x2E), dot > 0,
      name.allSatisfy({ $0 == 0x2E || $0 == 0x24 || $0 == 0x5F || $0.isDigit || (0x61...0x7A).contains($0 | 0x20) })
    else { return nil }
    let short = String(decoding: name[(dot + 1)...], as: UTF8.self)
    let isClass = short.first.map { $0.isUppercase } ?? false
    return isClass && (short.hasSuffix("Exception") || short.hasSuffix("Error")) ? short : nil
  }

  // MARK: Processes

  /// Whether Android itself writes lines with this tag, for example that it has killed a process.
  static func isOfSystem(_ tag: String) -> Bool {
    ["ActivityManager", "lowmemorykiller", "lmkd", "AndroidRuntime", "libprocessgroup"].contains(tag)
  }

  private static func process(_ text: UnsafeRawBufferPointer) -> LogcatMeaning? {
    var scanner = ByteScanner(text)
    if scanner.take("Process ") {
      // Process com.example.app (pid 1234) has died: fg TOP
      let name = scanner.takeWord()?.text
      scanner.takeSpaces()
      guard scanner.take("(pid "), let pid = scanner.takeNumber(digits: 1...7), text.first("has died") != nil else {
        return Self.crash(text)
      }
      return .processDied(pid: pid, name: name, .unknown, signal: nil)
    }
    if scanner.take("Process: ") { return crash(text) }
    // Kill 'com.example.app' (1234), uid 10446; before Android 10: Killing 'com.example.app' (1234), uid 10446, adj 906
    if scanner.take("Kill '") || scanner.take("Killing '"), let name = scanner.take(until: 0x27) {
      scanner.takeSpaces()
      return .processDied(
        pid: scanner.take("(") ? scanner.takeNumber(digits: 1...7) : nil, name: name.text, .memoryPressure, signal: 9)
    }
    if scanner.take("Killing "), let pid = scanner.takeNumber(digits: 1...7), scanner.take(":"),
      let name = scanner.take(until: 0x2F)
    {
      // Killing 1234:com.example.app/u0a123 (adj 900): empty #17
      return .processDied(pid: pid, name: name.text, .signal, signal: 9)
    }
    if scanner.take("Start proc "), let pid = scanner.takeNumber(digits: 1...7), scanner.take(":"),
      let name = scanner.take(until: 0x2F)
    {
      return .started(pid: pid, name: name.text)
    }
    return nil
  }

  private static func crash(_ text: UnsafeRawBufferPointer) -> LogcatMeaning? {
    // Process: com.example.app, PID: 1234
    var scanner = ByteScanner(text)
    guard scanner.take("Process: "), let name = scanner.take(until: 0x2C), scanner.take(" PID: "),
      let pid = scanner.takeNumber(digits: 1...7)
    else { return nil }
    return .processDied(pid: pid, name: name.text, .crashed, signal: nil)
  }
}
