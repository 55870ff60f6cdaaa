import XferEvents

// What holds for the whole command.
extension OptionTable {
  static let command: [OptionSpec] = [
    .flag("parallel", "Z", \.run.isParallel, "Several transfers at a time.").only(.request),
    .number(
      "parallel-max", "COUNT", \.run.parallelMax, 1...1000,
      "How many transfers run at a time; fewer where the limit of descriptors requires it."),
    .flag("fail-early", nil, \.run.failsEarly, "Begin nothing more after the first failure."),
    .flag("silent", "s", \.run.isSilent, "Say nothing; with --show-error failures only.").only(.request),
    .flag("silent", "s", \.run.isSilent, "Say nothing but failures.").only(.get, .put),
    .flag("verbose", "v", \.run.showsSteps, "Say what goes out and comes in: heads, connections, times."),
    .flag("show-error", "S", \.run.showsErrors, "Say failures, though silent."),
    OptionSpec.flag("json", nil, \.run.json, "Say what came of the transfers in a JSON document.").only(.get, .put),
    .custom("config", "K", "FILE", "Take options from FILE, one a line, - for standard input.") { _, _ in },
    .custom("next", ":", nil, "What follows is another request, with settings of its own.") { settings, _ throws(OptionProblem) in
      try settings.beginGroup()
    },
    .flag("private", nil, \.run.isPrivate, "Hash paths and destinations in the log, as everything private is."),
    .read(
      "capture", nil, "MODE", \.run.capture,
      "What the log keeps of private values: hashed, redacted, or full: everything, passwords too."
    ) { text throws(OptionProblem) in
      guard let mode = CaptureMode.allCases.first(where: { $0.name == text }) else {
        throw OptionProblem("hashed, redacted or full")
      }
      return mode
    },
    .text("log", nil, "DIRECTORY", \.run.log, "Write the log to this directory."),
  ]
}
