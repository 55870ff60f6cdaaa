package import XferEvents

// What befalls few tasks, and is looked at by the rules about it alone.
extension TaskLifecycle {
  /// Kept behind one reference, so that all other tasks stay small.
  package struct Incidents: Sendable {
    /// Until when the credential holds that the request carries.
    package internal(set) var credentialExpires: WallTime?
    /// The first request that was made again though its first try may have been carried out.
    package internal(set) var replay: Replay?
    /// The first attempt behind one that had brought what was wanted.
    package internal(set) var needlessTry: NeedlessTry?
    /// Its last two attempts, or its own and that of an earlier task, that began at one byte and were refused for it.
    package internal(set) var refusedRange: RefusedRange?
    /// Attempts that timed out and were followed by another.
    package internal(set) var timeouts: Timeouts?
    /// An answer of another kind than was asked for.
    package internal(set) var oddContent: OddContent?
    /// A part that is not the one that was asked for.
    package internal(set) var oddRange: OddRange?
    /// The first task that was made from the same resume data.
    package internal(set) var earlierUse: ResumeDataUse?
    /// What the server says of an upload that goes on where it had got to.
    package internal(set) var upload: UploadAnswer?
    /// A setting of the user's that became another than the one it was made under.
    package internal(set) var policyChange: PolicyChange?
    /// Wakes in each of which one task ended and one was made; it is the last of them.
    package internal(set) var chain: [ChainLink] = []
    /// A wake for its open challenge whose handler was called.
    package internal(set) var challengeWake: ChallengeWake?

    package init() {}
  }

  /// A request that is not idempotent, sent twice.
  package struct Replay: Sendable {
    package let method: String
    package let sent: Fact
    package let ended: Fact?
    package let started: Fact
    /// Whether the request carries what tells the server that it is the same one; `nil` when the log does not say.
    package let isGuarded: Bool?
  }

  package struct NeedlessTry: Sendable {
    package let response: Fact
    package let status: Int
    package let ended: Fact?
    package let started: Fact
    /// Whether the first one had carried something to the server.
    package let isUpload: Bool
  }

  package struct RefusedRange: Sendable {
    package let offset: Int64
    package let first: Fact
    package let again: Fact
    /// Refusals for this offset, one after another.
    package let count: Int

    package init(offset: Int64, first: Fact, again: Fact, count: Int) {
      (self.offset, self.first, self.again, self.count) = (offset, first, again, count)
    }
  }

  package struct Timeouts: Sendable {
    package let first: Fact
    package internal(set) var last: Fact
    package internal(set) var count: Int
  }

  package struct OddContent: Sendable {
    package let response: Fact
    package let type: String
    /// What the request takes; `nil` when the log does not say.
    package let accepted: String?
    package let isPage: Bool
    /// The redirect that led to another host.
    package let redirect: Fact?
  }

  package struct OddRange: Sendable {
    package let request: Fact
    package let response: Fact
    /// The first byte that was asked for, and the first that came.
    package let offset: Int64
    package let start: Int64
    /// Of the whole resource.
    package let total: Int64?
    package let status: Int
  }

  package struct ResumeDataUse: Sendable {
    package let created: Fact
    /// Whether an attempt of that task had begun when this one was made.
    package let hadBegun: Bool

    package init(created: Fact, hadBegun: Bool) { (self.created, self.hadBegun) = (created, hadBegun) }
  }

  package struct UploadAnswer: Sendable {
    package let request: Fact
    package let response: Fact
    package let status: Int
    /// How much the client believes the server to have, and how much the server says it has.
    package let clientOffset: Int64
    package let serverOffset: Int64?
    /// Bytes of the body that this request brought.
    package internal(set) var sent: Int64
    package let expires: WallTime?
    /// What the server had said of the same upload when it last took a part of it; set by the replay.
    package internal(set) var known: KnownUpload?
    /// The answer before this one, if that was a conflict, too; set by the replay.
    package internal(set) var earlierConflict: Fact?
    /// The next request for the same upload; set by the replay.
    package internal(set) var next: Fact?

    package var isConflict: Bool { status == 409 }
  }

