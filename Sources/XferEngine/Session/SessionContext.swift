internal import Dispatch
internal import Synchronization
internal import XferEvents

/// The constants and thread-safe parts that a session, its tasks and its engine share.
final class SessionContext: Sendable {
  /// The session's name in the log.
  let name: String
  /// The identifier of this session object. Another object with the same name has a different one.
  let instance: CorrelationID
  /// The effective configuration.
  let configuration: TransferSession.Configuration
  /// The span to which attempts belong. `nil` if there is none.
  let trace: TraceContext?
  let sink: any EventSink
  let clock: any TransferClock
  let network: any NetworkPathSource
  /// The queue of commands to the engine's thread or, for a background session, to the daemon.
  let mailbox = Mailbox()
  let lane: DeliveryLane
  let liveSessions: Int
  private let names: SessionNames
  private let generator: Mutex<any RandomNumberGenerator & Sendable>
  private let digestKey: KeyedHash.Key

  init(
    _ configuration: TransferSession.Configuration, executor: (any DelegateExecutor)?, sink: any EventSink,
    clock: any TransferClock, network: any NetworkPathSource, names: SessionNames, generator: any RandomNumberGenerator & Sendable
  ) {
    var generator = generator
    (name, liveSessions) =
      configuration.identifier.map(names.claim(identifier:))
      ?? names.claim(configuration.name, kind: configuration.sessionKind.name)
    self.configuration = configuration.effective
    trace = configuration.trace
    self.sink = sink
    self.clock = clock
    self.network = network
    self.names = names
    instance = CorrelationID(generator.next())
    digestKey = .init(first: generator.next(), second: generator.next())
    let prefix = UInt32(truncatingIfNeeded: generator.next() >> 32)
    let executor = executor ?? QueueExecutor(DispatchQueue(label: "\(name).delegate"))
    lane = DeliveryLane(executor: executor, session: name, sink: sink, prefix: prefix)
    self.generator = Mutex(generator)
  }

  func makeTaskUID() -> TaskUID {
    generator.withLock { generator in
      let high = generator.next()
      return TaskUID(high: high, low: generator.next())
    }
  }

  func makeCorrelation() -> CorrelationID { generator.withLock { CorrelationID($0.next()) } }

  /// Returns the identifier of a new span, which is never 0.
  func makeSpan() -> UInt64 { max(1, makeCorrelation().rawValue) }

  /// Returns a random number from 0 up to, but excluding, 1.
  func makeChance() -> Double { generator.withLock { Double($0.next() >> 11) / Double(1 << 53) } }

  /// Returns a keyed hash of the text. Hashes are comparable only within this session object, because its random key is never
  /// stored.
  func digest(of text: String) -> ValueDigest {
    var text = text
    return ValueDigest(text.withUTF8 { KeyedHash.hash(.init($0), key: digestKey) })
  }

  /// Returns a hash that is the same in every process. Only for texts that are not secret, because the key is constant.
  static func lastingDigest(of text: String) -> ValueDigest {
    var text = text
    return ValueDigest(text.withUTF8 { KeyedHash.hash(.init($0), key: .init(first: 0, second: 0)) })
  }

  deinit { names.release(name, isIdentifier: configuration.identifier != nil) }
}
