import Foundation
import HTTPTypes
import LogTestSupport
import Synchronization
import Testing
import XferEvents
import XferScript

@testable import XferEngine

/// Tests all combinations of server faults, sizes, positions and request modes, and checks results against the server's record.
struct HostileMatrixTests {
  private struct Trial: Sendable {
    let fault: ServerFault
    let mode: ServerFault.RequestMode
    let size: Int
    let cut: Int

    var description: String { "\(fault.name), size \(size), cut \(cut), \(mode.rawValue)" }
  }

  private enum Verdict: String, CaseIterable {
    case whole, failed
    /// The client failed although a correct client could have got the resource.
    case needlessFailure
    case short, long, stitched
  }

  private static let sizes = [0, 1, 4096, 65_536, 1 << 20]

  private static func trials(seed: UInt64) -> [Trial] {
    var random = SeededRandom(seed: seed)
    return sizes.flatMap { size -> [Trial] in
      let drawn = size > 2 ? Int.random(in: 2..<size - 1, using: &random) : 0
      let cuts = Set([0, 1, 16_384, size / 2, drawn, size - 1]).filter { 0..<max(1, size) ~= $0 }.sorted()
      return cuts.flatMap { cut in
        ServerFault.all(size: size, cut: cut, seed: UInt64(size + cut)).flatMap { fault in
          ServerFault.RequestMode.allCases.map { Trial(fault: fault, mode: $0, size: size, cut: cut) }
        }
      }
    }
  }

  /// Returns the trials to run: all in a campaign, otherwise a tenth. Silent faults run separately, because their timeout is
  /// short.
  private static func drawn(seed: UInt64, silent: Bool) -> [Trial] {
    var random = SeededRandom(seed: seed)
    let all = trials(seed: seed).filter { $0.fault.isSilent == silent }.shuffled(using: &random)
    return isCampaign ? all : Array(all.prefix(all.count / 10))
  }

  @Test(arguments: seeds(1, campaign: 1))
  func `A client returns only complete bodies and recovers from every recoverable fault`(seed: UInt64) async throws {
    var tally: [String: [Verdict: Int]] = [:]
    var problems: [String] = []
    var count = 0
    for silent in [false, true] {
      let drawn = Self.drawn(seed: seed, silent: silent)
      count += drawn.count
      for start in stride(from: 0, to: drawn.count, by: 100) {
        let some = Array(drawn[start..<min(drawn.count, start + 100)])
        for (trial, verdict) in try await Self.run(some, silent: silent) {
          tally[trial.fault.name, default: [:]][verdict, default: 0] += 1
          if ![.whole, .failed].contains(verdict) { problems.append("\(trial.description): \(verdict)") }
          // A complete body is impossible with such a fault, so a success would be wrong.
          if verdict == .whole, trial.fault.remedy == .impossible { problems.append("\(trial.description): whole by chance?") }
        }
      }
    }
    print("hostile matrix, seed \(seed): \(count) transfers")
    for (name, verdicts) in tally.sorted(by: { $0.key < $1.key }) {
      print(
        "  \(name): "
          + Verdict.allCases.compactMap { kind in verdicts[kind].map { "\($0) \(kind.rawValue)" } }.joined(separator: ", "))
    }
    #expect(problems == [], "seed \(seed)")
    #expect(count >= (isCampaign ? 2_000 : 200))
  }

  // MARK: Running

