public import HTTPTypes
public import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension TransferSession {
  /// What a session is like; a session copies it, so that later changes have no effect.
  public struct Configuration: Sendable {
    /// URLSession's kinds.
    public enum Kind: Sendable {
      case `default`, ephemeral
      /// Its transfers outlive the app: the user's daemon, `xferd`, carries them out.
      case background
    }

    public let kind: Kind
    /// Of a background session: unique within the app, and the same in each of its lives; `nil` for the other kinds.
    public let identifier: String?
    /// Whether the app is launched when a background session's tasks have ended and it is not there.
    public var sessionSendsLaunchEvents = true
    /// Whether the daemon may choose when a background session's tasks begin.
    public var isDiscretionary = false
    /// Whether connections of a background session are kept while the app moves to the background.
    public var shouldUseExtendedBackgroundIdleMode = false
    /// The directory that an app and its extensions share; a background session of an extension needs one.
    public var sharedContainerIdentifier: String?
    /// How the log names the session; `nil` or a name in use gives one like `default-1`.
    public var name: String?
    /// How long the other end may be silent; starts with the attempt, and every byte in either direction starts it anew.
    /// `nil` is no limit.
    public var timeoutIntervalForRequest: Duration? = .seconds(60)
    /// When that time starts: with the attempt, or when the task is resumed, as it was once on Apple's systems: a task that waits for a
    /// connection then times out without having been sent.
    public var requestTimeoutOrigin = TimeoutOrigin.connection
    /// How long a task may take from its first resume, time in suspension not counted; `nil` is no limit.
    public var timeoutIntervalForResource: Duration? = .seconds(7 * 24 * 3600)
    /// Connections in use to one scheme, host and port; at least 1.
    public var httpMaximumConnectionsPerHost = 6
    /// Connections in use by the session; at least 1.
    public var maximumConnections = 128
    /// Fields of every request that does not have them itself.
    public var httpAdditionalHeaders: HTTPFields = [:]
    /// How many redirects a task follows.
    public var redirectLimit = 20
    /// All header lines of one response, in bytes. libcurl refuses a single line above 100 KiB.
    public var maximumResponseHeaderBytes = 300 * 1024
    public var maximumResponseHeaderFields = 5_000
    /// How long making a connection may take, of the time that a request has; `nil` for all of it.
    public var timeoutIntervalForConnection: Duration?
    /// `nil` connects directly: the environment decides nothing unseen.
    public var connectionProxy: Proxy?
    public var tlsMinimumSupportedProtocolVersion = TLSProtocolVersion.tlsV12
    /// `nil` for the newest that both ends know.
    public var tlsMaximumSupportedProtocolVersion: TLSProtocolVersion?
    public var serverTrust = ServerTrust()
    public var clientCertificate: ClientCertificate?
    public var httpVersions = HTTPVersions.automatic
    public var addressFamily = AddressFamily.any
    /// Names that are not looked up.
    public var hostAddresses: [HostAddress] = []
    public var messages = MessageOptions()
    /// Of each transfer; `nil` is no limit.
    public var maximumBytesPerSecondReceived: Int64?
    public var maximumBytesPerSecondSent: Int64?
    /// `nil` neither sends nor takes cookies.
    public var httpCookieStorage: CookieStorage?
    public var httpCookieAcceptPolicy = CookieAcceptPolicy.always
    /// Whether requests carry the cookies of the storage; a `Cookie` field of the request's own comes before them.
    public var httpShouldSetCookies = true
    /// Where data tasks find responses that may be given again, and leave their own; `nil` for nowhere.
    public var urlCache: ResponseCache?
    /// Of tasks that have none of their own.
    public var requestCachePolicy = RequestCachePolicy.useProtocolCachePolicy
    /// Whether a task for which there is no connectivity waits for it, instead of failing with `notConnectedToInternet`. Only the
    /// resource's time limit runs meanwhile. It waits as well when a host's name cannot be looked up and when the system knows no way
    /// to it, and tries again when the path changes, and now and then.
    public var waitsForConnectivity = false
    /// Whether a path over a cellular modem will do.
    public var allowsCellularAccess = true
    /// Whether a path will do whose bytes cost money.
    public var allowsExpensiveNetworkAccess = true
    /// Whether a path will do on which data is to be saved.
    public var allowsConstrainedNetworkAccess = true
    /// Credentials that are used without asking the delegate; `nil` for none.
    public var urlCredentialStorage: CredentialStorage? = CredentialStorage()
    /// Methods by which the session proves who asks; the safest that a server offers is taken.
    public var authenticationMethods: Set<AuthenticationMethod> = [.httpBasic, .httpDigest]
    /// Whether a credential of the storage goes with the first request, by Basic, before the server has asked.
    public var sendsCredentialsUnasked = false
    /// Whether and when a task tries again.
    public var retryPolicy = RetryPolicy.never
    /// Whether a download that fails or is cancelled leaves what it has, for `downloadTask(withResumeData:)`. The file stays in the
    /// temporary directory until somebody goes on with it.
    public var keepsPartialDownloads = true
    /// The largest body that is accepted; `nil` is no limit.
    public var maximumBodyBytes: Int64?
    /// The largest body after content decoding; only data tasks decode.
    public var maximumDecodedBytes: Int64 = 256 << 20
    /// How many times its size a body above 10 MiB may have after content decoding.
    public var maximumDecodedRatio: Int64 = 100
    /// Whether tasks share one transfer when they ask for the same at the same time; a task may say otherwise. Only GET and HEAD, without
    /// a body and with the same fields, and only tasks whose result comes at once, by a closure or an async function: a delegate sees
    /// each step of a transfer of its own.
    public var coalescesIdenticalRequests = false
    /// Whether the log has a digest of what each task has brought. It is SHA-256 over every byte: about 0.6 s of processor time for a
    /// GiB, and a download that goes on reads what it has once more.
    public var digestsContent = false
    /// Whether the delegate is asked about each https server before anything is sent to it, with the certificates that it shows.
    ///
    /// That costs a connection more for each server. What the delegate has said of a server holds for the session; a server that has
    /// another key than the one that was trusted is asked about again.
    public var asksAboutServerTrust = false
    /// Whether the delegate is asked for a certificate before the first request to each https server. Otherwise it is asked where a
    /// server ends the handshake for want of one.
    public var asksForClientCertificate = false
    /// Whether a download's bytes are on the disk before its file is offered, and the file's directory entry before
    /// `DownloadedFile.move` or `copy` returns. Otherwise a power cut may leave an empty file of a download that succeeded.
    ///
    /// Files that end at about the same time share one commit of the file system's journal. When the disk reports an error, the download
    /// fails with `cannotWriteToFile`.
    public var synchronisesDownloads = false
    /// Where downloads are written until they are claimed: best on the file system where they are to end up.
    public var temporaryDirectory: String

    /// Responses are kept in memory and on disk, cookies in memory; sessions of this kind share both.
    public static var `default`: Configuration { Configuration(.default) }
    /// Nothing on disk but downloads.
    public static var ephemeral: Configuration { Configuration(.ephemeral) }

    /// For transfers that go on when the app does not. What such a session is asked for the daemon has to be able to do without the
    /// app: downloads, and uploads from files, with a delegate.
    ///
    /// - Parameter identifier: a constant of the app's. Tasks of an earlier life come back to the session that has it.
    public static func background(withIdentifier identifier: String) -> Configuration {
      Configuration(.background, identifier: identifier)
    }

    private init(_ kind: Kind, identifier: String? = nil) {
      self.kind = kind
      self.identifier = identifier
      httpCookieStorage = kind == .default ? .shared : CookieStorage()
      urlCache = kind == .default ? .shared : ResponseCache(memoryCapacity: kind == .ephemeral ? 4 << 20 : 0, diskCapacity: 0)
      waitsForConnectivity = kind == .background
      temporaryDirectory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    }
  }
}

extension TransferSession.Configuration {
  /// With values that can be worked with: what applies, as opposed to what was asked for.
  var effective: Self {
    var effective = self
    effective.httpMaximumConnectionsPerHost = max(1, httpMaximumConnectionsPerHost)
    effective.maximumConnections = max(1, maximumConnections)
    effective.redirectLimit = max(0, redirectLimit)
    effective.timeoutIntervalForRequest = timeoutIntervalForRequest.map { max(.zero, $0) }
    effective.timeoutIntervalForResource = timeoutIntervalForResource.map { max(.zero, $0) }
    while effective.temporaryDirectory.count > 1, effective.temporaryDirectory.last == "/" {
      effective.temporaryDirectory.removeLast()
    }
    return effective
  }

  var sessionKind: SessionKind {
    switch kind {
    case .default: .default
    case .ephemeral: .ephemeral
    case .background: .background
    }
  }
}
