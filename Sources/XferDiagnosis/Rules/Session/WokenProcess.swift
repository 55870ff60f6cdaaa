import XferEvents
import XferLifecycle
import XferReplay

/// A process that was woken for a background session, and the background sessions that it created.
struct WokenProcess {
  let delivered: Fact
  let session: String
  let process: ProcessLifecycle
  /// Whether the process has, or had, the session that it was woken for.
  let hasSession: Bool
  /// Other background sessions that the process created because it was woken, oldest first.
  let others: [SessionLifecycle]
  /// The time that the process has to create the session.
  let time: Duration

  /// Returns `nil` until the wake is delivered to a process.
  init?(_ wake: WakeLifecycle, in world: World) {
    guard let delivered = wake.delivered, let place = wake.process, let session = wake.session else { return nil }
    (self.delivered, self.session, process, time) = (delivered, session, world.processes[place], wake.time)
    let sessions = world.background.places(ofProcess: place).map { world.sessions[$0] }
    hasSession = sessions.contains { $0.identifier == session && !Self.isGone($0, before: delivered) }
    let wasStarted = process.startReason == .transfer || process.startReason == .challenge
    others = sessions.filter { other in
      guard other.identifier != session, let created = other.created, !Self.wasCreatedWith(other, session, in: world) else {
        return false
      }
      return wasStarted || Self.precedes(delivered, created)
    }
  }

  var name: String { process.executable ?? "The app" }

  var wait: Verdict { .wait(time, after: delivered) }

  /// Returns the proof that the process did not create the session. `nil` means that it may still create the session, or that
  /// it was terminated before it could.
  func proofOfAbsence(_ asked: Occasion) -> Draft.AbsenceProof? {
    if let end = process.exited ?? process.logClosed { return .end(end) }
    return asked.covered(since: delivered, by: process) >= time ? .coverage : nil
  }

  /// Whether another launch created both sessions. In that case `other` does not replace `session`.
  private static func wasCreatedWith(_ other: SessionLifecycle, _ session: String, in world: World) -> Bool {
    let lives = world.background.places(of: other.identifier).map { world.sessions[$0].process }
    return world.background.places(of: session).contains { place in
      let life = world.sessions[place].process
      return life != other.process && lives.contains(life)
    }
  }

  private static func isGone(_ session: SessionLifecycle, before fact: Fact) -> Bool {
    (session.invalidated ?? session.released).map { precedes($0, fact) } ?? false
  }

  private static func precedes(_ first: Fact, _ second: Fact) -> Bool {
    first.duration(to: second).map { $0 >= .zero } ?? false
  }
}
