public import XferEvents
import XferReplay

/// The events and gaps of logs as an asynchronous sequence. An effect never comes before its cause.
///
/// ```swift
/// for try await case .event(let event) in LogMembers(of: ["run.xlog"]) where event.level >= .error {
///   print(event.kind?.name ?? "unknown", event.wall ?? "")
/// }
/// ```
///
/// Each iteration reads the logs once, a batch at a time, so that memory use does not grow with the log. A log that is still being written
/// is read up to the events that exist when the iteration arrives there.
public struct LogMembers: AsyncSequence, Sendable {
  private let logs: [String]
  private let options: Postmortem.Options

  /// - Parameters:
  ///   - logs: The paths of the logs, at least one, as for `Postmortem`.
  ///   - options: Only `recovery` applies.
  public init(of logs: [String], options: Postmortem.Options = Postmortem.Options()) {
    (self.logs, self.options) = (logs, options)
  }

  public func makeAsyncIterator() -> Iterator { Iterator(logs, options) }

  public struct Iterator: AsyncIteratorProtocol {
    private let logs: [String]
    private let options: Postmortem.Options
    private var members: OrderedMembers?

    fileprivate init(_ logs: [String], _ options: Postmortem.Options) { (self.logs, self.options) = (logs, options) }

    public mutating func next() async throws(PostmortemError) -> LogMember? { try following() }

    public mutating func next(isolation actor: isolated (any _Concurrency.Actor)?) async throws(PostmortemError) -> LogMember? {
      try following()
    }

    private mutating func following() throws(PostmortemError) -> LogMember? {
      if members == nil {
        let source = try PostmortemError.catching { try Replaying(logs, options).source() }
        members = OrderedMembers { source.next() }
      }
      return members?()
    }
  }
}
