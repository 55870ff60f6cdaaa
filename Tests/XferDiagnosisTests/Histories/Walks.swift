/// The ways on which tasks go from their creation to their end, and attempts on the wire, a letter for each event.
///
/// Written from the vocabulary's tables and from what a correct engine and daemon do; between them they take every step that
/// the tables allow.
enum Walks {
  /// How a task ends.
  enum Ending {
    case success, notFound, transport, timeout, cancelled, invalidated, none
  }

  struct Walk {
    /// c created, r resumed, s suspended, x cancelRequested, h held, e holdEnded, q delayAsked, a delayAnswered, d adopted,
    /// t transferred, f completed, k acknowledged, g forgotten, n changed, l coalesced,
    /// w an attempt that ends as the task does, y one that fails and is tried again, ( one that begins, ) and is stopped;
    /// | the app goes, the daemon goes on, | the app is there again.
    let letters: String
    let ending: Ending

    init(_ letters: String, _ ending: Ending = .success) {
      self.letters = letters
      self.ending = ending
    }
  }

  /// Of sessions that live and die with their process.
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

  /// Of tasks that have another's transfer: the carrier's is told beside.
  static let shared: [Walk] = [
    .init("crltfk"), .init("clrtfk"), .init("crlsrtfk"), .init("crlxfk", .cancelled), .init("crlfk", .transport),
  ]

  /// Of tasks that are handed to another, o.
  static let handedOff: [Walk] = [
    .init("cr(xo)fk", .cancelled), .init("cr(ox)fk", .cancelled), .init("cr(xo)tfk", .cancelled),
  ]

  /// Of background sessions.
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

  /// Of an app that is removed while the daemon still has its tasks.
  static let removed: [Walk] = [
    .init("cr|wt|", .success), .init("cr|", .none), .init("c|", .none), .init("crs|", .none), .init("crh|", .none),
    .init("crhe|", .none), .init("cr|h|", .none), .init("crx|", .cancelled), .init("crn|", .none), .init("crwtf|"),
    .init("crwtfk|"), .init("c||dr|", .none), .init("cr||d|", .none), .init("crs||d|", .none), .init("crhe||d|", .none),
  ]

  /// S started, C connectionAcquired, Q requestSent, P responseReceived, B bytesReceived, U bytesSent, N networkAwaited,
  /// H challengeReceived, A challengeAnswered, R redirectReceived, T redirectAnswered, E ended.
  static let finishing = [
    "SCQPBBE", "SCQPBBE", "SCQPBBE", "SCQPE", "SQPBE", "SPBE", "SCPBE", "SCQBBE", "SCQPPBE", "SCQPBPBE", "SHACQPBE",
    "SCHAQPBE", "SCHAHAQPBE", "SCQPHACQPBE", "SCQPBHAQPBE", "SCQPHANCQPBE", "SCQHAQPBE", "SCQPRTCQPBE", "SCQPRTQPBE",
    "SCQPBRTCQPBE", "SCQPRTNCQPBE", "SNCQPBE", "SNNCQPBE", "SNQPBE", "SCQPNCQPBE", "SCQPBNCQPBE", "SCCQPBE", "SCQCQPBE",
    "SCQPCQPBE", "SCQPBCQPBE",
  ]
  /// The same with a body to send.
  static let sending = ["SCQUUPBE", "SCUQPE", "SUPE", "SCQUHACQPE", "SCQUHACQUPE", "SCQUCQUPE", "SCQUPBE"]
  /// A refusal is the answer.
  static let refusing = ["SCQPHABE", "SCQPBE"]
  /// The app wants the redirect itself for an answer.
  static let redirectRefusing = ["SCQPRTBE"]
  static let failing = ["SE", "SCE", "SCQE", "SCQPE", "SCQPBE", "SNE", "SCQUE", "SCQPRTE", "SCQPHAE"]
  static let stopped = ["SE", "SCE", "SCQE", "SCQPE", "SCQPBE", "SNE", "SCQPHE", "SCQPRE", "SCQPRTE", "SCQPHAE"]
}
