import XferEngine
import XferEvents

/// The settings of a command line: settings of the whole command, and one group for each part separated by `--next`.
struct CommandSettings {
  let verb: Verb
  var groups: [TransferSettings]
  var run = RunSettings()

  init(_ verb: Verb) {
    self.verb = verb
    groups = [TransferSettings(verb)]
  }

  /// The group to which the next option applies.
  var current: TransferSettings {
    get { groups[groups.count - 1] }
    _modify { yield &groups[groups.count - 1] }
  }

  mutating func beginGroup() throws(OptionProblem) {
    guard current.hasURL else { throw OptionProblem("a URL is missing before --next") }
    groups.append(TransferSettings(verb))
  }
}

/// The three subcommands that transfer files.
enum Verb: String, Sendable {
  /// Downloads files, several at a time.
  case get
  /// Uploads files, several at a time.
  case put
  /// Makes requests one after another, with curl's defaults.
  case request
}

/// The settings of the whole command.
struct RunSettings {
  var isParallel = false
  var parallelMax = 6
  var failsEarly = false
  var isSilent = false
  var showsErrors = false
  var showsSteps = false
  /// Whether to print the results as a JSON document on standard output.
  var json = false
  /// The minimum time between the starts of two transfers, from `--rate`. `nil` means no minimum.
  var interval: Duration?
  /// Whether files are synced to disk before the command reports them as complete.
  var synchronises = true
  var isPrivate = false
  var capture = CaptureMode.hashed
  var log: String?
}

/// The settings of one group of options.
struct TransferSettings {
  // MARK: Request
  var urls: [String] = []
  var inputFiles: [String] = []
  var method: String?
  var isHead = false
  var getsWithData = false
  var fields: [String] = []
  var data: [DataPart] = []
  var sendsJSON = false
  var parts: [String] = []
  var uploads: [String] = []
  var range: String?
  var resume: String?
  var timeCondition: String?
  var etagCompare: String?
  var user: String?
  var authentication = Authentication.basic
  var userAgent: String?
  var referer: String?
  var cookies: [String] = []
  var hasPlainURLs = false

  // MARK: Output
  var outputs: [OutputChoice] = []
  var namesAllRemotely: Bool
  var outputDirectory: String?
  var createsDirectories: Bool
  var takesServerName = false
  var takesServerTime = false
  var keepsExisting = false
  var skipsExisting = false
  var removesOnError = false
  var includesHead = false
  var headFile: String?
  var cookieJar: String?
  var etagSave: String?
  var writeOut: String?
  var checksums: [String] = []

  // MARK: Success and failure
  var followsRedirects: Bool
  var followsAutomaticReferer = false
  var onStatus: StatusChoice

  var session = SessionSettings()

  var hasURL: Bool { !urls.isEmpty || !inputFiles.isEmpty }

  init(_ verb: Verb) {
    namesAllRemotely = verb == .get
    createsDirectories = verb == .get
    followsRedirects = verb != .request
    onStatus = verb == .request ? .accept : .fail
    if verb != .request { session.silence = .seconds(60) }
  }

  enum DataPart: Equatable {
    case literal(String)
    case text(String)
    case binary(String)
    case encoded(String)
  }

  enum OutputChoice: Equatable {
    case path(String)
    case remoteName
  }

  /// The treatment of a response with status 400 or above.
  enum StatusChoice {
    case accept, fail, failWithBody
  }

  enum Authentication {
    case basic, digest, any
  }
}

/// The settings that transfers must have in common to share a session and its connections.
struct SessionSettings: Hashable {
  var httpVersion: HTTPVersionChoice?
  var addressFamily: TransferSession.AddressFamily = .any
  var resolve: [String] = []
  var sendsTraceContext = false
  var isInsecure = false
  var authorities: String?
  var pins: String?
  var certificate: String?
  var key: String?
  var keyPassword: String?
  var tlsMinimum: TransferSession.TLSProtocolVersion?
  var tlsMaximum: TransferSession.TLSProtocolVersion?
  var proxy: String?
  var proxyUser: String?
  var noProxy: String?
  var tunnels = false
  var isCompressed = false
  var acceptsTransferCodings = false
  var isRaw = false
  var ignoresContentLength = false
  var continueTimeout: Duration?
  var maxTime: Duration?
  var connectTimeout: Duration?
  /// The maximum time without received or sent data. `nil` means unlimited.
  var silence: Duration?
  var maxRedirects: Int = 50
  var followsRedirects = true
  var statusesKeepingMethod: Set<Int> = []
  var maxFileSize: Int64?
  var rate: Int64?
  var retries: Int = 0
  var retryDelay: Duration?
  var retryMaxTime: Duration?
  var retriesRefused = false
  var retriesAllErrors = false
  var dropsSessionCookies = false
  /// The lowercase names of header fields that are not sent.
  var omittedFields: Set<String> = []
  var usesCookies = false
  var wantsHeads = false
  var wantsRetriedBodies = false

  enum HTTPVersionChoice: String {
    case http10, http11, http2, http2PriorKnowledge
  }
}
