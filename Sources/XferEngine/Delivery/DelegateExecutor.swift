public import Dispatch

/// Where a session's callbacks run; the session queues them one after the other, whatever the executor does.
public protocol DelegateExecutor: Sendable {
  /// How the log names it.
  var name: String { get }
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// A dispatch queue as delegate executor; `DispatchQueue.main` is what most apps want.
public struct QueueExecutor: DelegateExecutor {
  public let queue: DispatchQueue

  public init(_ queue: DispatchQueue) { self.queue = queue }

  public var name: String { queue.label }
  public func execute(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
