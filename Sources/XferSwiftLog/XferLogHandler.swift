public import Logging
public import XferEvents
public import XferLogStore

/// A swift-log handler that writes messages to an event log, next to the events of transfers.
///
/// ```swift
/// LoggingSystem.bootstrap { XferLogHandler(label: $0, subsystem: "com.example.app", log: appLog) }
/// ```
///
/// The logger's label becomes the category. Messages are private by default, because swift-log passes them as finished strings
/// whose contents are unknown. Metadata values are private, too, unless they are marked with `"\(value, privacy: .public)"`.
/// Keys, labels and source locations are public. Levels are mapped: trace to debug, notice to default, warning to error, and
/// critical to fault.
public struct XferLogHandler: LogHandler {
  /// The subsystem of all messages, such as a bundle identifier.
  public let subsystem: String
  /// The category of all messages: the logger's label.
  public let category: String
  /// The privacy of message texts. Use `.public` only when messages contain no private values, for example because these are
  /// passed as metadata.
  public var messagePrivacy: LogPrivacy
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  private let log: EventLog
  private var ownLevel: Logger.Level?

  /// Creates a handler for one logger.
  ///
  /// - Parameters:
  ///   - label: The logger's label, which becomes the category.
  ///   - subsystem: The subsystem of all messages.
  ///   - log: The log to write to.
  ///   - messagePrivacy: The privacy of message texts.
  ///   - metadataProvider: The source of context-dependent metadata.
  public init(
    label: String, subsystem: String, log: EventLog, messagePrivacy: LogPrivacy = .private,
    metadataProvider: Logger.MetadataProvider? = LoggingSystem.metadataProvider
  ) {
    category = label
    self.subsystem = subsystem
    self.log = log
    self.messagePrivacy = messagePrivacy
    self.metadataProvider = metadataProvider
  }

  /// The minimum level of messages, by default the log's own level. Messages below the log's own level are never written.
  public var logLevel: Logger.Level {
    get { ownLevel ?? (keeps(.debug) ? .trace : keeps(.info) ? .info : .notice) }
    set { ownLevel = newValue }
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    let level = event.level.level
    guard keeps(level) else { return }
    var message = LogMessage(text: event.message.description, privacy: messagePrivacy)
    let all = MetadataMerger(own: metadata, provided: metadataProvider?.get(), given: event.metadata).merged
    for (key, value) in all { message.attach(key, value) }
    if let error = event.error {
      // These are the keys that swift-log's default handler uses.
      message.attach("error.message", String(describing: error))
      message.attach("error.type", String(reflecting: type(of: error)), privacy: .public)
    }
    log.record(
      message, level: level, subsystem: subsystem, category: category,
      place: SourceLocation(fileID: event.file, function: event.function, line: Int(clamping: event.line)))
  }

  private func keeps(_ level: Level) -> Bool { log.keeps(level, subsystem: subsystem, category: category) }
}

extension Logger.Level {
  /// The corresponding level of the event log.
  fileprivate var level: Level {
    switch self {
    case .trace, .debug: .debug
    case .info: .info
    case .notice: .default
    case .warning, .error: .error
    case .critical: .fault
    }
  }
}
