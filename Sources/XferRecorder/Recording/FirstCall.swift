internal import Synchronization

/// A thread-safe flag that is true only when first read. An app may call a completion handler twice, and only the first call
/// counts.
final class FirstCall: Sendable {
  private let wasRead = Atomic(false)

  var isFirst: Bool { !wasRead.exchange(true, ordering: .relaxed) }
}
