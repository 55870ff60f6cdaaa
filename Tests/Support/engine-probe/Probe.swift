import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents
import XferLogStore

/// A program that runs transfers, and prints their results and resource use in one line.
///
/// Usage: `engine-probe get LOG SMALL-URL URL`, `engine-probe place LOG URL FILE` or `engine-probe many LOG KEY=VALUE…`. Each
/// mode is a function below.
@main
enum Probe {
  static func main() async throws { try await Prober(Array(CommandLine.arguments.dropFirst())).run() }
}

// A separate type, because closures in `main` are isolated to the main actor.
private final class Prober: Sendable {
  private let mode: String
  private let log: EventLog
  private let rest: [String]

  init(_ arguments: [String]) throws {
    mode = arguments[0]
    log = try EventLog(
      directory: arguments[1], configuration: LogConfiguration(role: .app, privacy: PrivacyPolicy(mode: .hashed, key: (1, 2))))
    rest = Array(arguments.dropFirst(2))
  }

  func run() async throws {
    switch mode {
    case "get": try await get()
    case "many": try await many()
    case "place": try await place()
    default: fatalError("unknown mode \(mode)")
    }
    log.close()
  }

  // MARK: Single transfers

  /// Fetches a URL into memory, after fetching a small one so that all libraries are loaded.
  private func get() async throws {
    let session = TransferSession(configuration: .ephemeral, sink: log)
    _ = try await session.data(for: HTTPRequest(method: .get, urlText: rest[0]))
    let before = ProcessUse.forgetPeak()
    var said = "code=none"
    do throws(TransferError) {
      let (data, _) = try await session.data(for: HTTPRequest(method: .get, urlText: rest[1]))
      said = "count=\(data.count)"
    } catch {
      said = "code=\(error.code.rawValue)"
    }
    print("\(said) growthKiB=\(ProcessUse.peak - before)")
  }

  /// Downloads a URL to a name that does not exist yet, and prints the name.
  private func place() async throws {
    let session = TransferSession(configuration: .ephemeral, sink: log)
    let wanted = rest[1]
    print(
      try await session.download(for: HTTPRequest(method: .get, urlText: rest[0])) { file, _ in
        try file.move(toFreeNameAt: wanted)
      })
  }

  // MARK: Many transfers

  /// The counts of ended tasks, and the resources used while the tasks ran.
  private struct Tally {
    var right = 0
    var wrong = 0
    var failures: [String: Int] = [:]
    var descriptors = 0
    var longestSilence = Duration.zero
    var last = ContinuousClock.now
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let tally = Mutex(Tally())

  /// Creates all tasks at once, spread evenly over hosts from `127.0.1.1` on. Each task's file has known contents.
  private func many() async throws {
    func number(_ key: String) -> Int { rest.first { $0.hasPrefix("\(key)=") }.flatMap { Int($0.dropFirst(key.count + 1)) }! }
    let (tasks, hosts, port, size, connections) = (
      number("tasks"), number("hosts"), number("port"), number("size"), number("connections")
    )
    let downloads = rest.contains("kind=download")
    var configuration = TransferSession.Configuration.ephemeral
    configuration.maximumConnections = connections
    configuration.temporaryDirectory = log.directory
    let session = TransferSession(configuration: configuration, sink: log)
    let bodies = (0..<10).map { seed in Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ seed) }) }
    let start = ContinuousClock.now
    for index in 0..<tasks {
      let request = HTTPRequest(
        method: .get, urlText: "http://127.0.1.\(index % hosts + 1):\(port)/f\(index % bodies.count)")
      let body = bodies[index % bodies.count]
      let task: TransferTask =
        downloads
        ? try session.downloadTask(with: request) { file, _, error in
          self.note(FileManager.default.contents(atPath: file?.path ?? "") == body, error, of: tasks)
        } : try session.dataTask(with: request) { data, _, error in self.note(data == body, error, of: tasks) }
      task.resume()
    }
    await withCheckedContinuation { continuation in
      tally.withLock { tally in
        if tally.right + tally.wrong == tasks { continuation.resume() } else { tally.waiter = continuation }
      }
    }
    let time = ContinuousClock.now - start
    let result = tally.withLock { $0 }
    print(
      "right=\(result.right) wrong=\(result.wrong) failures=\(result.failures.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" })"
        + " peakKiB=\(ProcessUse.peak) descriptors=\(result.descriptors) longestSilence=\(result.longestSilence) time=\(time)")
    session.finishTasksAndInvalidate()
  }

  private func note(_ isRight: Bool, _ error: TransferError?, of tasks: Int) {
    let waiter = tally.withLock { tally in
      tally.right += isRight ? 1 : 0
      tally.wrong += isRight ? 0 : 1
      if let error { tally.failures[error.code.rawValue, default: 0] += 1 }
      let done = tally.right + tally.wrong
      if done % 20 == 0 { tally.descriptors = max(tally.descriptors, ProcessUse.descriptors) }
      let now = ContinuousClock.now
      tally.longestSilence = max(tally.longestSilence, now - tally.last)
      tally.last = now
      guard done == tasks else { return CheckedContinuation<Void, Never>?.none }
      defer { tally.waiter = nil }
      return tally.waiter
    }
    waiter?.resume()
  }
}

/// Resource use of this process, as reported by the kernel.
private enum ProcessUse {
  /// Returns a value of `/proc/self/status`, in KiB.
  private static func status(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? -1
  }

  static var peak: Int { status("VmHWM") }

  /// Resets the peak of resident memory.
  ///
  /// - Returns: The current resident memory, in KiB.
  static func forgetPeak() -> Int {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return status("VmRSS")
  }

  static var descriptors: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1 }
}
