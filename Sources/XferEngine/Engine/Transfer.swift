internal import CCurl
internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The engine's state of one task, from the task's first resume until its result. Used on the engine thread only.
final class Transfer {
  /// The task that receives the result. A data task that becomes a download is replaced by the download task.
  var task: TransferTask
  let context: SessionContext
  unowned let loop: EngineLoop
  var plan: RequestPlan

  /// The connection slot that the transfer holds or waits for.
  var place = Place.nowhere
  var easy: EasyHandle?
  var attempt = 0
  var isAttempting = false
  /// The span of the current attempt. `nil` without a trace.
  var span: AttemptSpan?
  var transaction: Transaction
  var redirects = 0
  var metrics: [TransactionMetrics] = []

  var pauses: Pauses = []
  /// The reader of the request body while a transaction is in flight. `nil` otherwise, and for a request without a body.
  var source: BodySource?
  /// The properties of the uploaded file at the end of the attempt's last transaction. `nil` if they had not changed meanwhile.
  var changedSource: SourceFile?
  /// The size of the request body, in bytes. `nil` when unknown.
  var bodyLength: Int64?
  /// The app's stream with the body of the next request. `nil` until the app has provided one.
  var stream: RequestBodyStream?
  /// The question to the app that is not answered yet. `nil` if there is none.
  var question: Question?
  /// The follow-up request after a redirect or an authentication challenge. `nil` if there is none.
  var next: Next?
  /// The last request given to libcurl, with range, conditional and authorization fields.
  var wire: RequestPlan
  var cookies = CookieUse.none
  /// The TLS settings of the current transaction.
  var tls = TLSUse()
  var peer = PeerInquiry()
  /// Whether the task was suspended since the last request started.
  var wasSuspended = false
  /// The running digest of a body that is not written to a file. `nil` when digests are off.
  var digest: ContentDigest?
  /// The authorization sent with the last request. `nil` if it had none.
  var sentAuthorization: Authorization?
  /// The number of credentials that the server rejected.
  var refusedCredentials = 0
  /// Authentication methods whose challenges the app rejected.
  var rejectedMethods: Set<TransferSession.AuthenticationMethod> = []
  /// The error with which a callback stopped the transaction. `nil` if none did. Takes precedence over libcurl's error code.
  var refusal: TransferError?
  /// The delay before the request is retried because of the response. `nil` when the response is not retried.
  var retryDelay: Duration?
  /// The outcome of the last transaction. `nil` while the transaction runs.
  var ending: Ending?

  /// The version of the resource that the partial file holds. `nil` when the download cannot be resumed.
  var entity: Entity?
  /// The number of bytes in the partial file when this attempt started.
  var base: Int64 = 0
  /// The reason for which the resource is requested again from its beginning. `nil` if it is not.
  var restart: RangeAnswer.Reason?

  /// The free space of the partial file's file system when a write found none, before the file was removed.
  var fullDisk: DiskSpaceSampled?

  var caching = CacheUse()
  /// The current or last wait for connectivity. `nil` once a connection was acquired.
  var connectivity: ConnectivityWait?

  var response: TransferResponse?
  var store = BodyStore.nothing
  /// Body bytes delivered in this attempt, after content decoding.
  var delivered: Int64 = 0
  /// Body bytes received in this attempt, before content decoding.
  var received: Int64 = 0
  /// Request body bytes given to libcurl in this attempt.
  var sent: Int64 = 0
  var reported = Reported()

  /// The time of the task's first resume (`TransferClock.monotonic`).
  let started: Int64
  /// The time of the last byte sent or received (`TransferClock.monotonic`).
  var lastActivity: Int64 = 0
  /// The time at which the current hold ends (`TransferClock.monotonic`). `nil` without a timed hold.
  var wakeTime: Int64?
  /// The reason for the hold that ends at `wakeTime`. `nil` without a timed hold.
  var timedHold: HoldReason?
  /// The time at which the resource timeout passes (`TransferClock.monotonic`). `nil` means unlimited.
  var resourceDeadline: Int64?
  /// Nanoseconds left of the resource timeout when the task was suspended. `nil` while it is not suspended.
  var resourceTimeLeft: Int64?
  /// The earliest entry of this transfer in the loop's deadlines (`TransferClock.monotonic`). `nil` without an entry.
  var nextCheck: Int64?

  init(_ task: TransferTask, context: SessionContext, loop: EngineLoop) {
    self.task = task
    self.context = context
    self.loop = loop
    plan = task.plan
    started = loop.now
    wire = task.plan
    lastActivity = loop.now
    transaction = Transaction(
      number: 1, started: loop.now, decodes: false, head: ResponseHead(byteLimit: 0, countLimit: 0))
    resourceDeadline = task.resourceTimeout.map { loop.now.addingClamped($0.nanoseconds) }
  }

