/// The possible sequences of events of tasks and attempts, as strings with one letter per event.
///
/// The walks follow the vocabulary's tables and the behaviour of a correct engine and daemon. Together they contain every step
/// that the tables allow.
enum Walks {
  /// The way in which a task ends.
  enum Ending {
    case success, notFound, transport, timeout, cancelled, invalidated, none
  }

  struct Walk {
    /// c created, r resumed, s suspended, x cancelRequested, h held, e holdEnded, q delayAsked, a delayAnswered, d adopted,
    /// t transferred, f completed, k acknowledged, g forgotten, n changed, l coalesced,
    /// o handedOff, w an attempt that ends as the task does, y an attempt that fails and is retried, ( the start and ) the end of an
    /// interrupted attempt; the first | ends the app while the daemon continues, and the next | launches the app again.
    let letters: String
    let ending: Ending

    init(_ letters: String, _ ending: Ending = .success) {
      self.letters = letters
      self.ending = ending
    }
  }

  /// The walks of tasks in sessions that end with their process.
  static let foreground: [Walk] = [
    .init("crwtfk"), .init("crwtfk"), .init("crwtfk"), .init("crwtfk", .notFound), .init("crwtfk", .transport),
    .init("crwfk", .transport), .init("crwfk", .timeout), .init("crrwtfk"), .init("csrwtfk"), .init("csnsrwtfk"),
    .init("crsrwtfk"),
    .init("crssrwtfk"), .init("cr(s)rwtfk"), .init("cxfk", .cancelled), .init("cr(x)fk", .cancelled),
    .init("cr(xx)fk", .cancelled), .init("crsxfk", .cancelled), .init("crhewtfk"), .init("chrewtfk"), .init("crhhewtfk"),
    .init("crhehewtfk"), .init("crhxfk", .cancelled), .init("crhexfk", .cancelled), .init("crhsrewtfk"), .init("crhserwtfk"),
    .init("crhesrwtfk"), .init("cherwtfk"), .init("cnrwtfk"), .init("crnsrwtfk"), .init("crnxfk", .cancelled),
    .init("crnhewtfk"), .init("crhnewtfk"), .init("crwntfk"), .init("crwtnfk"), .init("crwtfnk"), .init("cryhewtfk"),
    .init("cryhewtfk"), .init("cryheyhewtfk"), .init("crtfk", .success), .init("crfk", .timeout), .init("crwstfk"),
    .init("crsfk", .timeout), .init("crhtfk", .timeout), .init("crhfk", .timeout), .init("crhefk", .transport),
    .init("cr(x)tfk", .cancelled), .init("ctfk", .transport), .init("cfk", .transport), .init("crqaxfk", .cancelled),
    .init("cr(h)efk", .transport),
  ]

  /// The walks of tasks that share another task's transfer. The carrier's events are generated separately.
  static let shared: [Walk] = [
    .init("crltfk"), .init("clrtfk"), .init("crlsrtfk"), .init("crlxfk", .cancelled), .init("crlfk", .transport),
  ]

  /// The walks of tasks that are handed off to another task.
  static let handedOff: [Walk] = [
    .init("cr(xo)fk", .cancelled), .init("cr(ox)fk", .cancelled), .init("cr(xo)tfk", .cancelled),
  ]

  /// The walks of tasks in background sessions.
  static let background: [Walk] = [
    .init("crwtfkg"), .init("crwtfkg", .notFound), .init("cr|wt|dfkg"), .init("cr|wt|dfkg"), .init("cr|wt|dfkg"),
    .init("cr|wt|dfkg", .notFound), .init("cr|wt|dfkg", .transport), .init("crhe|wt|dfkg"),
    .init("cr|hewt|dfkg"), .init("crh|ewt|dfkg"), .init("cr||dwtfkg"), .init("crh||dewtfkg"), .init("crhe||dwtfkg"),
    .init("crs||drwtfkg"), .init("cr||dsrwtfkg"), .init("cr||dxfkg", .cancelled), .init("cr||dhewtfkg"),
    .init("cr||dqawtfkg"), .init("cr||dtfkg", .transport), .init("crx||dfkg", .cancelled), .init("crhq||dqawtfkg"),
    .init("cr||d||dwtfkg"), .init("||dwtfkg"),
    .init("crqartfkg", .success), .init("crqaxfkg", .cancelled), .init("crqahewtfkg"), .init("crqatfkg", .transport),
    .init("crqafkg", .transport), .init("crqhqawtfkg"), .init("crqxfkg", .cancelled), .init("crheqawtfkg"), .init("crhqawtfkg"),
    .init("crnqawtfkg"), .init("crwtxkg", .cancelled), .init("crxkg", .cancelled), .init("crwtkg"), .init("crxg", .cancelled),
    .init("crwtffkg"), .init("crwtfng"), .init("crwtfg"), .init("cryhewtfkg"), .init("cr|yhewt|dfkg"),
  ]

  /// The walks of tasks of an app that is removed while the daemon carries them.
  static let removed: [Walk] = [
    .init("cr|wt|", .success), .init("cr|", .none), .init("c|", .none), .init("crs|", .none), .init("crh|", .none),
    .init("crhe|", .none), .init("cr|h|", .none), .init("crx|", .cancelled), .init("crn|", .none), .init("crwtf|"),
    .init("crwtfk|"), .init("c||dr|", .none), .init("cr||d|", .none), .init("crs||d|", .none), .init("crhe||d|", .none),
  ]

  /// The attempts that succeed: S started, C connectionAcquired, Q requestSent, P responseReceived, B bytesReceived, U bytesSent,
  /// N networkAwaited, H challengeReceived, A challengeAnswered, R redirectReceived, T redirectAnswered, E ended.
  static let finishing = [
    "SCQPBBE", "SCQPBBE", "SCQPBBE", "SCQPE", "SQPBE", "SPBE", "SCPBE", "SCQBBE", "SCQPPBE", "SCQPBPBE", "SHACQPBE",
    "SCHAQPBE", "SCHAHAQPBE", "SCQPHACQPBE", "SCQPBHAQPBE", "SCQPHANCQPBE", "SCQHAQPBE", "SCQPRTCQPBE", "SCQPRTQPBE",
    "SCQPBRTCQPBE", "SCQPRTNCQPBE", "SNCQPBE", "SNNCQPBE", "SNQPBE", "SCQPNCQPBE", "SCQPBNCQPBE", "SCCQPBE", "SCQCQPBE",
    "SCQPCQPBE", "SCQPBCQPBE",
  ]
  /// The attempts that succeed and send a body.
  static let sending = ["SCQUUPBE", "SCUQPE", "SUPE", "SCQUHACQPE", "SCQUHACQUPE", "SCQUCQUPE", "SCQUPBE"]
  /// The attempts that receive an error response.
  static let refusing = ["SCQPHABE", "SCQPBE"]
  /// The attempts in which the app declines a redirect and takes the redirect itself as the response.
  static let redirectRefusing = ["SCQPRTBE"]
  static let failing = ["SE", "SCE", "SCQE", "SCQPE", "SCQPBE", "SNE", "SCQUE", "SCQPRTE", "SCQPHAE"]
  static let stopped = ["SE", "SCE", "SCQE", "SCQPE", "SCQPBE", "SNE", "SCQPHE", "SCQPRE", "SCQPRTE", "SCQPHAE"]
}
