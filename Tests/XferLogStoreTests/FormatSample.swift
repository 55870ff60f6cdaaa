import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// A sample log in `Samples/Formats/v1.4-vocabulary-5`: either written directly or derived from another sample, for example by damaging
/// it.
struct FormatSample: Sendable, CustomTestStringConvertible {
  let name: String
  /// The name of the sample that this one is derived from; `nil` for a sample that is written directly.
  var base: String?
  /// Makes the sample's files by name, given the files of its base.
  let make: @Sendable (_ base: Files) throws -> Files

  typealias Files = [String: [UInt8]]

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Samples/Formats/v1.4-vocabulary-5").path

  var testDescription: String { name }
  var path: String { "\(Self.folder)/\(name).xlog" }

  /// The committed files of the sample; empty if there are none.
  var committed: Files {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in (try? contents(of: "\(path)/\(name)")).map { (name, $0) } })
  }

  /// Whether the sample contains a sealed segment.
  var isSealed: Bool {
    committed.values.contains { bytes in
      let header = bytes.withUnsafeBytes { try? SegmentHeader.decode($0).get() }
      return header?.incompatible.contains(.compressed) ?? false
    }
  }

  /// Makes the sample's files again from the committed files of its base.
  func made() throws -> Files { try make(base.map { try Self.named($0).committed } ?? [:]) }

  /// Replaces the committed files.
  func write(_ files: Files) throws {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, bytes) in files { try XferLogStoreTests.write(bytes, to: "\(path)/\(name)") }
  }

  /// Returns the files with the kernel's thread IDs, which vary, and the checksums over them set to zero.
  static func withoutThreads(_ files: Files) -> Files {
    files.mapValues { bytes in
      var bytes = bytes
      for header in stride(from: SegmentFormat.headerSize, to: bytes.count - 63, by: 4)
      where bytes[header] == 0x58 && bytes[header..<header + 4].elementsEqual("XCHK".utf8) {
        for place in [16..<20, 60..<64].joined() { bytes[header + place] = 0 }
      }
      return bytes
    }
  }
}

// MARK: Writing

extension FormatSample {
  private static let segment = LogDirectory.name(of: 1)
  private static let task = TaskIdentity(uid: TaskUID(high: 0xA, low: 0xB), session: "com.example.photos", number: 3)

  /// Writes a log with a fixed clock, random source and process identity.
  private static func written(
    closes: Bool = true, _ change: (inout LogConfiguration) -> Void = { _ in }, _ body: (EventLog, TestClock) throws -> Void
  ) throws -> Files {
    let test = TestLog()
    let clock = TestClock()
    let random = Atomic<UInt64>(0)
    let boot = BootID(high: 0x0B00_7000_0000_0000, low: 1)
    let log = try test.open { configuration in
      configuration.role = .daemon
      configuration.privacy = PrivacyPolicy(declaredPublic: [.path], key: (1, 2))
      configuration.process = ProcessIdentity(pid: 4242, start: 77, namespace: 88, boot: boot, executable: "golden")
      configuration.startReason = .command
      configuration.version = "1.0"
      // The samples are the same on every machine.
      configuration.osVersion = nil
      configuration.clock = clock.clock
      configuration.random = { random.add(0x1111_1111_1111_1111, ordering: .relaxed).newValue }
      configuration.isSynthetic = true
      change(&configuration)
    }
    try body(log, clock)
    if closes { log.close(exitCode: 3, reason: .exitCall) }
    defer { withExtendedLifetime(log) {} }
    return Dictionary(uniqueKeysWithValues: try test.segments.map { ("\($0.split(separator: "/").last!)", try contents(of: $0)) })
  }

  /// Emits events that cover every kind of record and field.
  private static func emitAll(to log: EventLog) {
    log.emit(
      SessionCreated(
        session: task.session, instance: CorrelationID(5), sessionKind: .background, configuration: ValueDigest(0xC0FFEE),
        requestTimeout: .seconds(60), discretionary: true))
    log.emit(
      TaskCreated(
        task: task, type: .download, method: "GET", scheme: "https", host: "cdn.example.com", port: 8443, path: "/日本/1",
        urlQuery: "private", sourceModified: WallTime(nanoseconds: -1), expectedToReceive: 1 << 40))
    log.emit(LinkConnected(peer: LaunchID(high: 1, low: 2), generation: 9))
    log.emit(SessionTasksAnswered(session: task.session, count: 2, tasks: [task, task]))
    log.emit(AppNoted(task: task, intent: "مرحبا", message: "never readable"))
    log.emit(AttemptEnded(task: task, attempt: 1, end: .transport, domain: .curl, error: 28, errorName: "timeout"))
    log.emit(AppNoted(intent: String(repeating: "large ", count: 7000)))
    Workload.emit(1, numbers: 0..<40, to: log)
  }

