import Foundation

/// A run of a program, to its end.
struct ProgramRun {
  /// By the clock: with two threads the processors' time says nothing.
  let seconds: Double
  let peakKilobytes: Int

  /// - Parameter cores: how many of the processors it may use.
  init(_ command: [String], cores: Int) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["time", "-f", "%M", "taskset", "-c", cores == 1 ? "0" : "0-\(cores - 1)"] + command
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    let start = ContinuousClock.now
    try process.run()
    // The program says nothing, so that this is what `time` says.
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let end = ContinuousClock.now
    process.waitUntilExit()
    guard process.terminationStatus == 0, let peak = Int(said) else {
      fatalError("\(command) ended with \(process.terminationStatus): \(said)")
    }
    seconds = (end - start) / .seconds(1)
    peakKilobytes = peak
  }

  /// Runs this program in a process of its own.
  static func own(_ arguments: [String]) throws {
    let process = try Process.run(URL(fileURLWithPath: CommandLine.arguments[0]), arguments: arguments)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { fatalError("\(arguments) ended with \(process.terminationStatus)") }
  }
}
