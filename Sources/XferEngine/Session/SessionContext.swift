internal import Dispatch
internal import Synchronization
internal import XferEvents

/// What a session, its tasks and its engine share: constants, and parts that guard themselves.
final class SessionContext: Sendable {
  /// Unique among the sessions of the process.
  let name: String
  /// One session object, as opposed to its name.
  let instance: CorrelationID
  /// As it applies.
  let configuration: TransferSession.Configuration
  let sink: any EventSink
  let clock: any TransferClock
  let network: any NetworkPathSource
  /// To whoever carries the tasks out.
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

  /// From 0 up to 1.
  func makeChance() -> Double { generator.withLock { Double($0.next() >> 11) / Double(1 << 53) } }

  /// Digests join within the session: the key is its own and is kept nowhere.
  func digest(of text: String) -> ValueDigest {
    var text = text
    return ValueDigest(text.withUTF8 { KeyedHash.hash(.init($0), key: digestKey) })
  }

  /// The same in each life and each process. No key keeps the text secret: for what a log may have anyway.
  static func lastingDigest(of text: String) -> ValueDigest {
    var text = text
    return ValueDigest(text.withUTF8 { KeyedHash.hash(.init($0), key: .init(first: 0, second: 0)) })
  }

  deinit { names.release(name, isIdentifier: configuration.identifier != nil) }
}
