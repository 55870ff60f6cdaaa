import LogTestSupport
import Logging
import Testing
import XferEvents
import XferLogStore
import XferSwiftLog

/// Tests of messages that are logged with swift-log's `Logger` and read back from the event log.
struct HandlerTests {
  private static let key: (UInt64, UInt64) = (1, 2)

  /// Returns the events of all messages that `logMessages` logs.
  private func messages(
    mode: CaptureMode = .hashed, level: Level = .debug, privacy: LogPrivacy = .private,
    provider: Logger.MetadataProvider? = nil, _ logMessages: (inout Logger) -> Void
  ) throws -> [RecordedEvent] {
    let temporary = TemporaryDirectory()
    let directory = temporary.path("run.xlog")
    let log = try EventLog(
      directory: directory,
      configuration: LogConfiguration(role: .app, privacy: .init(mode: mode, key: Self.key), lowestLevel: level))
    var logger = Logger(label: "net") { label in
      XferLogHandler(label: label, subsystem: "com.example", log: log, messagePrivacy: privacy, metadataProvider: provider)
    }
    logMessages(&logger)
    log.close()
    let reader = LogReader([.directory(directory)])
    // The mapped segments must stay alive, because the events refer to their memory.
    defer { withExtendedLifetime(temporary) {} }
    var events: [RecordedEvent] = []
    while let member = reader.next() {
      guard case .event(let event) = member, event.layout.name.hasPrefix("message.") else { continue }
      // A log in full mode adds a message about this mode itself.
      if event.subsystem != "xferlog" { events.append(event) }
    }
    return events
  }

  private func hash(_ text: String) -> RecordedText {
    let key = KeyedHash.Key(first: Self.key.0, second: Self.key.1)
    return .hashed(Array(text.utf8).withUnsafeBytes { KeyedHash.hash($0, key: key) })
  }

  private func arguments(_ event: RecordedEvent) -> [String: RecordedText] {
    var found: [String: RecordedText] = [:]
    for argument in event.eventMessage?.arguments ?? [] {
      if case .text(let text) = argument.value { found[argument.name ?? ""] = text }
    }
    return found
  }

  @Test func `Each swift-log level is mapped to a level of the event log`() throws {
    let events = try messages(privacy: .public) { logger in
      for level in Logger.Level.allCases { logger.log(level: level, "\(level)") }
    }
    #expect(events.map(\.level) == [.debug, .debug, .info, .default, .error, .error, .fault])
    #expect(events.compactMap { arguments($0)[""] } == Logger.Level.allCases.map { .plain("\($0)") })
  }

  @Test func `A logger uses the log's level until its own level is set`() throws {
    for (level, expected) in [(Level.debug, Logger.Level.trace), (.info, .info), (.default, .notice), (.fault, .notice)] {
      var seen: [Logger.Level] = []
      let events = try messages(level: level) { logger in
        seen.append(logger.logLevel)
        logger.debug("not always")
        logger.logLevel = .critical
        seen.append(logger.logLevel)
        logger.error("not")
        logger.critical("kept")
      }
      #expect(seen == [expected, .critical])
      #expect(events.map(\.level) == (level == .debug ? [.debug, .fault] : [.fault]))
    }
  }

  @Test func `A message below the log's level is not evaluated`() throws {
    var evaluated = 0
    func value() -> String {
      evaluated += 1
      return "x"
    }
    let events = try messages(level: .default) { logger in
      logger.logLevel = .trace
      logger.info("\(value())")
      logger.logLevel = .notice
      logger.info("\(value())")
    }
    #expect(events.isEmpty)
    // swift-log itself evaluated the first message, because the logger's own level allowed it.
    #expect(evaluated == 1)
  }

  @Test func `The label becomes the category, and the source location is kept`() throws {
    let line = #line + 1
    let events = try messages { $0.notice("here") }
    let event = try #require(events.first)
    #expect(event.subsystem == "com.example")
    #expect(event.category == "net")
    #expect(event.fileID == #fileID)
    #expect(event.function?.hasPrefix("The label becomes the category") == true)
    #expect(event.line == line)
    #expect(event.eventMessage?.format == "{}")
  }

