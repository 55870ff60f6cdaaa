import XferEngine
import XferEvents

/// What a command line says: what holds for all of it, and a group of settings for each part between `--next`.
struct CommandSettings {
  let verb: Verb
  var groups: [TransferSettings]
  var run = RunSettings()

  init(_ verb: Verb) {
    self.verb = verb
    groups = [TransferSettings(verb)]
  }

  /// The group that options belong to now.
  var current: TransferSettings {
    get { groups[groups.count - 1] }
    _modify { yield &groups[groups.count - 1] }
  }

  mutating func beginGroup() throws(OptionProblem) {
    guard current.hasURL else { throw OptionProblem("there is no URL before --next") }
    groups.append(TransferSettings(verb))
  }
}

/// The three ways to ask for transfers.
enum Verb: String, Sendable {
  /// Downloads to files, several at a time.
  case get
  /// Uploads of files, several at a time.
  case put
  /// One request after the other, with curl's defaults.
  case request
}

/// What holds for the whole command.
struct RunSettings {
  var isParallel = false
  var parallelMax = 6
  var failsEarly = false
  var isSilent = false
  var showsErrors = false
  var showsSteps = false
  /// Results as a JSON document on standard output.
  var json = false
  /// `--rate`: the least time between two beginnings.
  var interval: Duration?
  /// Whether files are on the disk before the command says that they are complete.
  var synchronises = true
  var isPrivate = false
  var capture = CaptureMode.hashed
  var log: String?
}

/// What the options of one group say.
struct TransferSettings {
  // MARK: What is asked for
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

  // MARK: Where it goes
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

  // MARK: What counts as an end
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

  /// What a status of 400 and above is.
  enum StatusChoice {
    case accept, fail, failWithBody
  }

  enum Authentication {
    case basic, digest, any
  }
}

/// What transfers must have in common to share a session, and with that its connections.
struct SessionSettings: Hashable {
  var httpVersion: HTTPVersionChoice?
  var addressFamily: TransferSession.AddressFamily = .any
  var resolve: [String] = []
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
  /// How long the other end may be silent.
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
  /// Names of fields that are not sent, lower case.
  var omittedFields: Set<String> = []
  var usesCookies = false
  var wantsHeads = false

  enum HTTPVersionChoice: String {
    case http10, http11, http2, http2PriorKnowledge
  }
}
