package import XferEvents

/// Joins the events of tasks into attempts and tasks. An attempt or a task is handed out when it has ended.
///
/// Memory is bounded: when too many tasks are open, the oldest one is handed out as it is.
package struct LifecycleTracker {
  /// An attempt or a task that is handed out.
  package enum Unit {
    case attempt(ExportedAttempt)
    case task(ExportedTask)
  }

  private struct OpenTask {
    var task: ExportedTask
    /// The URL of the next request, which redirects change.
    var url: ExportedURL?
    var attempt: ExportedAttempt?
    /// Whether an event that is not of one attempt was selected.
    var isSelected = false
  }

  private var open: [TaskUID: OpenTask] = [:]
  /// The open tasks in the order of their first events, with tasks that have ended since.
  private var order: [TaskUID] = []
  private var oldest = 0
  private let limit: Int
  /// The number of tasks that were handed out before their end, because too many were open.
  package private(set) var cutTasks = 0

  /// - Parameter limit: the maximum number of open tasks.
  package init(limit: Int = 50_000) { self.limit = limit }

  /// Takes the next event.
  ///
  /// - Returns: what has ended with the event.
  package mutating func apply(_ event: RecordedEvent, isSelected: Bool) -> [Unit] {
    guard let kind = event.kind, let identity = event.task else { return [] }
    var ended: [Unit] = []
    var found = open[identity.uid]
    if found == nil { found = begin(identity, kind, event, &ended) }
    guard var entry = found else { return ended }
    let moment = event.moment
    entry.task.last = moment
    let isOfAttempt = event.attempt != nil
    if isSelected {
      entry.task.isSelected = true
      if !isOfAttempt { entry.isSelected = true }
    }
    switch kind {
    case .taskCreated:
      entry.task.type = event.type ?? entry.task.type
      entry.task.method = event.method ?? entry.task.method
      if let url = ExportedURL(event) { (entry.task.url, entry.url) = (url, url) }
    case .taskObserved: entry.task.type = event.type ?? entry.task.type
    case .cacheAnswered:
      entry.task.cacheAnswer = event.cacheAnswer
      entry.task.status = event.status ?? entry.task.status
      entry.task.received = event.size ?? entry.task.received
    case .taskTransferred, .taskCompleted, .taskForgotten:
      entry.task.status = event.status ?? entry.task.status
      entry.task.errorName = event.errorName ?? entry.task.errorName
      entry.task.received = event.received ?? entry.task.received
      entry.task.sent = event.sent ?? entry.task.sent
    default: if isOfAttempt { Self.apply(event, kind, to: &entry, &ended) }
    }
    if isSelected { entry.attempt?.isSelected = true }
    switch kind {
    case .taskCompleted, .taskForgotten:
      entry.task.isEnded = true
      open[identity.uid] = nil
      Self.end(&entry, &ended)
    case .attemptEnded:
      if let attempt = entry.attempt { ended.append(.attempt(attempt)) }
      entry.attempt = nil
      open[identity.uid] = entry
    default: open[identity.uid] = entry
    }
    return ended
  }

  /// Hands out all tasks that have not ended.
  package mutating func finish() -> [Unit] {
    var ended: [Unit] = []
    for uid in order[oldest...] {
      guard var entry = open.removeValue(forKey: uid) else { continue }
      Self.end(&entry, &ended)
    }
    (order, oldest) = ([], 0)
    return ended
  }

  // MARK: Tasks

  /// The events after which a task is tracked. Later events of a task that has ended must not begin it again.
  private static func begins(_ kind: EventKind, _ event: RecordedEvent) -> Bool {
    kind == .taskCreated || kind == .taskObserved || kind == .taskAdopted || kind == .taskResumed || event.attempt != nil
  }

  private mutating func begin(_ identity: TaskIdentity, _ kind: EventKind, _ event: RecordedEvent, _ ended: inout [Unit])
    -> OpenTask?
  {
    guard Self.begins(kind, event) else { return nil }
    if open.count >= limit { cutOldest(&ended) }
    order.append(identity.uid)
    if order.count > 4 * limit {
      order = order[oldest...].filter { open[$0] != nil } + [identity.uid]
      oldest = 0
    }
    return OpenTask(
      task: ExportedTask(
        identity: identity, writer: event.source.writer, start: event.moment, last: event.moment, isSelected: false))
  }

  private mutating func cutOldest(_ ended: inout [Unit]) {
    while oldest < order.count {
      let uid = order[oldest]
      oldest += 1
      guard var entry = open.removeValue(forKey: uid) else { continue }
      cutTasks += 1
      return Self.end(&entry, &ended)
    }
  }

  private static func end(_ entry: inout OpenTask, _ ended: inout [Unit]) {
    if entry.attempt == nil, entry.task.attempts == 0, let answer = entry.task.cacheAnswer {
      entry.attempt = cached(entry.task, answer)
      entry.task.attempts = 1
    }
    if var attempt = entry.attempt {
      // The log of another program may tell the end of the task alone.
      if entry.task.isEnded {
        attempt.errorName = attempt.errorName ?? entry.task.errorName
        attempt.received = attempt.received ?? entry.task.received
        attempt.sent = attempt.sent ?? entry.task.sent
      }
      ended.append(.attempt(attempt))
    }
    ended.append(.task(entry.task))
  }

  /// Returns the attempt that stands for an answer of the cache.
  private static func cached(_ task: ExportedTask, _ answer: CacheAnswer) -> ExportedAttempt {
    var request = ExportedRequest(1, task.url ?? ExportedURL(), task.method, at: task.start)
    (request.status, request.last) = (task.status, task.last)
    var attempt = ExportedAttempt(
      task: task.identity, type: task.type, number: 1, writer: task.writer, place: .record(segment: 0, lane: 0, sequence: 0),
      start: task.start, last: task.last, isSelected: task.isSelected)
    attempt.requests = [request]
    attempt.cacheAnswer = answer
    attempt.isEnded = task.isEnded
    attempt.received = task.received
    return attempt
  }

  // MARK: Attempts

  private static func apply(_ event: RecordedEvent, _ kind: EventKind, to entry: inout OpenTask, _ ended: inout [Unit]) {
    let (number, moment) = (event.attempt ?? 1, event.moment)
    if kind == .attemptStarted || entry.attempt?.number != number {
      if let earlier = entry.attempt { ended.append(.attempt(earlier)) }
      entry.attempt = attempt(number, event, kind, &entry)
    }
    guard var attempt = entry.attempt else { return }
    attempt.last = moment
    if kind == .attemptEnded { return end(event, &attempt, &entry) }
    if kind == .attemptStarted {
      attempt.trace = event.traceParent.flatMap { if case .plain(let text) = $0 { TraceContext(text) } else { nil } }
      attempt.parentSpan = event.parentSpan?.rawValue
    }
    var request = self.request(event, kind, &attempt, entry)
    request?.last = moment
    switch kind {
    case .attemptConnectionAcquired:
      request?.connected = moment
      request?.connection = event.connection
      request?.reused = event.reused
      if let name = event.protocol { request?.protocol = name }
      request?.remoteAddress = event.remoteAddress
      request?.remotePort = event.remotePort
      request?.queueTime = event.queueTime
      request?.nameLookupTime = event.nameLookupTime
      request?.connectTime = event.connectTime
      request?.secureTime = event.secureTime
    case .attemptRequestSent:
      request?.sentAt = moment
      if let method = event.method { request?.method = method }
      request?.requestBytes = event.requestBytes
      request?.requestHeaders = names(event.headers)
    case .attemptResponseReceived:
      request?.responded = moment
      request?.status = event.status
      request?.expected = event.expected
      request?.contentType = event.contentType
      request?.contentEncoding = event.contentEncoding
      request?.etag = event.etag
      request?.lastModified = event.lastModified
      request?.retryAfter = event.retryAfter
      if let name = event.protocol { request?.protocol = name }
      request?.responseHeaders = names(event.headers)
    case .attemptRedirectReceived: request?.location = ExportedURL(event)
    case .attemptRedirectAnswered:
      // The next request begins now.
      if event.decision == .followed { entry.url = request?.location ?? entry.url }
    case .attemptBytesReceived: attempt.received = event.received
    case .attemptBytesSent: attempt.sent = event.sent
    default: break
    }
    if let request, let place = attempt.requests.lastIndex(where: { $0.number == request.number }) {
      attempt.requests[place] = request
    }
    entry.attempt = attempt
  }

  private static func names(_ list: String?) -> [String] {
    list?.split(separator: ",").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.map(String.init) ?? []
  }

  private static func attempt(_ number: Int, _ event: RecordedEvent, _ kind: EventKind, _ entry: inout OpenTask)
    -> ExportedAttempt
  {
    entry.task.attempts = max(entry.task.attempts, number)
    var attempt = ExportedAttempt(
      task: entry.task.identity, type: entry.task.type, number: number, writer: event.source.writer, place: event.reference,
      thread: event.thread, start: event.moment, last: event.moment, isSelected: entry.isSelected)
    var url = entry.url ?? ExportedURL()
    if kind == .attemptStarted, let host = event.host, host != url.host || event.port != url.port || event.scheme != url.scheme {
      url = ExportedURL(scheme: event.scheme, host: host, port: event.port)
    }
    entry.url = url
    attempt.requests = [ExportedRequest(event.transaction ?? 1, url, entry.task.method, at: event.moment)]
    return attempt
  }

  /// Returns the request that an event is about, after adding it to the attempt.
  private static func request(
    _ event: RecordedEvent, _ kind: EventKind, _ attempt: inout ExportedAttempt, _ entry: OpenTask
  ) -> ExportedRequest? {
    guard let last = attempt.requests.last else { return nil }
    guard let number = event.transaction, number != last.number else { return last }
    if number < last.number { return attempt.requests.last { $0.number == number } }
    guard attempt.requests.count < ExportedAttempt.requestLimit else { return nil }
    // The time between the answer to a redirect and the next request belongs to the next request.
    let request = ExportedRequest(number, entry.url ?? last.url, last.method, at: last.last)
    attempt.requests.append(request)
    return request
  }

  private static func end(_ event: RecordedEvent, _ attempt: inout ExportedAttempt, _ entry: inout OpenTask) {
    attempt.isEnded = true
    attempt.end = event.end
    attempt.domain = event.domain
    attempt.error = event.error
    attempt.errorName = event.errorName
    attempt.message = event.message
    attempt.osError = event.osError
    attempt.received = event.received ?? attempt.received
    attempt.sent = event.sent ?? attempt.sent
    attempt.decoded = event.decoded
    attempt.retryIn = event.retryIn
    if let place = attempt.requests.indices.last { attempt.requests[place].last = event.moment }
    entry.attempt = attempt
  }
}
