import Foundation
import Synchronization
import XferEngine
import XferScript

extension ActorProgram {
  /// Carries out an action on background time, alarms, beats, triggers and the app's state.
  func keepTime(_ verb: String, _ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let name = text(arguments.text("name") ?? "", context)
    switch verb {
    case "begin-time":
      let slot = arguments.text("as").map { text($0, context) } ?? name
      let identifier = BackgroundApp.beginBackgroundTask(withName: name, slot: slot) {
        self.run(arguments.steps("expired"), context)
      }
      state.withLock { $0.times[slot] = identifier }
    case "end-time":
      let slot = text(arguments.text("as") ?? "", context)
      guard let identifier = state.withLock({ $0.times.removeValue(forKey: slot) }) else {
        throw ActorFailure("no background time \(slot) was begun")
      }
      BackgroundApp.endBackgroundTask(identifier)
    case "deadman": useDeadman(arguments, name)
    case "beat": useBeat(arguments, name)
    case "trigger": useTrigger(arguments, name)
    default: BackgroundApp.noteForeground(arguments.text("state") == "foreground", sink: log)
    }
  }

  private func useDeadman(_ arguments: ActorArguments, _ name: String) {
    let alarm = state.withLock { state in
      if let alarm = state.deadmen[name] { return alarm }
      let alarm = DeadManSwitch(name: name)
      state.deadmen[name] = alarm
      return alarm
    }
    if let time = arguments.duration("arm") { return alarm.arm(after: time) }
    if arguments.flag("check") == true { alarm.check() } else { alarm.disarm() }
  }

  private func useBeat(_ arguments: ActorArguments, _ name: String) {
    let beat = state.withLock { state in
      if let beat = state.beats[name] { return beat }
      let beat = Beat(name: name, sink: log)
      state.beats[name] = beat
      return beat
    }
    if let time = arguments.duration("expect") { return beat.expect(every: time) }
    if arguments.flag("send") == true { beat.noteSent() } else { beat.stop() }
  }

  private func useTrigger(_ arguments: ActorArguments, _ name: String) {
    guard let kind = LaunchTrigger.Kind(rawValue: arguments.text("arm") ?? arguments.text("disarm") ?? "") else { return }
    let trigger = LaunchTrigger(
      kind, name: name, radius: arguments.integer("radius"),
      firesAt: arguments.duration("after").map { BackgroundApp.now + $0.inSeconds })
    if arguments.text("arm") != nil { BackgroundApp.arm(trigger) } else { BackgroundApp.disarm(trigger) }
  }
}
