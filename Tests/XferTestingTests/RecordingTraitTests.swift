import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferPostmortem
import XferTesting

/// The trait, in tests that it fails. `ExpectedIssues` stands before it and receives its issues.
struct RecordingTraitTests {
  private static let lost = "critical lost-completion (certain)\n    Task maps/1 finished, but its completion was never sent."

  private static var hasty: TransferRecording {
    var recording = TransferRecording()
    recording.settlingTime = .milliseconds(20)
    return recording
  }

  private static func log() throws -> TransferLog { try #require(TransferLog.current) }

  @Test(.issues(lost), .recordingTransfers(hasty))
  func `A lost completion fails a test that expects nothing of it`() throws {
    RecordedTransfer(in: try Self.log()).transfer()
  }

  @Test(.recordingTransfers) func `A transfer that is as it should be does not fail a test`() throws {
    let transfer = RecordedTransfer(in: try Self.log())
    transfer.transfer()
    transfer.complete()
  }

  @Test(.recordingTransfers) func `A completion in flight at the end of a test arrives`() throws {
    let transfer = RecordedTransfer(in: try Self.log())
    transfer.transfer()
    // The test's last line is reached before the callback returns. The thread begins when the test has ended, or just before.
    Thread.detachNewThread { transfer.complete() }
  }

  @Test(.issues("no connection", lost), .recordingTransfers(hasty))
  func `A test that throws an error still gets its postmortem`() throws {
    RecordedTransfer(in: try Self.log()).transfer()
    throw TestFailure("no connection")
  }

  @Test(.issues("CancellationError", lost), .recordingTransfers(hasty))
  func `A test that is cancelled, as at its time limit, still gets its postmortem`() async throws {
    RecordedTransfer(in: try Self.log()).transfer()
    withUnsafeCurrentTask { $0?.cancel() }
    try Task.checkCancellation()
  }

  @Test(.issues("No transfer was recorded."), .recordingTransfers)
  func `A test that records into no log is told so`() {}

  private static var anything: TransferRecording {
    var recording = TransferRecording()
    recording.requiresTransfers = false
    return recording
  }

  @Test(.recordingTransfers(anything)) func `A test may have no transfer if its recording does not require one`() {}

  @Test(.issues("nowhere.yaml cannot be read: No such file"), .recordingTransfers(baseline: "/nowhere.yaml"))
  func `A baseline that cannot be read fails the test`() throws {
    let transfer = RecordedTransfer(in: try Self.log())
    transfer.transfer()
    transfer.complete()
  }

  @Test(.recordingTransfers(failOn: nil, keeps: .everything))
  func `Findings do not fail a test without a severity limit`() throws {
    RecordedTransfer(in: try Self.log()).transfer()
  }

  private static var impatient: TransferRecording {
    var recording = hasty
    recording.patience = .zero
    return recording
  }

  @Test(.issues(lost), .recordingTransfers(impatient), .timeLimit(.minutes(1)))
  func `A test that goes on after its cancellation gets a report meanwhile`() async throws {
    let log = try Self.log()
    RecordedTransfer(in: log).transfer()
    withUnsafeCurrentTask { $0?.cancel() }
    let report = log.path.replacing("log.xlog", with: "report.html")
    while !FileManager.default.fileExists(atPath: report) { await Task.yield() }
    #expect(log.events.isOpen)
  }

  // MARK: Which log

  @Test(.recordingTransfers, arguments: 1...20 as ClosedRange<UInt32>)
  func `The cases of a parameterized test have logs of their own, also in parallel`(number: UInt32) async throws {
    let log = try Self.log()
    // The names of the folders are that of the test, with numbers.
    let folder = log.path.split(separator: "/").dropLast().last ?? ""
    #expect(folder.hasPrefix("RecordingTraitTests.The-cases-of-a-parameterized-test-have-logs-of-their-own--also-in-parallel"))
    let transfer = RecordedTransfer(number, in: log)
    transfer.transfer()
    await Task.yield()
    transfer.complete()
    #expect(try Postmortem(of: log.path).tasks.map(\.number) == [Int(number)])
    await withTaskGroup { group in group.addTask { #expect(TransferLog.current === log, "child tasks inherit the log") } }
  }

  @Test func `A test without the trait has no log`() { #expect(TransferLog.current == nil) }

  @Suite(.recordingTransfers(failOn: nil)) struct Nested {
    @Test(.issues(lost), .recordingTransfers(hasty))
    func `The trait of a test takes precedence over that of its suite`() throws {
      RecordedTransfer(in: try log()).transfer()
    }

    @Test func `The trait of a suite applies to its tests`() throws { RecordedTransfer(in: try log()).transfer() }
  }
}

/// The places of reports and logs.
@Suite(.serialized) struct PostmortemFolderTests {
  private static let folder = "\(FileManager.default.currentDirectoryPath)/.build/postmortem"

  /// Returns the folder of a test of this file.
  private static func folder(of test: Test) -> String {
    "\(folder)/RecordingTraitTests.\(test.name.dropLast(2))"
  }

  @Test(.recordingTransfers(keeps: .everything)) func keptLog() throws {
    let log = try #require(TransferLog.current)
    let test = try #require(Test.current)
    #expect(log.path == "\(Self.folder(of: test))/log.xlog")
    let transfer = RecordedTransfer(in: log)
    transfer.transfer()
    transfer.complete()
  }

  @Test func `The log of a test that keeps everything is complete, and its report has the same tasks`() throws {
    let folder = "\(Self.folder)/RecordingTraitTests.keptLog"
    for file in ["log.xlog", "report.html"] {
      let postmortem = try Postmortem(of: "\(folder)/\(file)")
      #expect(postmortem.verdict == .clean && postmortem.tasks.count == 1, "\(file)")
    }
  }

  @Test(.recordingTransfers(keeps: .everything)) func killedProgram() throws {
    let log = try #require(TransferLog.current)
    let transfer = RecordedTransfer(in: log)
    transfer.transfer()
    transfer.complete()
    let directory = TemporaryDirectory()
    let run = try ToolRun(
      "log-writer-probe", ["write", log.path, "ack=\(directory.path("ack"))", "count=50", "kill=2:20:after-commit"])
    #expect(run.status == 137, "\(run.standardError)")
  }

  @Test func `A program that a test starts writes to the same log, and its death is recorded`() throws {
    let postmortem = try Postmortem(of: "\(Self.folder)/RecordingTraitTests.killedProgram/log.xlog")
    #expect(Set(postmortem.processes.map(\.end)) == [.closed, .observedMissing])
  }

  @Test(.recordingTransfers) func removedLog() throws {
    let transfer = RecordedTransfer(in: try #require(TransferLog.current))
    transfer.transfer()
    transfer.complete()
  }

  @Test func `The log of a test without a fault is removed`() {
    #expect(!FileManager.default.fileExists(atPath: "\(Self.folder)/RecordingTraitTests.removedLog"))
  }

  @Test(.issues("1 == 2"), .recordingTransfers) func failedExpectation() throws {
    let transfer = RecordedTransfer(in: try #require(TransferLog.current))
    transfer.transfer()
    transfer.complete()
    Issue.record("1 == 2")
  }

  @Test func `The log of a test that fails for another reason is kept`() throws {
    #expect(try Postmortem(of: "\(Self.folder)/RecordingTraitTests.failedExpectation/log.xlog").verdict == .clean)
  }
}

struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
