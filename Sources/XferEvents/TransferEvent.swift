/// One fact, as the code that saw it states it. The types that conform are generated from the vocabulary.
public protocol TransferEvent: Sendable {
  static var kind: EventKind { get }

  /// The transfer that it is about; `nil` for what is about none.
  var subject: TaskIdentity? { get }

  /// Writes the fields that are present, in stored order.
  func encode(into encoder: inout FieldEncoder)
}

extension TransferEvent {
  public var subject: TaskIdentity? { nil }
}

/// Where events go: a log, a test's array, nowhere.
///
/// `emit` returns when the event is as safe as the sink makes it; it never throws and never waits for a disk.
public protocol EventSink: Sendable {
  func emit(_ event: some TransferEvent)

  /// Whether an event of this kind would be kept; asked before the cost of gathering what a diagnostic event says.
  func keeps(_ kind: EventKind) -> Bool

  /// Whether even secrets are kept: by a log whose capture mode is `full`. Asked before any is gathered.
  var keepsSecrets: Bool { get }

  /// The process life that the sink writes for; `nil` for one that keeps nothing.
  var processLaunch: LaunchID? { get }
}

extension EventSink {
  public var keepsSecrets: Bool { false }
  public var processLaunch: LaunchID? { nil }
}

/// Keeps nothing.
public struct NullSink: EventSink {
  public init() {}
  public func emit(_ event: some TransferEvent) {}
  public func keeps(_ kind: EventKind) -> Bool { false }
}
