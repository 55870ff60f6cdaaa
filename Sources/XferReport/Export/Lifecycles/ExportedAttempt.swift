package import XferEvents

/// One attempt of a task, joined from its events.
package struct ExportedAttempt {
  package var task: TaskIdentity
  package var type: TaskType?
  /// The number of the attempt within its task, from 1.
  package var number: Int
  package var writer: WriterContext
  /// The number of the segment or file, and the place of the attempt's first event.
  package var place: EventReference
  package var thread: UInt32?
  package var start: Moment
  /// The time of the last event; that of `attempt.ended` if the attempt has ended.
  package var last: Moment
  package var isEnded = false
  /// The requests of the attempt in their order: one, and one more for each redirect that was followed.
  package var requests: [ExportedRequest] = []
  /// The answer of the cache, for a task that made no request.
  package var cacheAnswer: CacheAnswer?

  package var end: AttemptEnd?
  package var domain: ErrorDomain?
  package var error: Int?
  package var errorName: String?
  package var message: RecordedText?
  package var osError: Int?
  package var received: Int64?
  package var sent: Int64?
  package var decoded: Int64?
  package var retryIn: Duration?
  package var trace: TraceContext?
  package var parentSpan: UInt64?
  package var isSelected: Bool

  /// The maximum number of requests that an attempt keeps. Engines follow at most some dozens of redirects.
  static let requestLimit = 200

  package var url: ExportedURL? { requests.first?.url }
  package var status: Int? { requests.last?.status }
  package var method: String? { requests.first?.method }

  /// Whether the attempt failed: with an error, or with a status of at least 400.
  package var hasFailed: Bool { failure != nil || (status ?? 0) >= 400 }

  /// The short name of the error; `nil` without an error.
  package var failure: String? {
    if let errorName { return errorName }
    guard let end, end != .finished else { return error.map { "error \($0)" } }
    return end.name
  }

  /// The start as nanoseconds since 1970. A log without wall clock is placed at 1970.
  package var startNanoseconds: Int64 { ExportClock.nanoseconds(start) }
  package var duration: Int64 { ExportClock.elapsed(from: start, to: last) }
}

/// One request of an attempt and its response.
package struct ExportedRequest {
  package var number: Int
  package var url: ExportedURL
  package var method: String?
  package var start: Moment
  package var connected: Moment?
  package var sentAt: Moment?
  package var responded: Moment?
  package var last: Moment

  package var connection: CorrelationID?
  package var reused: Bool?
  package var `protocol`: String?
  package var remoteAddress: RecordedText?
  package var remotePort: Int?
  package var queueTime: Duration?
  package var nameLookupTime: Duration?
  package var connectTime: Duration?
  package var secureTime: Duration?

  package var requestBytes: Int64?
  package var requestHeaders: [String] = []
  package var status: Int?
  package var expected: Int64?
  package var contentType: String?
  package var contentEncoding: String?
  package var etag: RecordedText?
  package var lastModified: RecordedText?
  package var retryAfter: Duration?
  package var responseHeaders: [String] = []
  /// The target of the redirect that the response asks for.
  package var location: ExportedURL?

  package init(_ number: Int, _ url: ExportedURL, _ method: String?, at moment: Moment) {
    (self.number, self.url, self.method, start, last) = (number, url, method, moment, moment)
  }

  /// The known values of response header fields by their names in lowercase.
  package var responseValues: [(name: String, value: String)] {
    var values: [(String, String)] = []
    if let contentType { values.append(("content-type", contentType)) }
    if let contentEncoding { values.append(("content-encoding", contentEncoding)) }
    if let expected { values.append(("content-length", String(expected))) }
    if case .plain(let text)? = etag { values.append(("etag", text)) }
    if case .plain(let text)? = lastModified { values.append(("last-modified", text)) }
    if let retryAfter { values.append(("retry-after", String(retryAfter.nanoseconds / 1_000_000_000))) }
    if let location { values.append(("location", location.text)) }
    return values
  }
}

/// A task as the formats show it that have tasks.
package struct ExportedTask {
  package var identity: TaskIdentity
  package var type: TaskType?
  package var method: String?
  package var url: ExportedURL?
  package var writer: WriterContext
  package var start: Moment
  package var last: Moment
  /// Whether an event ended the task.
  package var isEnded = false
  package var status: Int?
  package var errorName: String?
  package var received: Int64?
  package var sent: Int64?
  package var attempts = 0
  package var cacheAnswer: CacheAnswer?
  package var isSelected: Bool

  package var startNanoseconds: Int64 { ExportClock.nanoseconds(start) }
  package var duration: Int64 { ExportClock.elapsed(from: start, to: last) }
}

/// The times of formats that have only one clock.
package enum ExportClock {
  /// Returns a time as nanoseconds since 1970. A log without wall clock is placed at 1970.
  package static func nanoseconds(_ moment: Moment) -> Int64 {
    max(0, moment.wall?.nanoseconds ?? moment.monotonic ?? moment.boottime ?? 0)
  }

  /// Returns the time between two moments of one task, at least 0. It is monotonic if both moments have that clock.
  package static func elapsed(from start: Moment, to end: Moment) -> Int64 {
    if let from = start.monotonic, let to = end.monotonic, to >= from { return to.subtractingClamped(from) }
    return max(0, nanoseconds(end).subtractingClamped(nanoseconds(start)))
  }
}
