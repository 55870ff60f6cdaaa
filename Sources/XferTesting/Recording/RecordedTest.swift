import Foundation
import Synchronization
import XferPostmortem

/// A test whose transfers are recorded: its log, and the postmortem at its end.
final class RecordedTest: Sendable {
  /// The result of a test's postmortem.
  struct Conclusion: Sendable {
    /// What fails the test: the findings and the place of the report. `nil` if the transfers are as they should be.
    var failure: String?
    /// The report and the log; empty if nothing is kept.
    var attachments: [PostmortemFolder.File] = []
  }

  let log: TransferLog
  private let recording: TransferRecording
  private let folder: PostmortemFolder
  private let state = Mutex(State.recording)

  private enum State { case recording, replaced, concluded }

  /// - Parameter name: the name of the test for people, such as `TileTests.aTileArrives`.
  init(_ name: String, _ recording: TransferRecording) throws {
    self.recording = recording
    folder = try PostmortemFolder(for: name)
    log = try TransferLog(at: folder.log, level: recording.level)
  }

  /// Ends the recording without a postmortem, because the trait is given twice and the test records into another log.
  func replace() {
    state.withLock { $0 = .replaced }
    log.close()
    folder.remove()
  }

  // MARK: The end

  /// Waits until all tasks are complete, at most for the recording's settling time.
  ///
  /// - Parameter pause: a function that waits for a time, although the test may be cancelled.
  func settle(pause: (Duration) async -> Void) async {
    let deadline = ContinuousClock.now + recording.settlingTime
    var time: Duration = .milliseconds(2)
    while !isSettled, ContinuousClock.now < deadline {
      await pause(time)
      time = min(time * 2, .milliseconds(50))
    }
  }

  /// The same for a test that cannot wait asynchronously.
  func settle(pause: (Duration) -> Void) {
    let deadline = ContinuousClock.now + recording.settlingTime
    while !isSettled, ContinuousClock.now < deadline { pause(.milliseconds(5)) }
  }

  private var isSettled: Bool {
    guard state.withLock({ $0 == .recording }), let postmortem = try? Postmortem(of: folder.log) else { return true }
    return postmortem.tasks.allSatisfy(Self.isComplete)
  }

  private static func isComplete(_ task: Postmortem.TransferTask) -> Bool { [.completed, .acknowledged].contains(task.state) }

  /// Completes the log and judges it.
  ///
  /// - Parameter hasFailed: whether the test has failed for another reason, in which case the log is worth keeping.
  func conclude(hasFailed: Bool) -> Conclusion {
    if state.withLock({ $0 == .replaced }) { return Conclusion() }
    state.withLock { $0 = .concluded }
    log.close()
    var conclusion = Conclusion()
    conclusion.failure = failure()
    if conclusion.failure == nil, !hasFailed, recording.keeps == .failures {
      folder.remove()
      return conclusion
    }
    let problems = folder.writeReport(recording.judging)
    if let failure = conclusion.failure { conclusion.failure = ([failure] + problems + [folder.advice]).joined(separator: "\n") }
    conclusion.attachments = folder.files
    return conclusion
  }

  /// Judges the log of a test that does not end although it was cancelled, and prints the result on standard error.
  func rescue() {
    guard state.withLock({ $0 == .recording }) else { return }
    let problems = folder.writeReport(recording.judging)
    let open = ((try? Postmortem(of: folder.log))?.tasks ?? []).filter { !Self.isComplete($0) }
    let text = [
      "xferlog: \(folder.test) does not end, although it was cancelled.", failure() ?? "There are no findings until now.",
      "Tasks that are not complete: "
        + (open.isEmpty ? "none" : open.map { "\($0.session)/\($0.number) (\($0.state.rawValue))" }.joined(separator: ", ")),
    ]
    FileHandle.standardError.write(Data(((text + problems + [folder.advice]).joined(separator: "\n") + "\n").utf8))
  }

  /// Returns what is wrong with the transfers; `nil` if nothing is.
  private func failure() -> String? {
    do throws(PostmortemError) {
      let postmortem = try Postmortem(of: folder.log, options: recording.judging)
      if postmortem.exitCode != 0 { return text(of: postmortem) }
      if recording.requiresTransfers, postmortem.tasks.isEmpty, postmortem.findings.isEmpty {
        return """
          No transfer was recorded. Pass TransferLog.current's `events` to the session or recorder of the code under test, or set \
          `requiresTransfers` to false.
          """
      }
      return nil
    } catch {
      return "There is no postmortem of the transfers: \(error)"
    }
  }

  private func text(of postmortem: Postmortem) -> String {
    let counted = recording.judging.failOn.map {
      postmortem.findings(from: $0, includesPossible: recording.judging.countsPossible)
    }
    return ([postmortem.reason ?? postmortem.verdict.rawValue] + (counted ?? []).map(\.description)).joined(separator: "\n")
  }
}
