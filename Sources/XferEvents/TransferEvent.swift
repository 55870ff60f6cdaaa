/// An event with typed fields, created by the code that observed it. The conforming types are generated from the vocabulary.
public protocol TransferEvent: Sendable {
  static var kind: EventKind { get }

  /// The task that the event names; `nil` if it names none.
  var subject: TaskIdentity? { get }

  /// Writes the present fields, in stored order.
  func encode(into encoder: inout FieldEncoder)
}

extension TransferEvent {
  public var subject: TaskIdentity? { nil }
}

/// A destination of events, such as a log or a test's array.
///
/// When `emit` returns, the event is stored as safely as the sink can store it. `emit` never throws and never waits for a disk.
public protocol EventSink: Sendable {
  func emit(_ event: some TransferEvent)

  /// Whether the sink keeps events of this kind. Callers ask before they collect the fields of a diagnostic event.
  func keeps(_ kind: EventKind) -> Bool

  /// Whether the sink stores secrets, which only a log with the capture mode `full` does. Callers ask before they collect a
  /// secret.
  var keepsSecrets: Bool { get }

  /// The process life that the sink writes for; `nil` if it stores no events.
  var processLaunch: LaunchID? { get }

  /// Whether the sink still accepts events. A sink that was closed, for example because the process is about to exit, discards them.
  var isOpen: Bool { get }
}

extension EventSink {
  public var keepsSecrets: Bool { false }
  public var processLaunch: LaunchID? { nil }
  public var isOpen: Bool { true }
}

/// A sink that discards all events.
public struct NullSink: EventSink {
  public init() {}
  public func emit(_ event: some TransferEvent) {}
  public func keeps(_ kind: EventKind) -> Bool { false }
}
