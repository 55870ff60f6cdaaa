internal import Foundation
internal import Synchronization
internal import XferEvents

/// What the sessions, tasks and wakes of one recorder share.
final class RecorderContext: Sendable {
  let sink: any EventSink
  let store: (any TaskUIDStore)?
  let tasks = TaskTable()
  /// Time since a fixed moment; never goes back.
  let now: @Sendable () -> Duration
  private let generator: Mutex<any RandomNumberGenerator & Sendable>
  private let digestKey: KeyedHash.Key
  private let sessions = Mutex(0)
  /// By session identifier.
  private let wakes = Mutex<[String: HandlerID]>([:])

  /// Sessions without an identifier are numbered. Task identities in a log join by these names, so the process is the scope
  /// in which they are unique, and nothing smaller can say so.
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

  /// Digests join within the recorder: the key is its own and is kept nowhere.
  func digest(of text: String) -> ValueDigest {
    var text = text
    return ValueDigest(text.withUTF8 { KeyedHash.hash(.init($0), key: digestKey) })
  }

  /// - Returns: how many session objects are alive.
  func countSessions(adding change: Int) -> Int {
    sessions.withLock { count in
      count += change
      return count
    }
  }

  /// The wake for which a session's events are being delivered.
  func wake(of session: String) -> HandlerID? { wakes.withLock { $0[session] } }

  func setWake(_ handler: HandlerID?, of session: String) { wakes.withLock { $0[session] = handler } }
}
