import CLogTestSupport
import Foundation

/// A program that runs on a pseudo-terminal, to which a test types.
package final class PseudoTerminal {
  private let controller: Int32
  private let process: pid_t
  private var isReaped = false
  /// The output that has not been waited for yet.
  private var pending: [UInt8] = []
  /// All output.
  private var transcript: [UInt8] = []

  /// The output did not contain an expected text in time.
  package struct Silence: Error, CustomStringConvertible {
    package let wanted: String
    package let output: String
    package var description: String { "no '\(wanted)' in the output: \(output.debugDescription)" }
  }

  /// Starts a program as the leader of a new session.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in directory: String? = nil,
    columns: UInt16 = 200
  ) throws {
    let variables = ToolRun.environment.merging(environment) { $1 }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var entries: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + entries { free(text) } }
    var descriptor: Int32 = -1
    let started = lts_spawn_on_terminal(program, &words, &entries, directory, Int32(columns), &descriptor)
    guard started > 0 else { throw POSIXError(POSIXErrorCode(rawValue: -started) ?? .EIO) }
    (process, controller) = (started, descriptor)
  }

  /// The processor time that the program has used, in ticks of a hundredth of a second; `nil` if it has ended.
  package var processorTime: Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8), let end = text.lastIndex(of: ")")
    else {
      return nil
    }
    let fields = text[end...].split(separator: " ")
    // The fields 14 and 15 of the file; the first one here is the second there.
    return fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : nil
  }

  /// Types a text. `\u{3}` is Ctrl-C, and `\t` the tab key.
  package func type(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(controller, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Waits until the output contains a text, and returns the output up to the end of the text.
  @discardableResult
  package func wait(for text: String, seconds: Int32 = 30) throws -> String {
    let wanted = Array(text.utf8)
    let deadline = ContinuousClock.now + .seconds(Int64(seconds))
    while true {
      if let end = pending.endOfFirst(wanted) {
        defer { pending.removeFirst(end) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      guard ContinuousClock.now < deadline, read(until: deadline) else {
        throw Silence(wanted: text, output: String(decoding: transcript, as: UTF8.self))
      }
    }
  }

  /// Reads until the program exits.
  ///
  /// - Returns: the rest of the output, and the exit code, or 128 plus the signal number.
  package func finish(seconds: Int32 = 30) -> (text: String, status: Int32) {
    let deadline = ContinuousClock.now + .seconds(Int64(seconds))
    while ContinuousClock.now < deadline, read(until: deadline) {}
    if ContinuousClock.now >= deadline { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    return (String(decoding: pending, as: UTF8.self), status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
  }

  /// - Returns: whether more output may follow.
  private func read(until deadline: ContinuousClock.Instant) -> Bool {
    var entry = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
    let rest = ContinuousClock.now.duration(to: deadline)
    let milliseconds = max(
      1, Int32(clamping: rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000))
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(controller, &bytes, bytes.count)
    // A terminal that no program has open any more gives EIO.
    if count <= 0 { return count < 0 && errno == EINTR }
    pending += bytes[..<count]
    transcript += bytes[..<count]
    return true
  }

  deinit {
    if !isReaped {
      kill(process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    close(controller)
  }
}

extension [UInt8] {
  /// Returns the index after the first occurrence of bytes.
  fileprivate func endOfFirst(_ wanted: [UInt8]) -> Int? {
    guard count >= wanted.count else { return nil }
    for start in 0...(count - wanted.count)
    where self[start] == wanted[0] && self[start..<(start + wanted.count)].elementsEqual(wanted) {
      return start + wanted.count
    }
    return nil
  }
}
