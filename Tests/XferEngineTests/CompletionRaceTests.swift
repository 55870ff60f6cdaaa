import Foundation
import HTTPTypes
import Synchronization
import Testing
import XferEngine
import XferEvents
import XferScript

struct CompletionRaceTests {
  /// The number of completion handler calls per task.
  private final class Counts: Sendable {
    private let counts: Mutex<[Int]>

    init(_ size: Int) { counts = Mutex(Array(repeating: 0, count: size)) }

    func note(_ place: Int) { counts.withLock { $0[place] += 1 } }

    var all: [Int] { counts.withLock { $0 } }
  }

  /// To reproduce a failure, run only its seed.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `Hundreds of tasks complete once each while several threads control them`(seed: UInt64) async throws {
    var random = SeededGenerator(state: seed)
    let count = 300
    let calls = Counts(count)
    let paths = (0..<count).map { _ in ["/a", "/empty", "/r", "/cut", "/b"].randomElement(using: &random)! }
    let kinds = (0..<count).map { _ in Int.random(in: 0..<3, using: &random) }
    let steps = (0..<4).map { _ in
      (0..<count).map { _ in (place: Int.random(in: 0..<count, using: &random), step: Int.random(in: 0..<7, using: &random)) }
    }
    let routes: [ServerScript.Route] = [
      .init("/a", .generated(20_000)), .init("/empty", .generated(0)), .init("/r", .redirect(to: "/a")),
      .init("/cut", ScriptedResponse(body: .generated(size: 1000), cut: .init(.midBody, .close))),
      .init("/b", ScriptedResponse(headers: ["ETag": "\"1\""], body: .generated(size: 20_000), ranges: .honour)),
    ]
    try await Bench.run(routes) {
      $0.keepsPartialDownloads = false
      $0.coalescesIdenticalRequests = seed % 2 == 1
    } _: { bench in
      let tasks: [TransferTask] = try (0..<count).map { place in
        let request = bench.request(paths[place])
        switch kinds[place] {
        case 0: return try bench.session.dataTask(with: request) { _, _, _ in calls.note(place) }
        case 1: return try bench.session.downloadTask(with: request) { _, _, _ in calls.note(place) }
        default:
          return try bench.session.uploadTask(with: request, from: Data(repeating: 1, count: 5000)) { _, _, _ in calls.note(place)
          }
        }
      }
      await withTaskGroup { group in
        for thread in steps {
          group.addTask {
            for (place, step) in thread {
              let task = tasks[place]
              switch step {
              case 0: task.cancel()
              case 1: task.suspend()
              case 2: task.priority = Float(place) / Float(count)
              case 3: task.progress.cancel()
              case 4: (task as? DownloadTask)?.cancel { _ in }
              default: task.resume()
              }
            }
          }
        }
      }
      tasks.forEach { $0.resume() }
      bench.session.finishTasksAndInvalidate()
      await bench.log.wait(for: .sessionInvalidated)
      #expect(calls.all.allSatisfy { $0 == 1 }, "\(calls.all.enumerated().filter { $0.element != 1 })")
      #expect(tasks.allSatisfy { $0.state == .completed })
      #expect(bench.log.all(.sessionInvalidated).count == 1)
    }
  }
}
