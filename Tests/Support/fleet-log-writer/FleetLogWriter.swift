import Foundation
import LogTestSupport

/// Writes the logs of many devices, with known truth.
///
///     fleet-log-writer DIRECTORY DEVICES TASKS SEED
///
/// - `DIRECTORY/logs/DEVICE.xlog`: the log of each device. Its segments are sealed.
/// - `DIRECTORY/truth.csv`: device, session, task number, and outcome: ok, lost or stalled.
///
/// TASKS is the mean number of tasks of a device. The same seed gives the same events.
@main
struct FleetLogWriter {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    let numbers = words.dropFirst().compactMap { UInt64($0) }
    guard let directory = words.first, words.count == 4, numbers.count == 3 else {
      FileHandle.standardError.write(Data("usage: fleet-log-writer DIRECTORY DEVICES TASKS SEED\n".utf8))
      exit(2)
    }
    try FileManager.default.createDirectory(atPath: "\(directory)/logs", withIntermediateDirectories: true)
    var truth = ""
    let engine = EngineThread()
    for number in 0..<numbers[0] {
      var device = Device(number: number, seed: numbers[2], engine: engine)
      truth += try device.write(in: "\(directory)/logs", tasks: Int(numbers[1]))
    }
    engine.end()
    try truth.write(toFile: "\(directory)/truth.csv", atomically: true, encoding: .utf8)
  }
}