  package struct KnownUpload: Sendable {
    package let response: Fact
    package let expires: WallTime?

    package init(response: Fact, expires: WallTime?) { (self.response, self.expires) = (response, expires) }
  }

  package struct PolicyChange: Sendable {
    package let changed: Fact
    package let allows: Bool

    package init(changed: Fact, allows: Bool) { (self.changed, self.allows) = (changed, allows) }
  }

  /// One wake in a chain.
  package struct ChainLink: Sendable {
    package let delivered: Fact
    package let created: Fact
    package let started: Fact
    /// From its resume until its attempt began.
    package let delay: Duration

    package init(delivered: Fact, created: Fact, started: Fact, delay: Duration) {
      (self.delivered, self.created, self.started, self.delay) = (delivered, created, started, delay)
    }
  }

  package struct ChallengeWake: Sendable {
    package let wanted: Fact?
    package let called: Fact

    package init(wanted: Fact?, called: Fact) { (self.wanted, self.called) = (wanted, called) }
  }

  /// Holds incidents; a new one for each change, so that copies of a task stay as they are.
  final class IncidentsBox: Sendable {
    let incidents: Incidents
    init(_ incidents: Incidents) { self.incidents = incidents }
  }
}

extension TaskFacts {
  package internal(set) var incidents: Incidents {
    get { box?.incidents ?? Incidents() }
    set { box = IncidentsBox(newValue) }
  }

  /// What is known of it from others; set by the replay.
  package mutating func note(_ trait: Traits, _ change: (inout Incidents) -> Void) {
    change(&incidents)
    traits.insert(trait)
  }
}

// What the replay, which knows the others, makes of them.
extension TaskFacts {
  package mutating func join(refused range: RefusedRange) { note(.rangeRefused) { $0.refusedRange = range } }

  package mutating func join(earlierUse use: ResumeDataUse) { note(.goesOn) { $0.earlierUse = use } }

  package mutating func join(policy change: PolicyChange) { note(.policyChanged) { $0.policyChange = change } }

  package mutating func join(chain links: [ChainLink]) { note(.chained) { $0.chain = links } }

  package mutating func join(challengeWake wake: ChallengeWake) { note(.wokeForChallenge) { $0.challengeWake = wake } }

  package mutating func join(upload known: KnownUpload?, conflict: Fact?) {
    note(.uploadGoesOn) {
      $0.upload?.known = known
      $0.upload?.earlierConflict = conflict
    }
  }

  package mutating func join(nextUpload fact: Fact) { note(.uploadGoesOn) { $0.upload?.next = fact } }
}

// What its own attempts make of them.
extension TaskFacts {
  private static let unsafeMethods: Set<String> = ["POST", "PATCH"]

  /// Another attempt begins: what had the last one brought about?
  mutating func noteRepetition(of last: AttemptLifecycle, _ started: Fact, offset: Int64) {
    let isUpload = type == .upload || last.method.map { $0 == "PUT" || Self.unsafeMethods.contains($0) } ?? false
    if let status = last.status, 200..<300 ~= status, let response = last.responseReceived {
      // A part that goes on where the last one ended is no repetition.
      guard offset <= last.offset, isUpload ? last.end != .refused : last.isWhole else { return }
      guard incidents.needlessTry == nil else { return }
      note(.repeated) {
        $0.needlessTry = NeedlessTry(
          response: response, status: status, ended: last.ended, started: started, isUpload: isUpload)
      }
    } else if let method = last.method, Self.unsafeMethods.contains(method), let sent = last.requestSent, last.mayHaveBeenDone {
      guard incidents.replay == nil else { return }
      note(.repeated) {
        $0.replay = Replay(method: method, sent: sent, ended: last.ended, started: started, isGuarded: last.isGuarded)
      }
    }
  }

