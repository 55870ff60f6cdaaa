/// What an app does to be heard of, or to go on, when it is not in front: one such thing, from its beginning to its end.
package enum Keepalive: Sendable {
  case assertion(AssertionLifecycle)
  case alarm(AlarmLifecycle)
  case beat(BeatLifecycle)
  case handoff(HandoffLifecycle)

  /// Place of the process life that it belongs to.
  package var process: Int {
    switch self {
    case .assertion(let assertion): assertion.process
    case .alarm(let alarm): alarm.process
    case .beat(let beat): beat.process
    case .handoff(let handoff): handoff.process
    }
  }

  /// The name that the app's code gave it; `nil` when there is none.
  package var name: String? {
    switch self {
    case .assertion(let assertion): assertion.name
    case .alarm(let alarm): alarm.name
    case .beat(let beat): beat.name
    case .handoff: nil
    }
  }
}