  /// Emits the account of a log of another program, with one event.
  private static func convert(to log: EventLog) {
    log.emit(ImportFileOpened(importFile: 1, name: "app.har", format: "har", size: 1234, content: ValueDigest(0xC0FFEE)))
    log.emit(
      ImportWriterFound(
        importWriter: 1, importFile: 1, installation: "00000000-0000-0001-0000-000000000002", role: .app, executable: "browser",
        coverage: "an HTTP Archive", coveredEvents: "task.completed,task.created"))
    log.emit(
      ImportEventRead(
        importWriter: 1, importLine: 7, wallClock: WallTime(nanoseconds: 1_795_000_000_000_000_000), original: "GET"))
    log.emit(TaskCompleted(task: task, received: 100, status: 200))
    log.emit(
      ImportGapFound(
        importFile: 1, reason: "truncated", importLine: 8, lastLine: 8, installation: "00000000-0000-0001-0000-000000000002",
        terms: "file/files archive/archives entry/entries"))
    log.emit(ImportFileRead(importFile: 1, lastLine: 40, count: 7, recognised: 7))
    log.emit(ImportFileIncomplete(importFile: 1, message: "app.har was read only up to line 40"))
  }

  private static func emitFew(to log: EventLog) {
    log.emit(TaskCreated(task: task, type: .download, host: "cdn.example.com", path: "/日本/1", urlQuery: "private"))
    log.emit(TaskCompleted(task: task, received: 100))
  }

  /// Emits a message at every level.
  private static func say(to log: EventLog) {
    let logger = EventLogger(subsystem: "com.example.photos", category: "import", log: log)
    for level in [Level.debug, .info, .default, .error, .fault] {
      logger.log(
        level: level,
        "\(3) of \(-7, format: .hex) rows of \("a private name"), \("مرحبا", privacy: .public): \(1.5, format: .fixed(precision: 2)), \(true)"
      )
    }
  }

