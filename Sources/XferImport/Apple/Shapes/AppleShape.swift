/// One shape of message that processes of Apple's systems write about transfers.
package struct AppleShape: Sendable {
  /// The identifier, which is never changed.
  package let id: String
  let emitter: Emitter
  /// The pattern in the language of `ShapePattern`.
  package let pattern: String
  let meaning: Meaning
  /// A message of this shape. `{task}` and `{session}` stand for the name of a task and of a session.
  private let template: String
  /// The shapes that are preferred if a message has both.
  package let precedence: [String]

  init(_ id: String, _ emitter: Emitter, _ pattern: String, _ meaning: Meaning, _ example: String, yieldsTo: [String] = []) {
    (self.id, self.emitter, self.pattern, self.meaning) = (id, emitter, pattern, meaning)
    (template, precedence) = (example, yieldsTo)
  }

  /// The process that writes a shape.
  enum Emitter: UInt8, Sendable, CaseIterable {
    /// Any process that uses the network.
    case network
    case app, daemon, scheduler, power, runningBoard, frontBoard, assertiond, launchd, kernel, reportCrash, resolver
  }

  /// What a message says about a transfer.
  enum Meaning: Sendable {
    /// Something that the replay has no use for. The message still belongs to a known shape.
    case note
    /// The message only shows that a task exists.
    case seen
    case taskNamed, uploadCreated, downloadCreated, resumed, beginDelay, begun, connecting, connected, released, requestSent
    case response, progress, responseEnded, summary, bytes, loadFailed, loadCancelled, fileWriteFailed, waiting, conditionsChanged
    case retried, cancelled, cancelledWithoutClient, finished, finishedWithError, neverStarted, acknowledged
    case sessionAsked, sessionConnected, sessionFailed, sessionLocked, sessionReconnecting, sessionReconnected, sessionSeen
    case sessionMade, daemonSession, sessionNamed, duplicateSession
    case daemonInterrupted, daemonInvalidated
    case taskUnavailable, taskNotMade, taskInInvalidSession, taskInvalid, handlerInBackground, bodyInBackground
    case background, foreground, woken, handlerNeverCalled
    case sourceUnreadable, timeOverdue, timeNotEnded
    case userQuit, suspended, assertionTimedOut, launchFailed, exited, crashed, watchdogWithheld
    case libraryFailed, libraryInvalidated
    /// An error of `NSURLConnection`, which does not name its task.
    case connectionFailed
    /// An error that an app has printed without the task.
    case errorPrinted
  }

  /// All shapes. A message must have at most one, apart from those that one of them yields to.
  package static let all: [AppleShape] = ofApp + ofDaemon + ofSystem

  /// Whether other text may precede a message of this shape.
  var isAnywhere: Bool { pattern.hasPrefix("…") }

  /// A message of this shape.
  package var example: String {
    let uid = "6B29FC40-CA47-1067-B31D-00DD010662DA"
    var text = template
    for (name, value) in [("{task}", "Task <\(uid)>.<2>"), ("{session}", "BackgroundSession <\(uid)>")] where text.hasPrefix(name)
    {
      text = value + text.dropFirst(name.count)
    }
    return text
  }
}

extension AppleShape.Emitter {
  /// The emitter that a process is; `nil` if the process is unknown.
  init?(process: String?) {
    guard let process else { return nil }
    switch process {
    case "nsurlsessiond": self = .daemon
    case "dasd": self = .scheduler
    case "powerd": self = .power
    case "runningboardd": self = .runningBoard
    case "SpringBoard", "ControlCenter", "backboardd", "FrontBoard", "PosterBoard", "Carousel", "HeadBoard", "PineBoard":
      self = .frontBoard
    case "assertiond": self = .assertiond
    case "launchd", "com.apple.xpc.launchd", "launchd_sim": self = .launchd
    case "kernel": self = .kernel
    case "ReportCrash", "osanalyticshelper", "ReportCrash_sim", "ReportSystemMemory": self = .reportCrash
    case "mDNSResponder", "mdnsd": self = .resolver
    default: self = .app
    }
  }

  /// Whether a process can write shapes of this emitter. An unknown process can write all.
  func includes(_ process: Self?) -> Bool {
    guard let process else { return true }
    return self == .network || self == process
  }

  /// Whether messages of the process that have no known shape are counted, because they may belong to a missing shape.
  var isKnown: Bool { self != .app }
}
