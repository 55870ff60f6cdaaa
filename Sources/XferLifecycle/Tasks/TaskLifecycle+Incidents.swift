package import XferEvents

// Facts that few tasks have and that only the rules about them read.
extension TaskLifecycle {
  /// Facts that few tasks have. They are stored behind one reference, so that all other tasks stay small.
  package struct Incidents: Sendable {
    /// The first repetition of a request that may already have been carried out.
    package internal(set) var replay: Replay?
    /// The first attempt after a successful one.
    package internal(set) var needlessTry: NeedlessTry?
    /// The last two attempts that requested the same range and were refused. The first of them may belong to an earlier task.
    package internal(set) var refusedRange: RefusedRange?
    /// The first task that was created from the same resume data.
    package internal(set) var earlierUse: ResumeDataUse?
    /// The server's response to a part of a resumable upload.
    package internal(set) var upload: UploadAnswer?
    /// A policy that changed after the task was created.
    package internal(set) var policyChange: PolicyChange?
    /// A chain of wakes, in each of which one task ended and one was created. This task was created in the last wake.
    package internal(set) var chain: [ChainLink] = []
    /// The wake for the task's open challenge, after the app has called the wake's completion handler.
    package internal(set) var challengeWake: ChallengeWake?

    package init() {}
  }

  /// A request that is not idempotent and was sent again although the server may have carried it out.
  package struct Replay: Sendable {
    package let method: String
    package let sent: Fact
    package let ended: Fact?
    package let started: Fact
    /// Whether the request carries a field by which the server recognizes a repetition; `nil` if unknown.
    package let isGuarded: Bool?
  }

  package struct NeedlessTry: Sendable {
    package let response: Fact
    package let status: Int
    package let ended: Fact?
    package let started: Fact
    /// Whether the successful attempt had uploaded a body.
    package let isUpload: Bool
  }

  package struct RefusedRange: Sendable {
    package let offset: Int64
    package let first: Fact
    package let again: Fact
    /// The number of successive refusals for this offset.
    package let count: Int

    package init(offset: Int64, first: Fact, again: Fact, count: Int) {
      (self.offset, self.first, self.again, self.count) = (offset, first, again, count)
    }
  }

  package struct ResumeDataUse: Sendable {
    package let created: Fact
    /// Whether an attempt of the first task had started when the second task was created.
    package let hadBegun: Bool

    package init(created: Fact, hadBegun: Bool) { (self.created, self.hadBegun) = (created, hadBegun) }
  }

  package struct UploadAnswer: Sendable {
    package let request: Fact
    package let response: Fact
    package let status: Int
    /// The number of bytes that the server has, according to the client.
    package let clientOffset: Int64
    /// The number of bytes that the server has, according to its response; `nil` if the response does not state it.
    package let serverOffset: Int64?
    /// The number of body bytes that this request sent.
    package internal(set) var sent: Int64
    package let expires: WallTime?
    /// The server's last response that accepted a part of the same upload; set by the replay.
    package internal(set) var known: KnownUpload?
    /// The previous response to the same upload, if it was a conflict, too; set by the replay.
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
    /// The time from the task's resume to its first attempt.
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

  /// An immutable box of incidents. Each change creates a new box, so that copies of a task are not affected.
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

  /// Changes the incidents and sets a trait.
  package mutating func note(_ trait: Traits, _ change: (inout Incidents) -> Void) {
    change(&incidents)
    traits.insert(trait)
  }
}

// Incidents that involve other tasks; set by the replay, which knows those tasks.
extension TaskFacts {
  package mutating func join(refused range: RefusedRange) { note(.rangeRefused) { $0.refusedRange = range } }

  package mutating func join(earlierUse use: ResumeDataUse) { note(.goesOn) { $0.earlierUse = use } }

  package mutating func join(policy change: PolicyChange?) { note(.policyChanged) { $0.policyChange = change } }

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

// Incidents that follow from the task's own attempts.
extension TaskFacts {
  private static let unsafeMethods: Set<String> = ["POST", "PATCH"]

  /// Notes whether a new attempt repeats a request that may have been carried out, or follows a successful attempt.
  mutating func noteRepetition(of last: AttemptLifecycle, _ started: Fact, offset: Int64) {
    let isUpload = type == .upload || last.method.map { $0 == "PUT" || Self.unsafeMethods.contains($0) } ?? false
    if let status = last.status, 200..<300 ~= status, let response = last.responseReceived {
      // An attempt that continues where the last one ended is not a repetition.
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

  /// Updates the number of sent bytes, which is known when the attempt ends.
  mutating func noteUploadEnd() {
    guard traits.contains(.uploadGoesOn), let sent = attempt?.sent, incidents.upload?.response == attempt?.responseReceived else {
      return
    }
    incidents.upload?.sent = sent
  }
}

extension AttemptLifecycle {
  /// Whether the response is complete, as far as its declared length tells.
  var isWhole: Bool { end == .finished && (declaredLength.map { $0 == received } ?? true) }

  /// Whether the server may have carried out the request: it was sent, and no response says otherwise.
  ///
  /// The error response of a gateway does not tell what the server behind it did.
  var mayHaveBeenDone: Bool {
    if let expectedToSend, sent < expectedToSend { return false }
    guard let status else { return true }
    return [500, 502, 504].contains(status)
  }
}
