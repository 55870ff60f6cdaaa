package import Foundation

/// What `strace -f -y -ttt -o` wrote of a program: the system calls of its threads in their order, and its end.
package struct SystemCallTrace {
  package struct Call {
    package let thread: pid_t
    package let name: String
    /// Arguments and result; with what a descriptor is.
    package fileprivate(set) var text: String
    /// How many of this name the thread has made, this one included: what strace counts by.
    package let nth: Int
    /// Seconds since 1970.
    package let time: Double

    /// Whether strace put an error in place of the call.
    package var isInjected: Bool { text.hasSuffix("(INJECTED)") }
  }

  package private(set) var calls: [Call] = []
  /// Seconds since 1970; `nil` unless SIGKILL ended the program.
  package private(set) var killed: Double?
  /// Threads in the order of their first calls.
  package private(set) var threads: [pid_t] = []

  package init(path: String) {
    var counts: [pid_t: [Substring: Int]] = [:]
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
      guard parts.count == 3, let thread = pid_t(parts[0]), let time = Double(parts[1]) else { continue }
      let rest = parts[2]
      if rest.hasPrefix("+++ killed by SIGKILL") { killed = killed ?? time }
      // Others have spoken between its beginning and its end.
      if rest.hasPrefix("<... "), let place = calls.lastIndex(where: { $0.thread == thread }) { calls[place].text += rest }
      guard let bracket = rest.firstIndex(of: "("), let first = rest.first, first.isLetter || first == "_" else { continue }
      let name = rest[..<bracket]
      if counts[thread] == nil { threads.append(thread) }
      let nth = counts[thread, default: [:]][name, default: 0] + 1
      counts[thread, default: [:]][name] = nth
      calls.append(Call(thread: thread, name: String(name), text: String(rest[bracket...]), nth: nth, time: time))
    }
  }

  /// The first call that is some thread's so-manieth of its name.
  package func call(_ name: String, _ nth: Int) -> Call? { calls.first { $0.name == name && $0.nth == nth } }
}

/// What strace is to do to a program beside writing its calls down.
package struct Injection: Sendable, CustomStringConvertible {
  package let call: String
  /// Each thread counts by itself.
  package let nth: ClosedRange<Int>
  /// `signal=KILL`, `error=ENOSPC`.
  package let effect: String
  /// Only calls that concern this file count.
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

/// Runs strace.
package enum SystemCallTracer {
  package static let program = "/usr/bin/strace"

  /// - Parameter injection: `nil` to write down every call.
  package static func arguments(output: String, _ injection: Injection?) -> [String] {
    ["-f", "-y", "-ttt", "-o", output] + (injection?.arguments ?? [])
  }

  /// Whether every thread of a process is looked at by a tracer, or the process is gone.
  package static func isTraced(_ pid: pid_t) -> Bool {
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") else { return true }
    return threads.allSatisfy { thread in
      guard let status = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8) else { return true }
      return !status.contains("TracerPid:\t0\n")
    }
  }
}
