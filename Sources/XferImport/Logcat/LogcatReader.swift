import XferEvents

/// Reads Android's log line by line.
final class LogcatReader: ForeignReader {
  private(set) var writers: [WriterContext] = []
  private let input: ImportedInput
  private let source: LineSource
  private var places: LinePlaces
  private var clock: AppleClock
  private var writerOf: [Int: Int] = [:]
  private var tracker: ForeignTracker?
  /// The header of a message in the form `long`, until its first line.
  private var header: (line: LogcatLine, tag: String)?
  /// The requests of OkHttp that have no response yet, by process and thread, oldest first.
  private var requests: [Key: [Request]] = [:]
  private var requestCount = 0
  /// The work whose cancellation was requested, and the work that waits for a network.
  private var (cancelled, waiting): (Set<String>, Set<String>) = ([], [])
  private var isConnected: Bool?
  /// The class of the last exception that each process logged since a worker started or failed there.
  private var exceptions: [Int?: String] = [:]

  private struct Key: Hashable {
    let pid: Int?
    let thread: UInt32?
  }

  private struct Request {
    let key: String
    let url: String
  }

  private static let mostWriters = 1000

  static let coverage = ImportCoverage(
    log: "an excerpt of Android's log",
    kinds: ForeignTracker.kinds.union([.processStarted, .processExitObserved, .networkPathChanged]))

  init?(_ input: ImportedInput) {
    guard let source = LineSource(path: input.path), let preview = LineSource(path: input.path) else { return nil }
    (self.input, self.source) = (input, source)
    places = LinePlaces(path: input.path)
    clock = AppleClock(input.options)
    number(preview)
    if writers.isEmpty { writers.append(writer(nil)) }
  }

  /// Numbers the processes that wrote recognised lines.
  private func number(_ preview: LineSource) {
    var pending: LogcatLine?
    // The lines of the system tell the names of the processes that it ended.
    var names: [Int: String] = [:]
    while let text = preview.next() {
      let bytes = text.bytes
      let read = LogcatLine.pasted(bytes)
      let line = read ?? pending
      guard let line, writers.count < Self.mostWriters else { continue }
      pending = line.isHeader && read != nil ? line : nil
      if line.isHeader, pending != nil { continue }
      let message = line.isHeader ? bytes : line.message
      let isNew = line.pid.map { writerOf[$0] == nil } ?? false
      guard isNew || LogcatMeaning.isOfSystem(line.tag), let meaning = LogcatMeaning(tag: line.tag, message) else { continue }
      if names.count < Self.mostWriters, case .processDied(let pid?, let name?, _, _) = meaning { names[pid] = name }
      guard isNew, let pid = line.pid else { continue }
      writerOf[pid] = writers.count
      writers.append(writer(pid, name: line.application))
    }
    for (pid, place) in writerOf where writers[place].executable == Self.unnamed {
      writers[place].executable = names[pid] ?? Self.unnamed
    }
  }

  private static let unnamed = "an Android process"

  private func writer(_ pid: Int?, name: String? = nil) -> WriterContext {
    // Rotated files of one device have a clock in common.
    .foreign(
      name ?? Self.unnamed, pid: pid, seed: pid.map { ["logcat", "\($0)"] } ?? [],
      boot: BootID(high: 0x6c6f_6763_6174, low: 1), installation: "android", coverage: Self.coverage)
  }

  func original(_ position: UInt64) -> String? { places.text(ofLine: position) }

  func read(into output: ForeignOutput) -> Bool {
    let tracker = tracker ?? ForeignTracker(output, seed: "logcat")
    self.tracker = tracker
    guard let text = source.next() else {
      output.noteEnd(of: source)
      output.because("\(output.name) is an excerpt without a known beginning or end")
      return false
    }
    places.note(text)
    output.lines = source.lineCount
    guard let line = LogcatLine.pasted(text.bytes) else {
      if let (line, tag) = header, !text.bytes.isEmpty {
        header = nil
        take(line, tag: tag, text.bytes, text.number, tracker, output)
      }
      return true
    }
    output.records += 1
    if line.isHeader {
      header = (line, line.tag)
    } else {
      header = nil
      take(line, tag: line.tag, line.message, text.number, tracker, output)
    }
    return true
  }

