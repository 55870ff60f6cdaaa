import ArgumentParser
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct Tutorial: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "tutorial",
    abstract: "Learn the main commands on sample logs.",
    usage: "xferlog tutorial [<step>]",
    discussion: """
      Each step explains a command and runs it on a sample log. On a terminal, waits for Enter between the steps; q ends the \
      tutorial. Otherwise, or with --all, prints all steps at once. No file is changed.

      Example: xferlog tutorial 3
      """)

  @Argument(help: "The number of a step, to begin with it.")
  var step: Int = 1

  @Flag(help: "Do not wait between the steps.")
  var all = false

  func validate() throws {
    if !(1...TutorialStep.all.count).contains(step) { throw ValidationError("the steps are 1 to \(TutorialStep.all.count)") }
  }

  func run(_ surroundings: Surroundings) throws {
    guard let samples = SampleDirectory.find(surroundings.environment) else {
      throw CommandExit(
        .failed,
        """
        the sample logs were not found next to this program (in ../share/xferlog/samples).
        Install them with `Samples/install --prefix DIR`, or set $XFERLOG_SAMPLES to the folder Samples of a checkout.
        """)
    }
    guard chdir(samples) == 0 else { throw CommandExit(.failed, "\(samples): \(String(cString: strerror(errno)))") }
    // The configuration of another directory does not apply, and the steps print what this page says about them.
    var surroundings = surroundings
    surroundings.settings = Settings()
    let output = StandardOutput(descriptor: surroundings.output)
    let columns = min(surroundings.columns() ?? 80, 100)
    try say("The sample logs are in \(samples). To repeat a command, run it in that directory.", .max, output)
    for (place, step) in TutorialStep.all.enumerated().dropFirst(step - 1) {
      if place >= self.step, !(try waits(surroundings)) { return }
      try say(
        "\n\(place + 1) of \(TutorialStep.all.count): \(step.title)\n\n\(step.text)\n\n$ \(step.commandLine)", columns, output)
      try run(step, surroundings, output)
    }
    try say("\n\(TutorialStep.end)", columns, output)
  }

  private func say(_ text: String, _ columns: Int, _ output: StandardOutput) throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      for piece in TerminalText.wrapped(TerminalText.escaped(String(line)), to: columns, hang: 0) {
        output.buffer.append(piece)
        output.buffer.append(UInt8(ascii: "\n"))
      }
    }
    try output.flush()
  }

  /// Runs the command of a step, and prints its exit code unless it is 0.
  private func run(_ step: TutorialStep, _ surroundings: Surroundings, _ output: StandardOutput) throws {
    do {
      var command = try Execution.parse(step.arguments + ["--config", "-"])
      if let command = command as? any ReadingCommand { try command.run(surroundings) } else { try command.run() }
    } catch let exit as CommandExit {
      output.buffer.append("(exit code \(exit.status.code): \(exit.reason))\n")
      try output.flush()
    }
  }

  /// Waits for Enter on a terminal.
  ///
  /// - Returns: whether the tutorial goes on.
  private func waits(_ surroundings: Surroundings) throws -> Bool {
    guard !all, surroundings.terminal != nil, isatty(surroundings.input) == 1 else { return true }
    StandardError.write("\nPress Enter for the next step, or q and Enter to end.")
    let line = readLine()
    try Interruption.check()
    return line.map { !$0.hasPrefix("q") } ?? false
  }
}

extension TutorialStep {
  /// The command as a user would type it.
  var commandLine: String {
    let words = arguments.map { $0.contains { " |'\"".contains($0) } ? "'\($0)'" : $0 }
    return "xferlog " + words.joined(separator: " ")
  }
}
