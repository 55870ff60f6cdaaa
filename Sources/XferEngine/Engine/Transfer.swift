internal import CCurl
internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A task on the engine's side, from its first resume until its result is known. Engine thread only.
final class Transfer {
  /// The one that gets what it brings: a data task may give its place to a download.
  var task: TransferTask
  let context: SessionContext
  unowned let loop: EngineLoop
  var plan: RequestPlan

  /// Where it stands with the connections of its host.
  var place = Place.nowhere
  var easy: EasyHandle?
  var attempt = 0
  var isAttempting = false
  var transaction: Transaction
  var redirects = 0
  var metrics: [TransactionMetrics] = []

  var pauses: Pauses = []
  /// What the request carries, while it is on its way.
  var source: BodySource?
  /// Its size; `nil` when it is not known.
  var bodyLength: Int64?
  /// The app's stream for the next request.
  var stream: RequestBodyStream?
  /// What the app was asked and has not answered.
  var question: Question?
  /// The request that the response asks for.
  var next: Next?
  /// The last one that went out.
  var wire: RequestPlan
  var cookies = CookieUse.none
  /// How the connection is made, and for what.
  var tls = TLSUse()
  var peer = PeerInquiry()
  /// Whether it was suspended since the last request was begun.
  var wasSuspended = false
  /// Of a body that goes to no file, while it comes; `nil` when nobody wants it.
  var digest: ContentDigest?
  /// What it said of who asks.
  var sentAuthorization: Authorization?
  /// Credentials that were sent and refused.
  var refusedCredentials = 0
  /// Methods that the app does not want to answer.
  var rejectedMethods: Set<TransferSession.AuthenticationMethod> = []
  /// Why a callback stopped the transaction; comes before what libcurl makes of it.
  var refusal: TransferError?
  /// The response is not the result: the request is made again after this time.
  var retryDelay: Duration?
  /// How the transaction ended; `nil` while it runs.
  var ending: Ending?

  /// Which version of the resource the file has bytes of; `nil` when nothing can be gone on with.
  var entity: Entity?
  /// Bytes of it that were there before this attempt.
  var base: Int64 = 0
  /// The resource is asked for once more, from its beginning, for this reason.
  var restart: RangeAnswer.Reason?

  var caching = CacheUse()
  /// How it waits, or waited last, for the network; `nil` once it had a connection.
  var connectivity: ConnectivityWait?

  var response: TransferResponse?
  var store = BodyStore.nothing
  /// Bytes of the body, as they were handed over by libcurl.
  var delivered: Int64 = 0
  /// Bytes of the body on the wire.
  var received: Int64 = 0
  /// Bytes of the request's body that libcurl has, in this attempt.
  var sent: Int64 = 0
  var said = Said()

  /// `TransferClock.monotonic` of its first resume.
  let started: Int64
  /// `TransferClock.monotonic` of the last byte in either direction.
  var lastActivity: Int64 = 0
  /// When it goes on at the latest; `nil` when it waits for nothing that a time ends.
  var wakeTime: Int64?
  /// What it waits for until then.
  var timedHold: HoldReason?
  /// `nil` is no limit.
  var resourceDeadline: Int64?
  /// Time left for the resource while the task is suspended.
  var resourceTimeLeft: Int64?
  /// The earliest entry of this transfer among the loop's deadlines.
  var nextLook: Int64?

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
    /// The app's stream has nothing to send yet.
    static let bodyStream = Pauses(rawValue: 8)
  }

  enum Question {
    /// - Parameter proposed: the request that is made if the app agrees.
    case redirect(proposed: RequestPlan)
    case response
    case challenge(Challenge)
    case peer(PeerChallenge)
    /// Of the body for the next request.
    case bodyStream
    /// Whether the response is to be stored.
    case caching(CacheUse.Proposal)
  }

  enum Next {
    /// To another place.
    case redirect(RequestPlan)
    /// The same once more, with an answer to a challenge.
    case again(RequestPlan)
  }

  enum Ending {
    case finished
    case failed(TransferError)
  }

  /// What of the progress was said already, in the log and to the delegate.
  struct Said {
    var bytes: Int64 = -1
    var time: Int64 = 0
    var writtenBytes: Int64 = 0
    /// `nil` when nothing was said.
    var writtenTime: Int64?
    /// The same of the request's body.
    var sentBytes: Int64 = -1
    var sentTime: Int64 = 0
    var handedBytes: Int64 = 0
    var handedTime: Int64?
    /// That it waits for the network.
    var connectivity = false
    /// When those who watch the task's progress were told.
    var progressTime: Int64?
  }

  enum BodyStore {
    case nothing
    case memory(Data)
    case file(BodyFile)
    case delegate(BodyQueue)
    case iteration(IncomingBody)
  }

  /// The transfer whose callback libcurl calls.
  static func owner(_ pointer: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(pointer!).takeUnretainedValue()
  }

  var sink: any EventSink { context.sink }

  /// Where in the resource the next request begins.
  var offset: Int64 { entity == nil ? 0 : base + delivered }

  /// A byte came or went.
  func touch() { lastActivity = loop.now }

  /// Whether content encodings are offered and undone.
  var decodes: Bool {
    switch context.configuration.messages.contentDecoding {
    case .dataTasks: task.type != .download
    case .always: true
    case .never: false
    }
  }

  var digests: Bool { context.configuration.digestsContent }

  /// Whether its connection may carry others at the same time.
  var mayShare: Bool {
    switch context.configuration.httpVersions {
    case .http10, .http1: false
    case .http2PriorKnowledge: true
    case .automatic: wire.url.scheme == "https"
    }
  }

  /// How far the transaction has come.
  var stage: TransferError.Stage {
    if transaction.connection == nil {
      return easy.map { $0.count(CURLINFO_NAMELOOKUP_TIME_T) > 0 } ?? false ? .connection : .nameLookup
    }
    if !transaction.isRequestSent { return .request }
    return transaction.head.isComplete ? .body : .response
  }

  /// Whether its time runs although it has not had its turn.
  var countsWaiting: Bool { context.configuration.requestTimeoutOrigin == .resume && !isAttempting }

  /// When it has to be looked at; `nil` is never. While it is paused, its silence is not the other end's.
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

// Arithmetic on numbers from servers, files and callers: what has no room becomes the nearest number that has.
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