  private func take(
    _ line: LogcatLine, tag: String, _ message: UnsafeRawBufferPointer, _ number: UInt64, _ tracker: ForeignTracker,
    _ output: ForeignOutput
  ) {
    let moment = clock.moment(line.time).0
    if let exception = LogcatMeaning.exception(message), exceptions.count < Self.mostWriters { exceptions[line.pid] = exception }
    guard let meaning = LogcatMeaning(tag: tag, message) else { return }
    output.recognised += 1
    tracker.moment = moment
    tracker.position = number
    tracker.writer = line.pid.flatMap { writerOf[$0] } ?? 0
    tracker.thread = line.thread
    switch meaning {
    case .work(let id, let work): tell(work, id, of: line.pid, tracker)
    case .download(let id, let download): tell(download, id, tracker)
    case .request(let method, let url): begin(method, url, line, tracker)
    case .response(let status, let url):
      guard let key = request(url, line, tracker) else { return }
      tracker.respond(key, status: status)
      tracker.complete(key, nil, status: status)
    case .requestFailed(let text, let url):
      // If several requests of the process are open, the log may not tell which of them has failed.
      let isOpen = requests[Key(pid: line.pid, thread: line.thread)]?.isEmpty == false
      guard let key = request(url, line, tracker) ?? (isOpen ? nil : unnamed(url, tracker)) else { return }
      let name = text.prefix { $0 != ":" && $0 != " " }
      tracker.complete(key, ForeignFailure(exception: String(name), message: text))
    case .processDied(let pid, let name, let reason, let signal):
      output.emit(
        ProcessExitObserved(launch: launch(pid), pid: pid, signal: signal, exitReason: reason, executable: name), at: moment,
        position: number, writer: tracker.writer)
    case .started(let pid, let name):
      guard let launch = launch(pid) else { return }
      output.emit(
        ProcessStarted(launch: launch, pid: pid, executable: name), at: moment, position: number, writer: tracker.writer)
    case .network(let isConnected):
      if self.isConnected != isConnected {
        output.emit(NetworkPathChanged(up: isConnected), at: moment, position: number, writer: tracker.writer)
      }
      self.isConnected = isConnected
    case .detail: break
    }
  }

  private func launch(_ pid: Int?) -> LaunchID? { pid.flatMap { writerOf[$0] }.flatMap { writers[$0].launch } }

  // MARK: WorkManager and DownloadManager

  /// - Parameter pid: the process that wrote the message.
  private func tell(_ work: LogcatMeaning.Work, _ id: String, of pid: Int?, _ tracker: ForeignTracker) {
    let (key, session) = ("work \(id)", "WorkManager")
    if work == .scheduled { return tracker.create(key, uid: TaskUID(id), session: session, isResumed: true) }
    // WorkManager also names work that has ended, such as when it stops to watch its constraints.
    if work == .mentioned, tracker.hasEnded(key) { return }
    tracker.observe(key, uid: TaskUID(id), session: session)
    switch work {
    case .scheduled, .mentioned: break
    // The message does not say which constraints are tracked.
    case .waits:
      guard isConnected == false, waiting.insert(key).inserted else { return }
      tracker.hold(key, .network)
    case .constraintsMet: if waiting.remove(key) != nil { tracker.endHold(key, .network) }
    case .started:
      exceptions[pid] = nil
      tracker.startAttempt(key)
    case .succeeded: tracker.complete(key)
    case .failed: tracker.complete(key, failure("Worker result FAILURE", of: pid))
    // The log does not tell when the next attempt starts: WorkManager's backoff is at least ten seconds.
    case .retried:
      tracker.endAttempt(key, failure("Worker result RETRY", of: pid))
      tracker.hold(key, .backoff)
    case .threw: tracker.complete(key, failure("the worker threw an exception", of: pid))
    case .cancelRequested:
      if cancelled.insert(key).inserted { tracker.requestCancel(key, by: .app) }
    case .stopped:
      if cancelled.remove(key) == nil { return tracker.endAttempt(key, ForeignFailure(.suspended, name: "stopped")) }
      tracker.complete(key, ForeignFailure(.cancelled, name: "cancelled"))
    }
  }

  /// Returns the failure of a worker, with the last exception of its process. WorkManager itself logs only the result.
  private func failure(_ result: String, of pid: Int?) -> ForeignFailure {
    ForeignFailure(.refused, name: exceptions.removeValue(forKey: pid).map { "\(result) after \($0)" } ?? result)
  }