  private static func run(_ trials: [Trial], silent: Bool) async throws -> [(Trial, Verdict)] {
    let routes = trials.enumerated().map { ServerScript.Route("/\($0.offset)", $0.element.fault.responses) }
    var verdicts: [(Trial, Verdict)] = []
    // The request mode determines the session's retry policy.
    for retries in [false, true] {
      let own = trials.enumerated().filter {
        ($0.element.mode == .dataRetrying || $0.element.mode == .downloadRetrying) == retries
      }
      let configure = { (configuration: inout TransferSession.Configuration) in
        configuration.timeoutIntervalForRequest = silent ? .milliseconds(700) : .seconds(60)
        configuration.maximumConnections = 32
        configuration.httpMaximumConnectionsPerHost = 16
        if retries {
          configuration.retryPolicy = .init(maximumRetries: 6)
          configuration.retryPolicy.delay = .zero
        }
      }
      let delegate = FileReader()
      try await Bench.run(routes, configure: configure, delegate: delegate) { bench in
        verdicts += try await withThrowingTaskGroup(of: (Trial, Verdict).self) { group in
          for (index, trial) in own {
            group.addTask { (trial, try await judge(trial, "/\(index)", bench, delegate)) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        await bench.log.wait { $0.count { $0.kind == .taskAcknowledged } == $0.count { $0.kind == .taskCreated } }
        // Removes the partial files that no task resumed.
        for name in try FileManager.default.contentsOfDirectory(atPath: bench.path("tmp")) {
          try FileManager.default.removeItem(atPath: bench.path("tmp/\(name)"))
        }
      }
    }
    return verdicts
  }

  private static func judge(_ trial: Trial, _ path: String, _ bench: Bench, _ delegate: FileReader) async throws -> Verdict {
    let got = await result(of: trial, path, bench, delegate)
    // The verdict depends only on the server's record and the bodies it sent.
    let served = bench.server.requests.filter { $0.target == path }
    guard let bytes = got else { return trial.fault.canRecover(trial.mode) ? .needlessFailure : .failed }
    let turn = try #require(served.last?.turn)
    let response = trial.fault.responses[turn]
    let whole: [UInt8] =
      switch (trial.fault.wholes[turn], response.body) {
      case (let whole?, _): whole
      case (nil, .generated(let size, .value(let seed))): ScriptBody.bytes(seed: seed, size: size)
      case (nil, .bytes(let bytes)): bytes
      default: []
      }
    if bytes == whole { return .whole }
    if bytes.count < whole.count { return .short }
    return bytes.count > whole.count ? .long : .stitched
  }

  /// - Returns: The bytes of a successful transfer, or `nil` for an error.
  private static func result(of trial: Trial, _ path: String, _ bench: Bench, _ delegate: FileReader) async -> [UInt8]? {
    switch trial.mode {
    case .data, .dataRetrying:
      return try? await Array(bench.session.data(for: bench.request(path)).0)
    case .download, .downloadRetrying:
      let name = "got\(path.dropFirst())"
      guard (try? await bench.session.download(for: bench.request(path), to: bench.path(name))) != nil else { return nil }
      return bench.bytes(name)
    case .downloadResumedByHand:
      var last: TransferError?
      for _ in 0..<6 {
        guard
          let task = try? last?.downloadTaskResumeData.map({ try bench.session.downloadTask(withResumeData: $0) })
            ?? bench.session.downloadTask(with: bench.request(path))
        else { return nil }
        task.resume()
        switch await delegate.end(of: task) {
        case .success(let bytes): return bytes
        case .failure(let error): last = error
        }
      }
      return nil
    }
  }
}

/// A delegate that reads each downloaded file and lets callers await the result.
private final class FileReader: TransferSessionDelegate {
  typealias End = Result<[UInt8], TransferError>

  private struct State {
    var bytes: [Int: [UInt8]] = [:]
    var ends: [Int: End] = [:]
    var waiters: [Int: CheckedContinuation<End, Never>] = [:]
  }

  private let state = Mutex(State())

  func end(of task: TransferTask) async -> End {
    await withCheckedContinuation { continuation in
      let end = state.withLock { state in
        let end = state.ends[task.taskIdentifier]
        if end == nil { state.waiters[task.taskIdentifier] = continuation }
        return end
      }
      if let end { continuation.resume(returning: end) }
    }
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    let bytes = FileManager.default.contents(atPath: location.path).map(Array.init)
    state.withLock { $0.bytes[downloadTask.taskIdentifier] = bytes }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let waiter = state.withLock { state in
      let end: End = error.map { .failure($0) } ?? .success(state.bytes[task.taskIdentifier] ?? [])
      state.ends[task.taskIdentifier] = end
      return state.waiters.removeValue(forKey: task.taskIdentifier).map { ($0, end) }
    }
    if let (continuation, end) = waiter { continuation.resume(returning: end) }
  }
}
