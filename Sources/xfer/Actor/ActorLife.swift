import XferEngine
import XferScript

/// An app delegate that passes each change of the app's state to the script.
final class ActorLife: BackgroundAppDelegate {
  private let program: ActorProgram

  init(_ program: ActorProgram) { self.program = program }

  func didEnterBackground() { program.react(.enteredBackground, ActorContext()) }
  func willEnterForeground() { program.react(.enteringForeground, ActorContext()) }
  func willTerminate() { program.react(.willTerminate, ActorContext()) }
  func triggerFired(_ trigger: LaunchTrigger) { program.react(.trigger, ActorContext(trigger: trigger.name)) }
  func deadManFired(_ name: String, count: Int) { program.react(.deadman, ActorContext(trigger: name, count: count)) }

  func protectedDataBecameAvailable(_ isAvailable: Bool) {
    program.react(.protectedData, ActorContext(isAvailable: isAvailable))
  }
}
