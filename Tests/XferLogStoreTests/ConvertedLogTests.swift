import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Logs that were converted from logs of other programs, as the store writes and reads them.
struct ConvertedLogTests {
  private let directory = TemporaryDirectory()

  /// A source of one writer and one gap.
  private final class Foreign: EventSource {
    let origins = [SourceOrigin(input: 0, path: "/tmp/app.har", number: 1, name: "app.har")]
    let figures = [SourceFigures(input: 0, lines: 9, records: 4, recognised: 3)]
    let incompleteness = [SourceIncompleteness(input: 0, reason: "app.har is cut")]
    private var members: [LogMember] = []

    init() {
      var writer = WriterContext(
        launch: LaunchID(high: 1, low: 2), pid: 7, role: .app, executable: "browser",
        installation: InstallationID(high: 3, low: 4))
      writer.coverage = ImportCoverage(log: "an archive", kinds: [.taskCompleted, .taskCreated], isApple: true)
      (writer.version, writer.osVersion) = ("1.2", "iOS 18")
      let archive = EventArchive(number: 1, name: "app.har", writer: writer)
      let task = TaskIdentity(uid: TaskUID(high: 5, low: 6), session: "s", number: 1)
      var gap = LogGap(
        cause: .damaged(problem: "a mistake"), segment: 1, name: "app.har", sequences: 3..<5, after: Moment(monotonic: 5),
        before: Moment(wall: WallTime(nanoseconds: 9)),
        terms: SourceTerms(file: .init("file", "files"), stream: .init("archive", "archives"), record: .init("entry", "entries")))
      gap.scope = .installation(InstallationID(high: 3, low: 4))
      members = [
        .event(archive.record(TaskCreated(task: task, path: "/p"), at: Moment(monotonic: 5), line: 2, thread: 9)), .gap(gap),
        .event(
          archive.record(
            MessageError(subsystem: "a", eventMessage: "failed \(3, format: .hex) \("x")", task: task),
            at: Moment(boottime: 4, wall: WallTime(nanoseconds: -1)), line: 6)),
        .event(archive.record(TaskCompleted(task: task, received: 1), at: Moment(), line: 6)),
      ]
    }

    func next() -> LogMember? { members.isEmpty ? nil : members.removeFirst() }
    func original(_ reference: EventReference) -> String? { "line of \(reference)" }
  }

  private func convert(to path: String) throws {
    let source = Foreign()
    let file = ConversionWriter.File(number: 1, name: "app.har", format: "har", path: "/nowhere")
    let writer = try ConversionWriter(path, files: [file], wall: 1_795_000_000_000_000_000)
    while let member = source.next() { try writer.write(member, of: source) }
    try writer.finish(source, numbers: [1], reasons: ["an input is missing"])
  }

  private static func describe(_ source: any EventSource) -> [String] {
    var texts: [String] = []
    while let member = source.next() {
      switch member {
      case .event(let event):
        var writer = event.source.writer
        // The order of a set's description differs.
        writer.coverage = nil
        texts.append(
          "\(event.reference) \(event.layout.name) \(event.moment) \(event.thread ?? 0) \(event.values) \(writer)"
            + " \(event.source.writer.coverage?.words ?? "") \(event.source.name)")
      case .gap(let gap): texts.append("\(gap)")
      }
    }
    return texts
  }

  private static func outline(_ source: any EventSource) -> [String] {
    var texts: [String] = []
    while let member = source.next() {
      if case .event(let event) = member {
        texts.append("\(event.reference) \(event.layout.name) \(event.moment) \(event.thread ?? 0)")
      }
    }
    return texts
  }

  @Test func `A converted log gives the events, gaps and figures of its source`() throws {
    let path = directory.path("out.xlog")
    try convert(to: path)
    let source = ConvertedSource(.directory(path), place: 0, isAlone: true, firstIndex: 0, recovery: .tail)
    #expect(Self.describe(source) == Self.describe(Foreign()))
    #expect(source.figures.map(\.lines) == [9] && source.figures.map(\.recognised) == [3])
    #expect(source.incompleteness.map(\.reason) == ["app.har is cut", "an input is missing"])
    #expect(source.original(.line(file: 1, line: 6)) == "line of 1:6")
    #expect(source.original(.line(file: 1, line: 7)) == nil && source.original(.line(file: 2, line: 6)) == nil)
    #expect(source.fileName(of: .line(file: 1, line: 6)) == "app.har")
  }

  @Test func `Another input does not share the numbers of a converted log's files`() throws {
    let path = directory.path("out.xlog")
    try convert(to: path)
    let source = ConvertedSource(.directory(path), place: 1, isAlone: false, firstIndex: 3, recovery: .tail)
    #expect(source.next().flatMap { if case .event(let event) = $0 { event.source.index } else { nil } } == 3)
    #expect(source.origins.allSatisfy { $0.input == 1 && ($0.number > 0xFFFF || $0.name.hasSuffix(".seg")) })
  }

  @Test func `A directory with segments of both kinds is mixed`() throws {
    let path = directory.path("out.xlog")
    try convert(to: path)
    #expect(ConvertedLog.kind(of: .directory(path)) == .converted)
    let test = TestLog()
    try test.open().close()
    #expect(ConvertedLog.kind(of: .directory(test.directory)) == .recorded)
    try FileManager.default.copyItem(atPath: test.segment(1), toPath: LogDirectory.path(of: 2, in: path))
    #expect(ConvertedLog.kind(of: .directory(path)) == .mixed)
  }

  @Test func `A writer that is released early leaves nothing behind`() throws {
    let path = directory.path("out.xlog")
    var writer: ConversionWriter? = try ConversionWriter(path, files: [], wall: 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
    withExtendedLifetime(writer) {}
    writer = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test(arguments: seeds(300, campaign: 10_000))
  func `A damaged converted log is read without a trap`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let path = directory.path("out.xlog")
    try convert(to: path)
    let segment = LogDirectory.path(of: 1, in: path)
    var bytes = try contents(of: segment)
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
    try write(bytes, to: segment)
    let intact = Set(Self.outline(Foreign()))
    let recovery = [RecoveryMode.tail, .salvage].randomElement(using: &random) ?? .tail
    let source = ConvertedSource(.directory(path), place: 0, isAlone: true, firstIndex: 0, recovery: recovery)
    // An account that was lost takes its event with it, so no event has a wrong time or line.
    #expect(Self.outline(source).allSatisfy(intact.contains), "seed \(seed)")
    _ = source.original(.line(file: 1, line: 2))
  }
}
