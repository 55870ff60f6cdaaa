import XferEvents

// MARK: Options of the whole command
extension OptionTable {
  static let command: [OptionSpec] = [
    .flag("parallel", "Z", \.run.isParallel, "Run several transfers at a time.").only(.request),
    .number(
      "parallel-max", "COUNT", \.run.parallelMax, 1...1000,
      "Maximum number of simultaneous transfers (fewer if the file descriptor limit requires it)."),
    .flag("fail-early", nil, \.run.failsEarly, "Start no more transfers after the first failure."),
    .flag("silent", "s", \.run.isSilent, "Print no messages (with --show-error, only failures).").only(.request),
    .flag("silent", "s", \.run.isSilent, "Print only failures.").only(.get, .put),
    .flag("verbose", "v", \.run.showsSteps, "Print request and response headers, connections and timings."),
    .flag("show-error", "S", \.run.showsErrors, "Print failures even with --silent.").only(.request),
    OptionSpec.flag(
      "show-error", "S", \.run.showsErrors, "Accepted for compatibility with curl; failures are always printed."
    ).only(.get, .put),
    OptionSpec.flag("json", nil, \.run.json, "Print the results as a JSON document.").only(.get, .put),
    .custom("config", "K", "FILE", "Read options from FILE, one per line (- for standard input).") { _, _ in },
    .custom("next", ":", nil, "Begin another group of URLs with its own options.") { settings, _ throws(OptionProblem) in
      try settings.beginGroup()
    },
    .flag("private", nil, \.run.isPrivate, "Mask URL paths, output paths and error texts in the log, like other private values."),
    .read(
      "capture", nil, "MODE", \.run.capture,
      "How the log stores private values: hashed, redacted, or full (unmasked, even passwords)."
    ) { text throws(OptionProblem) in
      guard let mode = CaptureMode.allCases.first(where: { $0.name == text }) else {
        throw OptionProblem("hashed, redacted or full")
      }
      return mode
    },
    .text("log", nil, "DIRECTORY", \.run.log, "Write the log to this directory."),
  ]
}
