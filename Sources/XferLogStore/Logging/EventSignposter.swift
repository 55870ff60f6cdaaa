public import XferEvents

/// Marks intervals and points in time in a log, with an interface modelled on `OSSignposter`.
///
/// Signposts are logged if the log's levels include info.
///
/// ```swift
/// let state = signposter.beginInterval("decode", id: signposter.makeSignpostID())
/// …
/// signposter.endInterval("decode", state, "\(rows) rows")
/// ```
public struct EventSignposter: Sendable {
  public var subsystem: String { level.subsystem }
  public var category: String { level.category }
  private let level: CategoryLevel

  public init(subsystem: String, category: String, log: EventLog) {
    level = CategoryLevel(subsystem: subsystem, category: category, log: log)
  }

  public var isEnabled: Bool { level.keeps(.info) }
  private var log: EventLog { level.log }

  /// Returns an identifier that is unique in the log, for overlapping intervals of the same name.
  public func makeSignpostID() -> SignpostID { SignpostID(CorrelationID(log.makeIdentifier())) }

  /// Begins an interval.
  ///
  /// - Returns: The interval to pass to `endInterval`.
  @inlinable
  public func beginInterval(
    _ name: LogName, id: SignpostID = .exclusive, _ message: @autoclosure () -> LogMessage? = nil
  ) -> SignpostInterval {
    if isEnabled { begin(name, id, message()) }
    return SignpostInterval(name: name, id: id)
  }

  /// Ends an interval. The name must be the one that the interval began with.
  @inlinable
  public func endInterval(
    _ name: LogName, _ interval: SignpostInterval, _ message: @autoclosure () -> LogMessage? = nil
  ) {
    precondition(interval.name == name, "an interval must end with the name that it began with")
    if isEnabled { end(name, interval.id, message()) }
  }

  /// Marks a point in time.
  @inlinable
  public func emitEvent(
    _ name: LogName, id: SignpostID = .exclusive, _ message: @autoclosure () -> LogMessage? = nil
  ) {
    if isEnabled { mark(name, id, message()) }
  }

  /// Runs `operation` within an interval, which also ends if `operation` throws.
  public func withIntervalSignpost<Result, Failure: Error>(
    _ name: LogName, id: SignpostID = .exclusive, around operation: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let interval = beginInterval(name, id: id)
    defer { endInterval(name, interval) }
    return try operation()
  }

  /// Runs `operation` within an interval, which also ends if `operation` throws.
  nonisolated(nonsending) public func withIntervalSignpost<Result, Failure: Error>(
    _ name: LogName, id: SignpostID = .exclusive, around operation: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let interval = beginInterval(name, id: id)
    defer { endInterval(name, interval) }
    return try await operation()
  }

  // MARK: Recording

  @inline(never)
  @usableFromInline
  func begin(_ name: LogName, _ id: SignpostID, _ message: LogMessage?) {
    log.record(
      SignpostBegun(
        signpost: id.rawValue, subsystem: subsystem, category: category, name: name.text, eventMessage: message,
        activity: EventActivity.current?.id))
  }

  @inline(never)
  @usableFromInline
  func end(_ name: LogName, _ id: SignpostID, _ message: LogMessage?) {
    log.record(
      SignpostEnded(
        signpost: id.rawValue, subsystem: subsystem, category: category, name: name.text, eventMessage: message,
        activity: EventActivity.current?.id))
  }

  @inline(never)
  @usableFromInline
  func mark(_ name: LogName, _ id: SignpostID, _ message: LogMessage?) {
    log.record(
      SignpostEmitted(
        signpost: id.rawValue, subsystem: subsystem, category: category, name: name.text, eventMessage: message,
        activity: EventActivity.current?.id))
  }
}

/// Distinguishes overlapping intervals of the same name.
public struct SignpostID: Hashable, Sendable {
  public let rawValue: CorrelationID

  public init(_ rawValue: CorrelationID) { self.rawValue = rawValue }

  /// The identifier for names whose intervals never overlap. The value equals `OSSignpostID.exclusive`.
  public static let exclusive = SignpostID(CorrelationID(0xEEEE_B0B5_B2B2_EEEE))
}

/// An interval that has begun and not yet ended.
public struct SignpostInterval: Sendable {
  public let name: LogName
  public let id: SignpostID

  @usableFromInline
  init(name: LogName, id: SignpostID) {
    self.name = name
    self.id = id
  }
}
