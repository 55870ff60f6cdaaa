package import Foundation

/// The output of `strace -f -y -ttt -o` for a program: the system calls of its threads in order, and its end.
package struct SystemCallTrace {
  package struct Call {
    package let thread: pid_t
    package let name: String
    /// The arguments and the result. Descriptors include their paths.
    package fileprivate(set) var text: String
    /// The number of this call among the thread's calls of the same name, from 1, as counted by strace.
    package let nth: Int
    /// The time in seconds since 1970.
    package let time: Double

    /// Whether strace replaced the call with an error.
    package var isInjected: Bool { text.hasSuffix("(INJECTED)") }
  }

  package private(set) var calls: [Call] = []
  /// The time at which SIGKILL ended the program, in seconds since 1970. `nil` if the program ended otherwise.
  package private(set) var killed: Double?
  /// The threads, in the order of their first calls.
  package private(set) var threads: [pid_t] = []

  package init(path: String) {
    var counts: [pid_t: [Substring: Int]] = [:]
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
      guard parts.count == 3, let thread = pid_t(parts[0]), let time = Double(parts[1]) else { continue }
      let rest = parts[2]
      if rest.hasPrefix("+++ killed by SIGKILL") { killed = killed ?? time }
      // strace splits a call into two lines when other threads made calls before it returned.
      if rest.hasPrefix("<... "), let place = calls.lastIndex(where: { $0.thread == thread }) { calls[place].text += rest }
      guard let bracket = rest.firstIndex(of: "("), let first = rest.first, first.isLetter || first == "_" else { continue }
      let name = rest[..<bracket]
      if counts[thread] == nil { threads.append(thread) }
      let nth = counts[thread, default: [:]][name, default: 0] + 1
      counts[thread, default: [:]][name] = nth
      calls.append(Call(thread: thread, name: String(name), text: String(rest[bracket...]), nth: nth, time: time))
    }
  }

  /// Returns the first call that is the n-th call of its name in any thread.
  package func call(_ name: String, _ nth: Int) -> Call? { calls.first { $0.name == name && $0.nth == nth } }
}

/// A fault that strace injects into a program.
package struct Injection: Sendable, CustomStringConvertible {
  package let call: String
  /// The calls to inject the fault into, by their number in each thread.
  package let nth: ClosedRange<Int>
  /// The effect, such as `signal=KILL` or `error=ENOSPC`.
  package let effect: String
  /// The file to which the calls must refer. `nil` means any file.
  package var path: String?

  package init(_ call: String, _ nth: ClosedRange<Int>, _ effect: String, path: String? = nil) {
    (self.call, self.nth, self.effect, self.path) = (call, nth, effect, path)
  }

  package var description: String { "\(call)#\(nth.count == 1 ? "\(nth.lowerBound)" : "\(nth)")" }

  var arguments: [String] {
    let when = nth.count == 1 ? "\(nth.lowerBound)" : "\(nth.lowerBound)..\(nth.upperBound)"
    return ["-e", "trace=\(call)", "-e", "inject=\(call):\(effect):when=\(when)"] + (path.map { ["-P", $0] } ?? [])
  }
}

/// The command line of strace.
package enum SystemCallTracer {
  package static let program = "/usr/bin/strace"

  /// - Parameter injection: The fault to inject. `nil` records all calls without a fault.
  package static func arguments(output: String, _ injection: Injection?) -> [String] {
    ["-f", "-y", "-ttt", "-o", output] + (injection?.arguments ?? [])
  }

  /// Returns whether every thread of a process is traced, or the process no longer exists.
  package static func isTraced(_ pid: pid_t) -> Bool {
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") else { return true }
    return threads.allSatisfy { thread in
      guard let status = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8) else { return true }
      return !status.contains("TracerPid:\t0\n")
    }
  }
}
