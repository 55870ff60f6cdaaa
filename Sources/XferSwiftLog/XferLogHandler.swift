public import Logging
public import XferEvents
public import XferLogStore

/// Brings what swift-log's loggers say into a log, beside the events of its transfers.
///
/// ```swift
/// LoggingSystem.bootstrap { XferLogHandler(label: $0, subsystem: "com.example.app", log: appLog) }
/// ```
///
/// A logger's label is the category. Messages are private, because swift-log hands them over as finished strings of which
/// nobody can say what is in them; metadata values are, too, unless `"\(value, privacy: .public)"` says otherwise. Keys,
/// labels and places in the source code are public. trace is kept as debug, notice as default, warning as error, critical
/// as fault.
public struct XferLogHandler: LogHandler {
  public let subsystem: String
  public let category: String
  /// What is kept of the message itself; public is for code that puts its values into metadata.
  public var messagePrivacy: LogPrivacy
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  private let log: EventLog
  private var ownLevel: Logger.Level?

  /// - Parameter label: the category.
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

  /// The level that the log keeps, until another is set. A message below the log's level is not kept whatever is set.
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
      // The keys that swift-log's own handler uses.
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
  /// os_log's.
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
