public import Dispatch

/// An executor of a session's callbacks. The session submits callbacks one after the other, so the executor may be concurrent.
public protocol DelegateExecutor: Sendable {
  /// The executor's name in the log.
  var name: String { get }
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// A delegate executor that uses a dispatch queue, such as `DispatchQueue.main`.
public struct QueueExecutor: DelegateExecutor {
  public let queue: DispatchQueue

  public init(_ queue: DispatchQueue) { self.queue = queue }

  public var name: String { queue.label }
  public func execute(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
