import Dispatch
import Foundation
import LogTestSupport
import Synchronization
import XferEngine

// What the app does wrong.
extension PlannedApp {
  /// - Parameter subject: a session, or a task's name.
  func does(_ flaw: AppPlan.Flaw, _ subject: String) -> Bool { plan.flaw == flaw && plan.flawed == subject }

  /// Whether this life does not make a session at its start.
  func isLeftOut(_ identifier: String) -> Bool {
    guard BackgroundApp.isWoken else { return false }
    if does(.makesAnother, identifier) { open("\(identifier).v2") }
    return does(.makesNoSession, identifier) || does(.makesAnother, identifier)
      || does(.callsHandlerAtOnce, identifier) && !plan.isSessionThere
  }

  /// Whether something will never be done in this life, so that ending it would have it launched again.
  var hasLeftSomething: Bool {
    // Of a life that is launched for the other session nothing is left.
    (plan.flaw == .makesNoSession || plan.flaw == .makesAnother) && state.withLock { $0.woken.contains(plan.flawed) }
  }

  /// Whether nobody will ever call a session's handler.
  func ignoresHandler(_ identifier: String) -> Bool {
    plan.flawed == identifier && [.keepsHandler, .makesNoSession, .makesAnother].contains(plan.flaw)
  }

  func destination(_ name: String) -> String {
    if does(.movesToMissing, name) { return "\(plan.files)/missing/\(name)" }
    if does(.movesOntoDirectory, name) {
      let taken = "\(plan.files)/\(name)"
      try? FileManager.default.createDirectory(atPath: "\(taken)/inside", withIntermediateDirectories: true)
      return taken
    }
    return "\(plan.files)/\(name)"
  }

  /// A moment after the call, as whoever makes the session where a screen is loaded.
  func openLate(_ identifier: String) {
    guard state.withLock({ $0.sessions[identifier] == nil }) else { return }
    state.withLock { $0.late += 1 }
    DispatchQueue.main.async {
      self.open(identifier)
      self.state.withLock { $0.late -= 1 }
      self.endIfDone()
    }
  }

  func moveLater(_ location: DownloadedFile, _ name: String) {
    state.withLock { $0.late += 1 }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
      do throws(TransferError) {
        try location.move(to: self.destination(name), replacing: true)
        self.say("file \(name)")
      } catch {
        self.say("lost \(name) \(error.code.rawValue)")
      }
      self.state.withLock { $0.late -= 1 }
      self.endIfDone()
    }
  }
}
