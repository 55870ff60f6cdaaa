/// A mechanism by which an app continues or reports while it is in the background: an assertion, an alarm, a beat or a handoff.
package enum Keepalive: Sendable {
  case assertion(AssertionLifecycle)
  case alarm(AlarmLifecycle)
  case beat(BeatLifecycle)
  case handoff(HandoffLifecycle)

  /// The index of the process life to which the mechanism belongs.
  package var process: Int {
    switch self {
    case .assertion(let assertion): assertion.process
    case .alarm(let alarm): alarm.process
    case .beat(let beat): beat.process
    case .handoff(let handoff): handoff.process
    }
  }

  /// The name in the app's code; `nil` if there is none.
  package var name: String? {
    switch self {
    case .assertion(let assertion): assertion.name
    case .alarm(let alarm): alarm.name
    case .beat(let beat): beat.name
    case .handoff: nil
    }
  }
}
