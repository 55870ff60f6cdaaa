import Foundation
import XferEvents
import XferLogStore

@main
enum ReadingBenchmark {
  static func main() throws { try run() }

  private static func run() throws {
    let path = "/tmp/xferlog-reading-\(getpid()).xlog"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let log = try EventLog(directory: path, configuration: LogConfiguration(role: .engine, privacy: PrivacyPolicy(key: (1, 2))))
    let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "default-1", number: 1)
    let n = 6_000_000
    for step in 0..<n {
      log.emit(AttemptBytesReceived(task: task, attempt: 1, received: Int64(step), expected: 1 << 20))
    }
    log.close()
    for _ in 0..<3 {
      let start = ContinuousClock.now
      let reader = LogReader([.directory(path)])
      var count = 0
      var sum: Int64 = 0
      while let member = reader.next() {
        if case .event(let event) = member {
          count += 1
          if event.kind == .attemptBytesReceived { sum &+= event.received ?? 0 }
        }
      }
      let elapsed = ContinuousClock.now - start
      print(count, sum, Double(elapsed.nanoseconds) / Double(count))
    }
  }
}
