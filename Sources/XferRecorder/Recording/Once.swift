internal import Synchronization

/// True the first time it is asked: an app may answer twice, and only the first answer counts.
final class Once: Sendable {
  private let wasAsked = Atomic(false)

  var isNow: Bool { !wasAsked.exchange(true, ordering: .relaxed) }
}