  @Test(arguments: CaptureMode.allCases)
  func `Messages and metadata are private unless marked as public`(mode: CaptureMode) throws {
    let user = "jane"
    let events = try messages(mode: mode) { logger in
      logger.notice(
        "hello \(user)",
        metadata: [
          "plain": "\(user)", "public": "\(user, privacy: .public)", "private": "\(user, privacy: .private)",
          "sensitive": "\(user, privacy: .sensitive)",
          "both": "\(user, privacy: .public)/\(user, privacy: .sensitive)/\(user, privacy: .public)",
        ])
    }
    let kept = arguments(try #require(events.first))
    func form(_ text: String) -> RecordedText {
      switch mode {
      case .hashed: hash(text)
      case .redacted: .redacted
      case .full: .plain(text)
      }
    }
    #expect(kept[""] == form("hello jane"))
    #expect(kept["plain"] == form(user))
    #expect(kept["private"] == form(user))
    #expect(kept["public"] == .plain(user))
    #expect(kept["sensitive"] == (mode == .full ? .plain(user) : .redacted))
    #expect(kept["both"] == (mode == .full ? .plain("jane/jane/jane") : .redacted))
  }

  @Test func `Messages are public if the handler is configured this way`() throws {
    let events = try messages(privacy: .public) { $0.notice("starting", metadata: ["a": "b"]) }
    let kept = arguments(try #require(events.first))
    #expect(kept == ["": .plain("starting"), "a": hash("b")])
  }

  @Test func `A call's metadata override the provider's, which override the logger's`() throws {
    let provider = Logger.MetadataProvider { ["b": "provider", "c": "provider"] }
    let events = try messages(mode: .full, provider: provider) { logger in
      logger[metadataKey: "a"] = "logger"
      logger[metadataKey: "b"] = "logger"
      logger[metadataKey: "c"] = "logger"
      logger.notice("x", metadata: ["c": "call"])
    }
    let event = try #require(events.first)
    #expect(event.eventMessage?.arguments.map(\.name) == [nil, "a", "b", "c"])
    #expect(arguments(event) == ["": .plain("x"), "a": .plain("logger"), "b": .plain("provider"), "c": .plain("call")])
  }

  @Test func `Dictionaries and arrays are flattened into separate arguments`() throws {
    let events = try messages(mode: .full) { logger in
      logger.notice(
        "x", metadata: ["user": ["name": "jane", "ids": ["1", ["deep": "2"]]], "empty": [:], "number": .stringConvertible(7)])
    }
    let kept = arguments(try #require(events.first))
    #expect(
      kept == [
        "": .plain("x"), "user.name": .plain("jane"), "user.ids[0]": .plain("1"), "user.ids[1].deep": .plain("2"),
        "number": .plain("7"),
      ])
  }

  private struct Refused: Error, CustomStringConvertible { let description = "refused by jane" }

  @Test func `The type of an error is public and its message is private`() throws {
    let events = try messages { $0.error("cannot connect", error: Refused()) }
    let kept = arguments(try #require(events.first))
    #expect(kept["error.message"] == hash("refused by jane"))
    guard case .plain(let type) = kept["error.type"] else {
      Issue.record("the type is not public")
      return
    }
    #expect(type.hasSuffix("Refused"))
  }

  @Test func `A copy of a logger keeps its own level and metadata`() throws {
    let events = try messages(mode: .full) { logger in
      var copy = logger
      copy.logLevel = .error
      copy[metadataKey: "copy"] = "yes"
      logger.notice("first")
      copy.notice("not kept")
      copy.error("second")
    }
    #expect(events.map { arguments($0) } == [["": .plain("first")], ["": .plain("second"), "copy": .plain("yes")]])
  }
}
