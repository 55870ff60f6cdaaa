import Foundation
import Synchronization
import XferEngine
import XferEvents
import XferReport

/// Prints a command's failures, the output of `-w`, the progress and the summary.
final class CommandReporter: TransferReporter {
  private let settings: CommandSettings
  private let bars: ProgressBars?
  private let written = Mutex<Set<String>>([])

  init(_ settings: CommandSettings, total: Int) {
    self.settings = settings
    let isWanted = settings.verb != .request || isatty(STDOUT_FILENO) == 0
    bars = !settings.run.isSilent && isWanted && isatty(STDERR_FILENO) == 1 ? ProgressBars(total: total) : nil
  }

  func began(_ transfer: PlannedTransfer, place: Int) { bars?.begin(transfer.name, place: place) }

  func progressed(place: Int, count: Int64, new: Int64, expected: Int64?) {
    bars?.progress(place: place, count: count, new: new, expected: expected)
  }

  func ended(_ result: TransferResult) {
    bars?.end(result)
    if let problem = result.problem {
      let text = InterruptedTransfer(result, settings.verb)?.text ?? problem.text
      if saysFailures { say("(\(problem.exitCode)) \(ShownURL.text(result.transfer.url)): \(text)") }
    } else if let reason = result.skipped, !settings.run.isSilent, settings.verb != .request {
      say("\(ShownURL.text(result.transfer.url)): \(reason)")
    }
    if let format = result.transfer.settings.writeOut { write(WriteOut(format).pieces(for: result)) }
  }

  /// Whether failures are printed. As in curl, only `request --silent` without `--show-error` suppresses them.
  private var saysFailures: Bool { settings.verb != .request || !settings.run.isSilent || settings.run.showsErrors }

  private func say(_ text: String) {
    bars?.clear()
    Remarks.say(text)
  }

  private func write(_ pieces: [WriteOut.Piece]) {
    bars?.clear()
    for piece in pieces {
      switch piece.place {
      case .standardOutput: try? Descriptor.put(Data(piece.text.utf8), to: STDOUT_FILENO)
      case .standardError: Remarks.write(piece.text)
      case .file(let path, let appends): write(piece.text, path, appends: appends)
      }
    }
  }

  private func write(_ text: String, _ path: String, appends: Bool) {
    // The first write of this command truncates the file, and later writes append to it.
    let isFirst = written.withLock { $0.insert(path).inserted }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (isFirst && !appends ? O_TRUNC : O_APPEND), 0o666)
    guard descriptor >= 0 else { return Remarks.say("\(path) cannot be written: \(String(cString: strerror(errno)))") }
    try? Descriptor.put(Data(text.utf8), to: descriptor)
    close(descriptor)
  }

  // MARK: Summary

  /// - Parameter log: The log's directory. `nil` when no log was written.
  func conclude(_ results: [TransferResult], took: Duration, log: String?) {
    bars?.clear()
    if settings.run.json { print(ResultDocument(results).text) }
    let failed = results.count { $0.problem != nil }
    let isInterruption = results.allSatisfy { $0.problem?.isCancellation ?? true }
    if failed > 0, !isInterruption, saysFailures, let log { advise(results, log: log) }
    guard settings.verb != .request, !settings.run.isSilent else { return }
    let bytes = results.reduce(0) { $0 + (settings.verb == .put ? $1.sent : $1.received) }
    let skipped = results.count { $0.skipped != nil }
    let files = results.count - failed - skipped
    let rate = ByteRate.perSecond(bytes - results.reduce(0) { $0 + $1.resumedFrom }, in: took)
    Remarks.say(
      "\(files.counted("file")), \(ByteCount(bytes)) in \(took.short) (\(ByteCount(rate))/s)"
        + (skipped == 0 ? "" : ", \(skipped) skipped") + (failed == 0 ? "" : ", \(failed) failed")
        + (settings.verb == .get ? Self.place(of: results) : ""))
  }

  /// Tells how to see the causes of the failures. A task's number restarts with each command, so the advice names its uid.
  private func advise(_ results: [TransferResult], log: String) {
    let log = Self.shellQuoted(log)
    Remarks.say("to see the causes, run: xferlog replay \(log)")
    let tasks = results.filter { $0.problem != nil && $0.problem?.isCancellation == false }.compactMap(\.task)
    guard let first = tasks.first else { return }
    let which = tasks.count == 1 ? "why it failed" : "why the first of \(tasks.count) failed"
    Remarks.say("to see \(which), run: xferlog why \("\(first.uid)".prefix(8)) \(log)")
  }

  private static func shellQuoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-+,:@%=".utf8.contains(byte)
    }
    return isPlain && !path.isEmpty ? path : "'" + path.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }

  /// Returns where the files of the results were saved: the name of a single file, or the directory of several.
  private static func place(of results: [TransferResult]) -> String {
    let paths = results.compactMap { $0.problem == nil && $0.skipped == nil ? $0.path : nil }
    if paths.count == 1 { return ", saved as \(paths[0])" }
    let directories = Set(paths.map { path in path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." })
    guard let directory = directories.first else { return "" }
    if directories.count > 1 { return ", saved in \(directories.count) directories" }
    return ", saved in \(directory == "." ? FileManager.default.currentDirectoryPath : directory)"
  }
}
