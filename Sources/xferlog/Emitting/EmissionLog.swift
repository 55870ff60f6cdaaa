import XferEvents
import XferLogStore
import XferReading
import XferReport

/// The log that `xferlog emit` writes. It acknowledges written lines and counts the lines that could not be written.
final class EmissionLog {
  private let log: EventLog
  private let task: TaskIdentity?
  /// The output for acknowledgements; `nil` when none are wanted.
  private let output: StandardOutput?
  private var written = 0
  private var leftOut = 0
  /// The numbers of the lines that could not be written, as ranges.
  private var failed: [ClosedRange<Int>] = []
  private var firstFailure: LogError?

  /// - Parameters:
  ///   - isPrivate: whether texts are private by default. If so, the initializer throws when the key that hashes them cannot be
  ///     loaded.
  ///   - isSmall: whether only a few events will be written, so that no disk space is reserved.
  ///   - task: the task that all emissions are about, as the user typed it; `nil` for none.
  init(
    directory: String, environment: [String: String], capture: CaptureMode, isPrivate: Bool, isSmall: Bool, task: String?,
    acknowledges: Bool
  ) throws {
    self.task = try task.map { try Self.task($0, in: directory) }
    var configuration = LogConfiguration(
      role: .tool, privacy: try Self.policy(environment, capture, isPrivate: isPrivate), lowestLevel: .debug,
      startReason: .command, forcesAppending: isSmall)
    configuration.killHook = environment["XFERLOG_TEST_KILL"].flatMap(KillHook.init)
    log = try EventLog(directory: directory, configuration: configuration)
    output = acknowledges ? StandardOutput() : nil
  }

  /// Returns the policy for masking values. Text that the user types is public unless the user declares it private.
  private static func policy(
    _ environment: [String: String], _ capture: CaptureMode, isPrivate: Bool
  ) throws(LogError) -> PrivacyPolicy {
    let declaredPublic: Set<FieldID> = isPrivate ? [] : [.message]
    let declaredPrivate: Set<FieldID> = isPrivate ? [.intent] : []
    do throws(LogError) {
      let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment))
      return PrivacyPolicy(mode: capture, declaredPublic: declaredPublic, declaredPrivate: declaredPrivate, key: key)
    } catch {
      if isPrivate { throw error }
      // Without the key, text that a JSON line declares private cannot be hashed, so it is redacted.
      return PrivacyPolicy(mode: capture == .full ? .full : .redacted, declaredPublic: declaredPublic, key: (0, 0))
    }
  }

  /// Returns the only task of the log that matches the user's text.
  private static func task(_ text: String, in directory: String) throws -> TaskIdentity {
    let selector = TaskSelector(text)
    var found: [TaskIdentity] = []
    for case .event(let event) in LogReader([.directory(directory)]) {
      guard let task = event.task, selector.matches(task), !found.contains(task) else { continue }
      found.append(task)
      if found.count > 3 { break }
    }
    if found.count == 1 { return found[0] }
    if found.isEmpty { throw CommandExit(.wrongUsage, "\(directory) has no task \(text)") }
    let names = found.prefix(3).map { "\($0.session)/\($0.number) (\($0.uid))" }.joined(separator: ", ")
    throw CommandExit(.wrongUsage, "'\(text)' matches several tasks; choose one by SESSION/NUMBER or uid: \(names)")
  }

  /// - Parameter line: the line of the input, counted from 1; `nil` for a message from the arguments.
  func write(_ emission: Emission, line: Int?) throws {
    let reference: EventReference?
    do throws(LogError) {
      reference = try emission.write(to: log, task: task)
    } catch {
      return try note(error, line: line)
    }
    guard let reference else {
      leftOut += 1
      return
    }
    written += 1
    guard let output else { return }
    output.buffer.append("\(reference)\n")
    try output.flush()
  }

  private func note(_ error: LogError, line: Int?) throws {
    // While no line has been written, a failure ends the command. A later failure may be temporary, so the command continues.
    guard let line, written > 0 else { throw CommandExit(.failed, "\(line.map { "line \($0): " } ?? "")\(error)") }
    if firstFailure == nil { StandardError.remark("line \(line) was not written: \(error)") }
    firstFailure = firstFailure ?? error
    if let last = failed.last, last.upperBound + 1 == line {
      failed[failed.count - 1] = last.lowerBound...line
    } else {
      failed.append(line...line)
    }
  }

  /// Returns the error for a line that is not an emission. The lines before it remain in the log.
  func refuse(_ problem: String, line: Int) -> CommandExit {
    CommandExit(
      .wrongUsage, "line \(line): \(problem) \(written) \(written == 1 ? "event was" : "events were") written before it.")
  }

  /// Records how the process ends and closes the log.
  func close(_ reason: ExitReason, code: Int32) { log.close(exitCode: Int(code), reason: reason) }

  /// Reports the lines that are not in the log.
  func conclude() throws {
    if leftOut > 0 {
      StandardError.remark(
        "\(leftOut) \(leftOut == 1 ? "event was" : "events were") excluded by the log's levels (see xferlog config level)")
    }
    guard let firstFailure else { return }
    let count = failed.reduce(0) { $0 + $1.count }
    let lines = failed.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    throw CommandExit(
      .failed,
      "\(count) of \(count + written + leftOut) lines were not written, lines \(lines.joined(separator: ", ")): \(firstFailure)")
  }
}
