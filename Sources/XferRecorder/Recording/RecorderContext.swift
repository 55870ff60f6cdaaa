internal import Foundation
internal import Synchronization
internal import XferEvents

/// The state that all sessions, tasks and wakes of one recorder share.
final class RecorderContext: Sendable {
  let sink: any EventSink
  let store: (any TaskUIDStore)?
  let tasks = TaskTable()
  /// A closure that returns the monotonic time since a fixed moment.
  let now: @Sendable () -> Duration
  private let generator: Mutex<any RandomNumberGenerator & Sendable>
  private let digestKey: KeyedHash.Key
  private let sessions = Mutex(0)
  /// The completion handler of each session's latest wake, by session identifier.
  private let wakes = Mutex<[String: HandlerID]>([:])

  /// The number of named sessions in this process. Sessions without an identifier are numbered, and their names must be unique
  /// within the process because task identities in a log refer to them.
  private static let names = Atomic(0)

  init(
    sink: any EventSink, store: (any TaskUIDStore)?, generator: any RandomNumberGenerator & Sendable,
    now: (@Sendable () -> Duration)?
  ) {
    var generator = generator
    self.sink = sink
    self.store = store
    digestKey = .init(first: generator.next(), second: generator.next())
    self.generator = Mutex(generator)
    let start = ContinuousClock.now
    self.now = now ?? { ContinuousClock.now - start }
  }

  func makeTaskUID() -> TaskUID {
    generator.withLock { generator in
      let high = generator.next()
      return TaskUID(high: high, low: generator.next())
    }
  }

  func makeCorrelation() -> CorrelationID { generator.withLock { CorrelationID($0.next()) } }

  func makeHandler() -> HandlerID { generator.withLock { HandlerID($0.next()) } }

  func makeName() -> String { "urlsession-\(Self.names.add(1, ordering: .relaxed).newValue)" }

  /// Returns a keyed digest. Digests are comparable only within one recorder, because the key is random and is not stored.
  func digest(of text: String) -> ValueDigest {
    var text = text
    return ValueDigest(text.withUTF8 { KeyedHash.hash(.init($0), key: digestKey) })
  }

  /// Changes the number of live session objects and returns the new number.
  func countSessions(adding change: Int) -> Int {
    sessions.withLock { count in
      count += change
      return count
    }
  }

  /// Returns the completion handler of a session's latest wake, or `nil` when the app was not woken for the session.
  func wake(of session: String) -> HandlerID? { wakes.withLock { $0[session] } }

  func setWake(_ handler: HandlerID?, of session: String) { wakes.withLock { $0[session] = handler } }
}