  mutating func noteTimeout(_ fact: Fact) {
    guard attempt?.end == .timeout, attempt?.retryIn != nil else { return }
    note(.timedOutAgain) {
      if $0.timeouts == nil { $0.timeouts = Timeouts(first: fact, last: fact, count: 0) }
      $0.timeouts!.last = fact
      $0.timeouts!.count += 1
    }
  }

  /// A response that may be of another kind than was wanted.
  mutating func noteContent(_ event: EventView) {
    guard let attempt, let status = attempt.status, 200..<300 ~= status, let response = attempt.responseReceived,
      let content = event.contentType
    else { return }
    let isPage = MediaTypes.isPage(content)
    let isElsewhere = attempt.redirects.origin?.host != host && attempt.redirects.received != nil
    if let accepted = attempt.acceptedTypes {
      if MediaTypes.accepts(content, accepted) { return }
    } else if !isPage || !isElsewhere {
      return
    }
    note(.oddContent) {
      $0.oddContent = OddContent(
        response: response, type: content, accepted: attempt.acceptedTypes, isPage: isPage,
        redirect: isElsewhere ? attempt.redirects.received : nil)
    }
  }

  mutating func noteRange(_ event: EventView) {
    guard let attempt, type != .upload, attempt.hasContentRange, let response = attempt.responseReceived,
      let status = attempt.status, let request = attempt.requestSent ?? attempt.started
    else { return }
    let (start, total) = (event.rangeStart ?? 0, event.rangeTotal)
    guard status == 206 && event.rangeStart != nil && start != attempt.offset || status == 200 else { return }
    note(.oddRange) {
      $0.oddRange = OddRange(
        request: request, response: response, offset: attempt.offset, start: start, total: total, status: status)
    }
  }

  /// What was odd about answers that are not part of the result.
  mutating func forgetOddAnswers() {
    if !traits.isDisjoint(with: [.oddContent, .oddRange]) { (incidents.oddContent, incidents.oddRange) = (nil, nil) }
  }

  mutating func noteUpload(_ event: EventView) {
    guard let attempt, let offset = attempt.uploadOffset, let status = attempt.status, let request = attempt.requestSent,
      let response = attempt.responseReceived
    else { return }
    note(.uploadGoesOn) {
      $0.upload = UploadAnswer(
        request: request, response: response, status: status, clientOffset: offset, serverOffset: event.uploadOffset,
        sent: attempt.sent, expires: event.uploadExpires)
    }
  }

  /// How much of the body had been sent is known when the attempt ends.
  mutating func noteUploadEnd() {
    guard traits.contains(.uploadGoesOn), let sent = attempt?.sent, incidents.upload?.response == attempt?.responseReceived else {
      return
    }
    incidents.upload?.sent = sent
  }
}

extension AttemptLifecycle {
  /// Whether it brought a whole answer, as far as its length tells.
  var isWhole: Bool { end == .finished && (declaredLength.map { $0 == received } ?? true) }

  /// Whether the server may have done what it was asked to: the request was sent as far as is known, and no answer says no.
  ///
  /// A gateway that had no answer itself says nothing about who stands behind it.
  var mayHaveBeenDone: Bool {
    if let expectedToSend, sent < expectedToSend { return false }
    guard let status else { return true }
    return [500, 502, 504].contains(status)
  }
}

/// Names of media types (RFC 9110 §8.3.1), as requests and responses give them.
enum MediaTypes {
  static func isPage(_ type: String) -> Bool { ["text/html", "application/xhtml+xml"].contains(type.lowercased()) }

  /// Whether one of some ranges, joined by commas, takes a type.
  static func accepts(_ type: String, _ ranges: String) -> Bool {
    let type = type.lowercased()
    // Servers call by these what they do not know.
    if ["application/octet-stream", "binary/octet-stream"].contains(type) { return true }
    return ranges.lowercased().split(separator: ",").contains { range in
      let range = range.prefix { $0 != ";" }.filter { $0 != " " }
      if range == "*/*" || range == type { return true }
      return range.hasSuffix("/*") && type.hasPrefix(range.dropLast())
    }
  }
}