  static func named(_ name: String) throws -> FormatSample { try #require(all.first { $0.name == name }) }

  private init(_ name: String, of base: String? = nil, _ make: @escaping @Sendable (Files) throws -> Files) {
    self.name = name
    self.base = base
    self.make = make
  }

  /// Creates a sample by changing the only segment of its base.
  private init(_ name: String, of base: String, changing change: @escaping @Sendable (inout [UInt8]) throws -> Void) {
    self.init(name, of: base) { files in
      var files = files
      try change(&files[Self.segment]!)
      return files
    }
  }

  /// Creates a sample by working on a copy of its base in a temporary directory.
  private init(_ name: String, of base: String, working work: @escaping @Sendable (_ directory: String) throws -> String) {
    self.init(name, of: base) { files in
      let directory = TemporaryDirectory()
      let log = directory.path("log.xlog")
      try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
      for (name, bytes) in files { try XferLogStoreTests.write(bytes, to: "\(log)/\(name)") }
      let result = try work(log)
      return Dictionary(
        uniqueKeysWithValues: try LogDirectory.names(in: result).map { ($0, try contents(of: "\(result)/\($0)")) })
    }
  }

  private static func seal(_ log: String) throws {
    for outcome in LogSealer(directory: log).seal() { _ = try outcome.result.get() }
  }

  static let all: [FormatSample] = [
    FormatSample("smallest") { _ in try written { log, _ in log.emit(TaskCompleted(task: task, received: 100)) } },
    FormatSample("everything") { _ in try written { log, _ in emitAll(to: log) } },
    FormatSample("appended") { _ in try written({ $0.forcesAppending = true }) { log, _ in emitFew(to: log) } },
    FormatSample("messages") { _ in try written({ $0.lowestLevel = .debug }) { log, _ in say(to: log) } },
    FormatSample("killed") { _ in try written(closes: false) { log, _ in emitFew(to: log) } },
    FormatSample("two-segments") { _ in
      try written({ $0.maximumSegmentAge = .seconds(60) }) { log, clock in
        emitFew(to: log)
        clock.advance(by: 61_000_000_000)
        log.emit(AppNoted(intent: String(repeating: "large ", count: 7000)))
        emitFew(to: log)
      }
    },
    FormatSample("kept-detail") { _ in
      try written({ $0.flightRecorder = FlightRecorder() }) { log, _ in
        Detail.emit(0..<5, of: 1, to: log)
        Detail.complete(1, error: 28, in: log)
      }
    },
    FormatSample("converted") { _ in
      try written({ $0.isConversion = true }) { log, _ in convert(to: log) }
    },
    FormatSample("sealed", of: "everything") { log in
      try seal(log)
      return log
    },
    FormatSample("sealed-segments", of: "two-segments") { log in
      try seal(log)
      return log
    },
    FormatSample("thinned", of: "messages") { log in
      try seal(log)
      let count = try LogSealer(directory: log).thin(LogDirectory.path(of: 1, in: log), number: 1, lowest: .default)
      precondition(count == 2)
      return log
    },
    // The following samples are damaged or processed logs.
    FormatSample("torn", of: "killed") { bytes in
      var draft = SegmentDraft(bytes)
      let place = draft.chunks.lastIndex { !$0.isDictionary }!
      // Append the last record again without its commit word.
      draft.chunks[place].torn = [0, 0, 0, 0] + bytes[draft.chunks[place].records.last!.bytes].dropFirst(4)
      bytes = draft.bytes() + bytes[draft.bytes().count...]
    },
    FormatSample("cut", of: "everything") { bytes in bytes.removeLast(bytes.count - SegmentFormat.chunkOffset(2) - 100) },
    FormatSample("flipped-record", of: "everything") { bytes in
      let record = SegmentDraft(bytes).chunks.first { !$0.isDictionary }!.records[6]
      bytes[record.bytes.lowerBound + 20] ^= 0x10
    },
    FormatSample("lost-chunk", of: "everything") { bytes in
      let chunk = SegmentDraft(bytes).chunks.firstIndex { !$0.isDictionary }!
      for place in [0, SegmentFormat.recordsEnd(span: 1)] { bytes[SegmentFormat.chunkOffset(chunk) + place + 20] ^= 1 }
    },
    FormatSample("lost-header", of: "everything") { bytes in
      bytes.replaceSubrange(..<1024, with: [UInt8](repeating: 0, count: 1024))
    },
    FormatSample("sealed-flipped", of: "sealed") { bytes in bytes[SegmentFormat.headerSize + 700] ^= 0x10 },
    FormatSample("sealed-cut", of: "sealed") { bytes in bytes.removeLast(200) },
    FormatSample("edited", of: "smallest") { bytes in
      var draft = SealedDraft(try sealedSegment(bytes, compresses: false))
      let block = draft.blocks.lastIndex { !$0.isDictionary }!
      // The encoded number of received bytes.
      let received = draft.blocks[block].stored.indices.first {
        draft.blocks[block].stored[$0...].starts(with: [100, 0, 0, 0, 0, 0, 0, 0])
      }!
      draft.blocks[block].stored[received] = 200
      bytes = draft.bytes()
    },
    FormatSample("salvaged", of: "flipped-record") { log in
      let output = "\(log).salvaged"
      for outcome in try LogSalvager([.directory(log)], to: output).salvage() { _ = try outcome.result.get() }
      return output
    },
    FormatSample("unbegun", of: "smallest") { bytes in
      bytes = [UInt8](repeating: 0, count: SegmentFormat.headerSize + SegmentFormat.chunkSize)
    },
    // The following samples contain what later versions may write.
    FormatSample("unknown-compatible-flag", of: "smallest") { bytes in forge(0x4000_0008 as UInt32, at: 16, in: &bytes) },
    FormatSample("unknown-incompatible-flag", of: "smallest") { bytes in forge(0x0800_0000 as UInt32, at: 20, in: &bytes) },
    FormatSample("unknown-version", of: "smallest") { bytes in forge(2 as UInt16, at: 8, in: &bytes) },
    FormatSample("unknown-event", of: "smallest") { bytes in
      try redefine("task.completed", as: "task.concluded", in: &bytes)
      forge(EventLayout.knownDigest ^ 1, at: 128, in: &bytes)
    },
    FormatSample("unknown-field", of: "smallest") { bytes in
      try redefine("received", as: "obtained", in: &bytes)
      forge(EventLayout.knownDigest ^ 1, at: 128, in: &bytes)
    },
  ]
}
