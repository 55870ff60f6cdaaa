public import XferEvents
import XferReplay

/// The events and gaps of logs as an asynchronous sequence. An effect never comes before its cause.
///
/// ```swift
/// for try await case .event(let event) in LogMembers(of: ["run.xlog"]) where event.level >= .error {
///   print(event.kind?.name ?? "unknown")
/// }
/// ```
///
/// Each iteration reads the logs once, a batch at a time, so that memory use does not grow with the log. Of a log that is still being
/// written, it reads the events that exist when it arrives at their end, or, if it follows the log, also those that come later.
public struct LogMembers: AsyncSequence, Sendable {
  private let logs: [String]
  private let follows: Bool
  private let options: Postmortem.Options

  /// - Parameters:
  ///   - logs: The paths of the logs, at least one, as for `Postmortem`.
  ///   - follows: Whether the sequence waits for later events instead of ending. It then ends when its task is cancelled. Only logs of this
  ///     package and logs of lines can be followed. A log may be created later.
  ///   - options: Only `recovery` applies, and not to logs that are followed.
  public init(of logs: [String], follows: Bool = false, options: Postmortem.Options = Postmortem.Options()) {
    (self.logs, self.follows, self.options) = (logs, follows, options)
  }

  public func makeAsyncIterator() -> Iterator { Iterator(logs, follows: follows, options) }

  public struct Iterator: AsyncIteratorProtocol {
    private let logs: [String]
    private let follows: Bool
    private let options: Postmortem.Options
    private var opened: Opened?
    private var pause = Self.pauses.lowerBound

    /// The times between two looks at a log that is followed. Writes to a segment cause no notification.
    private static let pauses: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(50)

    private struct Opened {
      /// Keeps the files of unpacked archives.
      let replaying: Replaying
      /// The source; `nil` unless it is followed.
      let followed: (any FollowableSource)?
      var members: OrderedMembers
    }

    fileprivate init(_ logs: [String], follows: Bool, _ options: Postmortem.Options) {
      (self.logs, self.follows, self.options) = (logs, follows, options)
    }

    public mutating func next() async throws(PostmortemError) -> LogMember? { try await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any _Concurrency.Actor)?) async throws(PostmortemError) -> LogMember? {
      if opened == nil { opened = try open() }
      while true {
        if let member = opened?.members() {
          pause = Self.pauses.lowerBound
          return member
        }
        guard let source = opened?.followed, !Task.isCancelled else { return nil }
        try? await Task.sleep(for: pause)
        pause = Swift.min(pause * 2, Self.pauses.upperBound)
        source.refresh()
      }
    }

    private func open() throws(PostmortemError) -> Opened {
      try PostmortemError.catching {
        let replaying = try Replaying(logs, options, mayAppear: follows)
        let followed = follows ? try replaying.followedSource() : nil
        let source: any EventSource = try followed ?? replaying.source()
        return Opened(replaying: replaying, followed: followed, members: OrderedMembers { source.next() })
      }
    }
  }
}
