import XferEvents
import XferLogStore
import XferReport

/// The log that `xferlog emit` writes: counts what became of each line, and acknowledges what is in the log.
final class EmissionLog {
  private let log: EventLog
  private let task: TaskIdentity?
  /// Acknowledgements; `nil` when none are wanted.
  private let output: StandardOutput?
  private var written = 0
  private var leftOut = 0
  /// Numbers of lines that could not be written, as ranges.
  private var failed: [ClosedRange<Int>] = []
  private var firstFailure: LogError?

  /// - Parameters:
  ///   - isPrivate: private texts are certain to come; without the key that they are hashed with nothing is begun.
  ///   - task: whom everything is about, as the user names it.
  init(
    directory: String, environment: [String: String], capture: CaptureMode, isPrivate: Bool, task: String?, acknowledges: Bool
  ) throws {
    self.task = try task.map { try Self.task($0, in: directory) }
    var configuration = LogConfiguration(
      role: .tool, privacy: try Self.policy(environment, capture, isPrivate: isPrivate), lowestLevel: .debug,
      startReason: .command)
    configuration.killHook = environment["XFERLOG_TEST_KILL"].flatMap(KillHook.init)
    log = try EventLog(directory: directory, configuration: configuration)
    output = acknowledges ? StandardOutput() : nil
  }

  /// What its user types is the user's to read, unless it is said to be private.
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
      // Nothing private is to come; should it come all the same, nothing of it is kept.
      return PrivacyPolicy(mode: capture == .full ? .full : .redacted, declaredPublic: declaredPublic, key: (0, 0))
    }
  }

  /// The one task of the log that the user means.
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
    throw CommandExit(.wrongUsage, "'\(text)' may be several tasks: \(names)")
  }

  /// - Parameter line: of the input, from 1; `nil` for what was given as arguments.
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
    // A log that takes nothing from the beginning is not waited for.
    guard let line, written > 0 else { throw CommandExit(.failed, "\(line.map { "line \($0): " } ?? "")\(error)") }
    if firstFailure == nil { StandardError.remark("line \(line) was not written: \(error)") }
    firstFailure = firstFailure ?? error
    if let last = failed.last, last.upperBound + 1 == line {
      failed[failed.count - 1] = last.lowerBound...line
    } else {
      failed.append(line...line)
    }
  }

  /// A line that is no emission: what came before it stays.
  func refuse(_ problem: String, line: Int) -> CommandExit {
    CommandExit(
      .wrongUsage, "line \(line): \(problem) \(written) \(written == 1 ? "event was" : "events were") written before it.")
  }

  /// Says how the process ends, and closes the log.
  func close(_ reason: ExitReason, code: Int32) { log.close(exitCode: Int(code), reason: reason) }

  /// Says what is not in the log.
  func conclude() throws {
    if leftOut > 0 {
      StandardError.remark(
        "\(leftOut) \(leftOut == 1 ? "event was" : "events were") left out by the log's levels (see xferlog config level)")
    }
    guard let firstFailure else { return }
    let count = failed.reduce(0) { $0 + $1.count }
    let lines = failed.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    throw CommandExit(
      .failed,
      "\(count) of \(count + written + leftOut) lines were not written, lines \(lines.joined(separator: ", ")): \(firstFailure)")
  }
}
