import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// Version 1 of the format stays what it is: a committed segment is read, and written again byte for byte.
struct FormatTests {
  private static func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)")
  }

  /// Writes a log whose clock, random numbers and process are given.
  private func written(_ test: TestLog) throws -> [UInt8] {
    let clock = TestClock()
    let random = Atomic<UInt64>(0)
    let boot = BootID(high: 0x0B00_7000_0000_0000, low: 1)
    let log = try test.open { configuration in
      configuration.role = .daemon
      configuration.privacy = PrivacyPolicy(declaredPublic: [.path], key: (1, 2))
      configuration.process = ProcessIdentity(pid: 4242, start: 77, namespace: 88, boot: boot, executable: "golden")
      configuration.startReason = .command
      configuration.version = "1.0"
      configuration.clock = clock.clock
      configuration.random = { random.add(0x1111_1111_1111_1111, ordering: .relaxed).newValue }
      configuration.isSynthetic = true
    }
    let task = TaskIdentity(uid: TaskUID(high: 0xA, low: 0xB), session: "com.example.photos", number: 3)
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
    log.close(exitCode: 3, reason: .exitCall)
    return try contents(of: test.segment(1))
  }

  /// Without the kernel's thread numbers, which nobody can choose, and the checksums over them.
  private func withoutThreads(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for chunk in stride(from: SegmentFormat.headerSize, to: bytes.count, by: SegmentFormat.chunkSize) {
      for header in [chunk, chunk + SegmentFormat.recordsEnd(span: 1)] where bytes[header..<header + 4].elementsEqual("XCHK".utf8)
      {
        for place in [16..<20, 60..<64].joined() { bytes[header + place] = 0 }
      }
    }
    return bytes
  }

  private func lines(_ read: LogContents) -> String {
    read.events.map { event in
      let values = event.values.map { "\($0.name)=\(String("\($0.value)".prefix(200)))" }.joined(separator: " ")
      let moment = "\(event.monotonic ?? 0) \(event.boottime ?? 0) \(event.wall.map(\.description) ?? "")"
      return "\(event.reference) \(moment) \(event.level.name) \(event.layout.name) \(values)"
    }.joined(separator: "\n") + "\n"
  }

  @Test func `A log written again is the committed one, byte for byte`() throws {
    let test = TestLog()
    let bytes = try written(test)
    if ProcessInfo.processInfo.environment["XFERLOG_WRITE_SAMPLES"] != nil {
      try Data(bytes).write(to: Self.fixture("version-1.seg"))
      try lines(test.read()).write(to: Self.fixture("version-1.txt"), atomically: true, encoding: .utf8)
    }
    let golden = try contents(of: Self.fixture("version-1.seg").path)
    #expect(golden.count == bytes.count)
    let difference = zip(withoutThreads(golden), withoutThreads(bytes)).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(difference == nil, "a changed format needs a version, and this one must still read")
  }

  @Test func `The committed log reads as it did`() throws {
    let read = LogContents([.segment(Self.fixture("version-1.seg").path)])
    #expect(read.gaps.isEmpty)
    #expect(read.problems.isEmpty)
    #expect(read.numbers[1] == Array(0..<40))
    #expect(lines(read) == (try String(contentsOf: Self.fixture("version-1.txt"), encoding: .utf8)))
    let task = try #require(read.events(.taskCreated).first)
    #expect(task.path == .plain("/日本/1"))
    #expect(task.urlQuery != .plain("private"))
  }

  @Test func `No private text is in the committed bytes`() throws {
    let bytes = try contents(of: Self.fixture("version-1.seg").path)
    for secret in ["never readable", "private"] {
      let wanted = Array(secret.utf8)
      #expect(!bytes.indices.contains { bytes[$0...].starts(with: wanted) }, "\(secret)")
    }
  }

  @Test func `A secret in a log's private fields is in its file only when everything is kept`() throws {
    for mode in CaptureMode.allCases {
      for appends in [false, true] {
        let test = TestLog()
        let log = try test.open { configuration in
          configuration.privacy = PrivacyPolicy(mode: mode, key: (1, 2))
          configuration.forcesAppending = appends
        }
        let secret = "canary-7c1f-SECRET"
        log.emit(TaskCreated(task: Workload.task(0), path: secret, urlQuery: secret, label: secret, destination: secret))
        log.emit(AppNoted(message: String(repeating: secret, count: 4000)))
        log.close()
        let text = String(decoding: try contents(of: test.segment(1)), as: Unicode.ASCII.self)
        #expect(text.contains(secret) == (mode == .full), "\(mode.name), appended \(appends)")
      }
    }
  }

  @Test func `The numbers of the format are those of its description`() {
    #expect(withUnsafeBytes(of: SegmentFormat.magic.littleEndian) { Array($0) } == Array("XFERLOG\u{1}".utf8))
    #expect(SegmentFormat.headerSize == 4096 && SegmentFormat.chunkSize == 32 << 10)
    #expect(SegmentFormat.chunkSize * SegmentFormat.firstChunks == 256 << 10)
    #expect(SegmentFormat.chunkSize * SegmentFormat.maximumChunks == 64 << 20)
    #expect(SegmentFormat.maximumRecord == 1 << 20)
    // A commit word is neither "nothing here" nor "end of chunk", whatever the length and position.
    for length in [16, 20, 32_704, 1 << 20] {
      for sequence in [0, 1, 0xFFFF, 0x10000, 0xFFFF_FFFF, .max] as [UInt64] {
        let word = RecordFormat.commitWord(length: length, sequence: sequence)
        #expect(word != 0 && word != RecordFormat.endOfChunk)
        #expect(UInt64(word >> 16) == sequence & 0xFFFF)
      }
    }
  }
}