  private func tell(_ download: LogcatMeaning.Download, _ id: String, _ tracker: ForeignTracker) {
    let (key, session) = ("download \(id)", "DownloadManager")
    let number = UInt32(id)
    switch download {
    case .started:
      tracker.observe(key, session: session, number: number, type: .download)
      tracker.startAttempt(key)
    case .stopped(let status, let message):
      tracker.observe(key, session: session, number: number, type: .download)
      if let code = Self.httpStatus(status) { return tracker.respond(key, status: code) }
      tracker.endAttempt(key, Self.failure(status, message))
    case .finished(let status):
      tracker.observe(key, session: session, number: number, type: .download)
      if let code = Self.httpStatus(status) { return tracker.complete(key, nil, status: code) }
      switch status {
      case "SUCCESS", "200": tracker.complete(key)
      case "WAITING_TO_RETRY", "194":
        tracker.endAttempt(key, Self.failure(status, nil))
        tracker.hold(key, .backoff)
      case "WAITING_FOR_NETWORK", "195", "QUEUED_FOR_WIFI", "196":
        tracker.endAttempt(key, Self.failure(status, nil))
        tracker.hold(key, status.hasPrefix("Q") || status == "196" ? .networkPolicy : .network)
      case "PAUSED_BY_APP", "193", "PENDING", "190": tracker.endAttempt(key, ForeignFailure(.suspended, name: status))
      default: tracker.complete(key, Self.failure(status, nil))
      }
    }
  }

  /// Returns the status of a server that refused a download; `nil` for a number that DownloadManager itself assigns.
  private static func httpStatus(_ text: String) -> Int? {
    Int(text).flatMap { (400..<600).contains($0) && !(488...499).contains($0) ? $0 : nil }
  }

  private static func failure(_ status: String, _ message: String?) -> ForeignFailure {
    let end: AttemptEnd =
      switch status {
      case "CANCELED", "490": .cancelled
      case "FILE_ERROR", "492", "INSUFFICIENT_SPACE_ERROR", "498", "DEVICE_NOT_FOUND_ERROR", "499", "FILE_ALREADY_EXISTS_ERROR":
        .file
      case "TOO_MANY_REDIRECTS", "497": .redirectRefused
      case "HTTP_DATA_ERROR", "495", "WAITING_FOR_NETWORK", "WAITING_TO_RETRY", "194", "195", "aborted": .transport
      default: .refused
      }
    // The number of "No space left on device".
    let osError = ["INSUFFICIENT_SPACE_ERROR", "498"].contains(status) ? 28 : nil
    return ForeignFailure(end, code: Int(status) ?? -1, name: status, message: message, osError: osError)
  }

  // MARK: OkHttp

  private func begin(_ method: String, _ url: String, _ line: LogcatLine, _ tracker: ForeignTracker) {
    requestCount += 1
    let key = "request \(requestCount)"
    tracker.create(
      key, uid: TaskUID(foreign: "logcat", input.name, key), session: "OkHttp", number: UInt32(truncatingIfNeeded: requestCount),
      type: .data, method: method, url: URLParts(url))
    // OkHttp writes this message before it looks up the host.
    tracker.startAttempt(key)
    let place = Key(pid: line.pid, thread: line.thread)
    requests[place, default: []].append(Request(key: key, url: url))
    // Requests without an end are forgotten by and by.
    if requests[place]?.count ?? 0 > 256, let oldest = requests[place]?.removeFirst() { tracker.forget(oldest.key) }
  }

  /// Creates a request whose beginning the log does not contain.
  private func unnamed(_ url: String?, _ tracker: ForeignTracker) -> String {
    requestCount += 1
    let key = "request \(requestCount)"
    let (uid, number) = (TaskUID(foreign: "logcat", input.name, key), UInt32(truncatingIfNeeded: requestCount))
    if let url {
      tracker.create(key, uid: uid, session: "OkHttp", number: number, type: .data, url: URLParts(url))
    } else {
      tracker.observe(key, uid: uid, session: "OkHttp", number: number, type: .data)
    }
    return key
  }

  /// Returns the request that a response belongs to; `nil` if the log does not tell. A call logs its request and its response on one
  /// thread, and often with the same URL.
  private func request(_ url: String?, _ line: LogcatLine, _ tracker: ForeignTracker) -> String? {
    let place = Key(pid: line.pid, thread: line.thread)
    guard let open = requests[place], !open.isEmpty else { return nil }
    let index: Int
    if let url, let found = open.lastIndex(where: { $0.url == url }) {
      index = found
    } else if line.thread != nil {
      index = open.count - 1
    } else if open.count == 1 {
      index = 0
    } else {
      return nil
    }
    requests[place]?.remove(at: index)
    return open[index].key
  }
}
