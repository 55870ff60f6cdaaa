import Foundation

/// A completed run of a program.
struct ProgramRun {
  /// The wall-clock time. Processor time would not show the benefit of two threads.
  let seconds: Double
  let peakKilobytes: Int

  /// - Parameter cores: The number of processors that the program may use.
  init(_ command: [String], cores: Int) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["time", "-f", "%M", "taskset", "-c", cores == 1 ? "0" : "0-\(cores - 1)"] + command
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    let start = ContinuousClock.now
    try process.run()
    // The program prints nothing to standard error, so this is the output of `time`.
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let end = ContinuousClock.now
    process.waitUntilExit()
    guard process.terminationStatus == 0, let peak = Int(said) else {
      fatalError("\(command) exited with \(process.terminationStatus): \(said)")
    }
    seconds = (end - start) / .seconds(1)
    peakKilobytes = peak
  }

  /// Runs this benchmark program in a separate process.
  static func own(_ arguments: [String]) throws {
    let process = try Process.run(URL(fileURLWithPath: CommandLine.arguments[0]), arguments: arguments)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { fatalError("\(arguments) exited with \(process.terminationStatus)") }
  }
}
