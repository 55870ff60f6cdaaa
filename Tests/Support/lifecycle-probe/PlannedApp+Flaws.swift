import Dispatch
import Foundation
import LogTestSupport
import Synchronization
import XferEngine

// MARK: Flaws
extension PlannedApp {
  /// Returns whether the plan has a flaw in a session or task.
  ///
  /// - Parameter subject: A session, or the name of a task.
  func does(_ flaw: AppPlan.Flaw, _ subject: String) -> Bool { plan.flaw == flaw && plan.flawed == subject }

  /// Returns whether this process omits a session at its start.
  func isLeftOut(_ identifier: String) -> Bool {
    guard BackgroundApp.isWoken else { return false }
    if does(.makesAnother, identifier) { open("\(identifier).v2") }
    return does(.makesNoSession, identifier) || does(.makesAnother, identifier)
      || does(.callsHandlerAtOnce, identifier) && !plan.isSessionThere
  }

  /// Whether this process has work that it will never finish. If the process exited, the daemon would relaunch it.
  var hasLeftSomething: Bool {
    // A process relaunched for the other session has no unfinished work.
    (plan.flaw == .makesNoSession || plan.flaw == .makesAnother) && state.withLock { $0.woken.contains(plan.flawed) }
  }

  /// Returns whether a session's completion handler will never be called.
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

  /// Opens a session shortly after launch, like an app that creates its session when a view is loaded.
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
