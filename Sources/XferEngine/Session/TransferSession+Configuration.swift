import CXferPlatform
public import HTTPTypes
public import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension TransferSession {
  /// The settings of a session. A session copies its configuration, so later changes have no effect.
  public struct Configuration: Sendable {
    /// The kind of a session, as in URLSession.
    public enum Kind: Sendable {
      case `default`, ephemeral
      /// A session whose transfers continue after the app exits, because the user's daemon, `xferd`, carries them out.
      case background
    }

    public let kind: Kind
    /// The identifier of a background session, unique within the app and the same in each launch. `nil` for other kinds.
    public let identifier: String?
    /// Whether the daemon launches the app when a background session's tasks have completed while the app was not running.
    public var sessionSendsLaunchEvents = true
    /// Whether the daemon may choose when a background session's tasks begin.
    public var isDiscretionary = false
    /// Whether a background session keeps its idle connections open while the app moves to the background.
    public var shouldUseExtendedBackgroundIdleMode = false
    /// The identifier of the container that an app shares with its extensions. Required for a background session of an extension.
    /// `nil` means no shared container.
    public var sharedContainerIdentifier: String?
    /// The session's name in the log. `nil`, or a name that is in use, results in a numbered name such as `default-1`.
    public var name: String?
    /// The timeout for an attempt without progress. Every byte in either direction restarts it. `nil` means unlimited.
    public var timeoutIntervalForRequest: Duration? = .seconds(60)
    /// The moment when `timeoutIntervalForRequest` starts: with the attempt, or when the task is resumed.
    ///
    /// Older Apple systems start it at resume, so a task that waits for a free connection can time out before it is sent.
    public var requestTimeoutOrigin = TimeoutOrigin.connection
    /// The time limit for a whole task, counted from its first resume and excluding suspended time. `nil` means unlimited.
    public var timeoutIntervalForResource: Duration? = .seconds(7 * 24 * 3600)
    /// The maximum number of connections in use per scheme, host and port. At least 1.
    public var httpMaximumConnectionsPerHost = 6
    /// The maximum number of connections in use by the session. At least 1.
    public var maximumConnections = 128
    /// Header fields that are added to each request that does not have them.
    public var httpAdditionalHeaders: HTTPFields = [:]
    /// The maximum number of redirects that a task follows.
    public var redirectLimit = 20
    /// The maximum total size of a response's header lines, in bytes. libcurl also rejects a single line above 100 KiB.
    public var maximumResponseHeaderBytes = 300 * 1024
    /// The maximum number of header fields of a response.
    public var maximumResponseHeaderFields = 5_000
    /// The timeout for opening a connection. `timeoutIntervalForRequest` applies as well. `nil` means no separate limit.
    public var timeoutIntervalForConnection: Duration?
    /// The proxy. `nil` means a direct connection; environment variables such as `http_proxy` are ignored.
    public var connectionProxy: Proxy?
    public var tlsMinimumSupportedProtocolVersion = TLSProtocolVersion.tlsV12
    /// The newest TLS version to use. `nil` means the newest version that both peers support.
    public var tlsMaximumSupportedProtocolVersion: TLSProtocolVersion?
    public var serverTrust = ServerTrust()
    public var clientCertificate: ClientCertificate?
    public var httpVersions = HTTPVersions.automatic
    public var addressFamily = AddressFamily.any
    /// Fixed addresses for host names, which are then not resolved by DNS.
    public var hostAddresses: [HostAddress] = []
    public var messages = MessageOptions()
    /// The maximum receive rate per transfer, in bytes per second. `nil` means unlimited.
    public var maximumBytesPerSecondReceived: Int64?
    /// The maximum send rate per transfer, in bytes per second. `nil` means unlimited.
    public var maximumBytesPerSecondSent: Int64?
    /// The storage of cookies. `nil` means that cookies are neither sent nor stored.
    public var httpCookieStorage: CookieStorage?
    public var httpCookieAcceptPolicy = CookieAcceptPolicy.always
    /// Whether requests carry the stored cookies. A `Cookie` field in the request takes precedence.
    public var httpShouldSetCookies = true
    /// The cache that data tasks read responses from and store responses in. `nil` means no caching.
    public var urlCache: ResponseCache?
    /// The cache policy of tasks that are created without one.
    public var requestCachePolicy = RequestCachePolicy.useProtocolCachePolicy
    /// Whether a task without connectivity waits, instead of failing with `notConnectedToInternet`.
    ///
    /// A task also waits when a host name cannot be resolved or the system has no route to the host. It retries when the
    /// network path changes, and at intervals. Of the timeouts, only `timeoutIntervalForResource` runs while a task waits.
    public var waitsForConnectivity = false
    /// Whether tasks may use a cellular network.
    public var allowsCellularAccess = true
    /// Whether tasks may use an expensive network path, such as one with paid traffic.
    public var allowsExpensiveNetworkAccess = true
    /// Whether tasks may use a constrained network path, such as one in a low-data mode.
    public var allowsConstrainedNetworkAccess = true
    /// The credentials that are used without asking the delegate. `nil` means none.
    public var urlCredentialStorage: CredentialStorage? = CredentialStorage()
    /// The permitted HTTP authentication methods. The session uses the most secure one that a server offers.
    public var authenticationMethods: Set<AuthenticationMethod> = [.httpBasic, .httpDigest]
    /// Whether stored credentials are sent preemptively, by Basic authentication, before the server has requested them.
    public var sendsCredentialsUnasked = false
    /// The policy that decides whether and when a failed task is retried.
    public var retryPolicy = RetryPolicy.never
    /// Whether a failed or cancelled download keeps its partial file and produces data for `downloadTask(withResumeData:)`.
    ///
    /// The partial file stays in the temporary directory until a task resumes it.
    public var keepsPartialDownloads = true
    /// The maximum size of a response body, in bytes. `nil` means unlimited.
    public var maximumBodyBytes: Int64?
    /// The maximum size of a response body after content decoding, in bytes. Applies only to tasks whose responses are decoded
    /// (`MessageOptions.contentDecoding`).
    public var maximumDecodedBytes: Int64 = 256 << 20
    /// The maximum ratio of decoded to encoded size. Checked once the decoded body exceeds 10 MiB.
    public var maximumDecodedRatio: Int64 = 100
    /// Whether tasks that make identical requests at the same time share one transfer. A task's options can override this.
    ///
    /// Applies to GET and HEAD requests without a body and with equal header fields, and only to tasks with a completion
    /// handler or an async function. Tasks with a delegate are not coalesced, because the delegate receives each step of its
    /// own transfer.
    public var coalescesIdenticalRequests = false
    /// The signature of requests. `nil` means that requests are not signed. Has no effect in background sessions, because the daemon does
    /// not get the secret.
    package var requestSigning: RequestSigning?
    /// Whether the log contains a SHA-256 digest of each task's response body.
    ///
    /// Costs about 0.6 s of processor time per GiB. A resumed download also reads its existing bytes again.
    public var digestsContent = false
    /// Whether requests carry the header field `traceparent` (W3C Trace Context), with a new span for each attempt.
    ///
    /// A field that the app sets itself is kept. The field is sent to the origin of the task's request only, not to another origin
    /// to which a redirect leads. A task's options can override this.
    public var sendsTraceContext = false
    /// The span to which the session's attempts belong, as a value of `traceparent`. The log contains it, whether it is sent or not.
    ///
    /// The initial value is the environment variable `TRACEPARENT`. A malformed value is ignored, which the log says. `nil` makes
    /// each task a trace of its own.
    public var traceParent: String?
    /// Whether the delegate evaluates the certificates of each HTTPS server before the session sends a request to the server.
    ///
    /// Costs one extra connection per server. The delegate's answer applies for the session's lifetime, until the server
    /// presents a different key.
    public var asksAboutServerTrust = false
    /// Whether the delegate is asked for a client certificate before the first request to each HTTPS server. Otherwise it is
    /// asked only when a server aborts the handshake because no certificate was sent.
    public var asksForClientCertificate = false
    /// Whether downloads are synchronised to the disk.
    ///
    /// If `true`, a download's bytes are on the disk before its file is offered, and its directory entry is on the disk before
    /// `DownloadedFile.move` or `copy` returns. If `false`, a power failure may leave an empty file after a successful
    /// download.
    ///
    /// Files that finish at about the same time share one commit of the file system's journal. When the disk reports an error,
    /// the download fails with `cannotWriteToFile`.
    public var synchronisesDownloads = false
    /// The directory of temporary download files. Should be on the same file system as the files' destinations, so that no copy
    /// is needed.
    public var temporaryDirectory: String

    /// A configuration that caches responses in memory and on disk and stores cookies in memory. Default sessions share both
    /// stores.
    public static var `default`: Configuration { Configuration(.default) }
    /// A configuration that writes nothing to disk except downloads.
    public static var ephemeral: Configuration { Configuration(.ephemeral) }

    /// Returns a configuration for transfers that continue after the app exits.
    ///
    /// A background session supports downloads and uploads from files, and requires a delegate.
    ///
    /// - Parameter identifier: The session's identifier, a constant in the app. A session with the same identifier in a later
    ///   launch gets the tasks of earlier launches.
    public static func background(withIdentifier identifier: String) -> Configuration {
      Configuration(.background, identifier: identifier)
    }

    private init(_ kind: Kind, identifier: String? = nil) {
      self.kind = kind
      self.identifier = identifier
      httpCookieStorage = kind == .default ? .shared : CookieStorage()
      urlCache = kind == .default ? .shared : ResponseCache(memoryCapacity: kind == .ephemeral ? 4 << 20 : 0, diskCapacity: 0)
      waitsForConnectivity = kind == .background
      temporaryDirectory = xp_variable("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      traceParent = xp_variable("TRACEPARENT").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}

extension TransferSession.Configuration {
  /// The effective configuration: a copy with all values brought into their valid ranges.
  var effective: Self {
    var effective = self
    effective.httpMaximumConnectionsPerHost = max(1, httpMaximumConnectionsPerHost)
    effective.maximumConnections = max(1, maximumConnections)
    effective.redirectLimit = max(0, redirectLimit)
    effective.timeoutIntervalForRequest = timeoutIntervalForRequest.map { max(.zero, $0) }
    effective.timeoutIntervalForResource = timeoutIntervalForResource.map { max(.zero, $0) }
    effective.traceParent = trace?.text
    while effective.temporaryDirectory.count > 1, effective.temporaryDirectory.last == "/" {
      effective.temporaryDirectory.removeLast()
    }
    return effective
  }

  /// The span to which the session's attempts belong; `nil` if there is none or the value is malformed.
  var trace: TraceContext? { traceParent.flatMap { TraceContext($0) } }

  var sessionKind: SessionKind {
    switch kind {
    case .default: .default
    case .ephemeral: .ephemeral
    case .background: .background
    }
  }
}