  enum Place: Equatable {
    case nowhere
    case waiting(URLFacts.Origin, HoldReason)
    case active(URLFacts.Origin)
  }

  struct Pauses: OptionSet {
    let rawValue: UInt8
    static let suspended = Pauses(rawValue: 1)
    static let question = Pauses(rawValue: 2)
    static let backPressure = Pauses(rawValue: 4)
    /// The app's stream has no bytes to send at present.
    static let bodyStream = Pauses(rawValue: 8)
  }

  enum Question {
    /// - Parameter proposed: the request that follows the redirect if the app agrees.
    case redirect(proposed: RequestPlan)
    case response
    case challenge(Challenge)
    case peer(PeerChallenge)
    /// The delegate is asked for a stream with the body of the next request.
    case bodyStream
    /// The delegate is asked whether the response may be cached.
    case caching(CacheUse.Proposal)
  }

  enum Next {
    /// A request to the target of a redirect.
    case redirect(RequestPlan)
    /// The same request again, for example with an answer to a challenge.
    case again(RequestPlan)
  }

  enum Ending {
    case finished
    case failed(TransferError)
  }

  /// The progress that was already reported to the log and to the delegate, with times of `TransferClock.monotonic`.
  struct Reported {
    var bytes: Int64 = -1
    var time: Int64 = 0
    var writtenBytes: Int64 = 0
    /// The time of the last `didWriteData` callback. `nil` before the first.
    var writtenTime: Int64?
    /// Request body bytes in the last log event. Negative before the first.
    var sentBytes: Int64 = -1
    var sentTime: Int64 = 0
    var uploadedBytes: Int64 = 0
    var uploadedTime: Int64?
    /// Whether the delegate was told that the task waits for connectivity.
    var connectivity = false
    /// The time of the last notification of progress observers. `nil` before the first.
    var progressTime: Int64?
  }

  enum BodyStore {
    case nothing
    case memory(Data)
    case file(BodyFile)
    case delegate(BodyQueue)
    case iteration(IncomingBody)
  }

  /// Returns the transfer behind a libcurl callback's user pointer.
  static func owner(_ pointer: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(pointer!).takeUnretainedValue()
  }

  var sink: any EventSink { context.sink }

  /// The offset in the resource at which the next request starts.
  var offset: Int64 { entity == nil ? 0 : base + delivered }

  /// Records activity on the connection, which restarts the request timeout.
  func touch() { lastActivity = loop.now }

  /// Whether the request offers content codings and the response is decoded.
  var decodes: Bool {
    switch context.configuration.messages.contentDecoding {
    case .dataTasks: task.type != .download
    case .always: true
    case .never: false
    }
  }

  var digests: Bool { context.configuration.digestsContent }

  /// Whether the transfer's connection may be multiplexed with other transfers (HTTP/2).
  var mayShare: Bool {
    switch context.configuration.httpVersions {
    case .http10, .http1: false
    case .http2PriorKnowledge: true
    case .automatic: wire.url.scheme == "https"
    }
  }

  /// The stage that the current transaction has reached.
  var stage: TransferError.Stage {
    if transaction.connection == nil {
      return easy.map { $0.count(CURLINFO_NAMELOOKUP_TIME_T) > 0 } ?? false ? .connection : .nameLookup
    }
    if !transaction.isRequestSent { return .request }
    return transaction.head.isComplete ? .body : .response
  }

  /// Whether the request timeout also runs while the transfer waits for its first connection slot.
  var countsWaiting: Bool { context.configuration.requestTimeoutOrigin == .resume && !isAttempting }

  /// The next time at which a timeout or a timed hold of the transfer may pass. `nil` means never.
  ///
  /// The request timeout does not run while the transfer is paused, because a pause is not caused by an unresponsive peer.
  var deadline: Int64? {
    if pauses.contains(.suspended) { return nil }
    if let wakeTime { return min(wakeTime, resourceDeadline ?? .max) }
    guard let limit = task.requestTimeout, pauses.isEmpty else { return resourceDeadline }
    switch place {
    case .active: break
    case .waiting where countsWaiting: break
    case .waiting, .nowhere: return resourceDeadline
    }
    return min(lastActivity.addingClamped(limit.nanoseconds), resourceDeadline ?? .max)
  }
}

// Saturating arithmetic for numbers from servers, files and callers.
extension Int64 {
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? other < 0 ? .min : .max : sum
  }

  func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? other < 0 ? .max : .min : difference
  }

  func multipliedClamped(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? (self < 0) == (other < 0) ? .max : .min : product
  }
}
