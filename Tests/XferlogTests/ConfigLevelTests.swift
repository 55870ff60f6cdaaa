import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// `xferlog config level` and the programs that apply its rules.
@Suite(.timeLimit(.minutes(2))) struct ConfigLevelTests {
  private let directory = TemporaryDirectory()
  private var log: String { directory.path("run.xlog") }

  private func level(_ arguments: String...) throws -> ToolRun {
    try ToolRun.xferlog(["config", "level", "--log", log] + arguments)
  }

  @Test func `Rules are set, shown and unset`() throws {
    #expect(try level().status == 3)
    let first = try level("com.example:transfer=debug", "*=i")
    #expect(first.status == 0 && first.standardError.contains("there was no log yet"))
    #expect(first.lines == ["SUBSYSTEM    CATEGORY  LEVEL", "*            *         info", "com.example  transfer  debug"])
    #expect(try level().text == first.text)
    #expect(try level("com.example:transfer=default", "--unset", "*").lines[1] == "com.example  transfer  default")
    let json = try level("xferlog:attempt=debug", "-o", "json")
    #expect(
      json.text
        == #"{"schema":"xferlog.levels/1","log":"\#(log)","generation":3,"rules":[{"subsystem":"com.example","category":"transfer","level":"default"},{"subsystem":"xferlog","category":"attempt","level":"debug"}]}"#
        + "\n")
    let none = try level("--reset", "-o", "json")
    #expect(none.text.contains(#""generation":4,"rules":[]"#))
    #expect(try level("--unset", "nobody").standardError == "xferlog: there was no rule for nobody\n")
    // The log exists but has no events.
    #expect(try ToolRun.xferlog("show", log).status == 3)
  }

  @Test(arguments: [
    (["x"], "'x' has no level"), (["x=loud"], "'loud' is not a level"), (["x=fault"], "always written"),
    (["xferlog:atempt=debug"], "Did you mean attempt?"), (["xferlog:message=debug"], "there is no event family 'message'"),
    (["--unset", "a,b"], "a comma"), (["--reset", "--unset", "a"], "leave --unset out"),
  ])
  func `An invalid rule is rejected and changes nothing`(arguments: [String], problem: String) throws {
    let run = try ToolRun.xferlog(["config", "level", "--log", log] + arguments)
    #expect(run.status == 2 && run.standardError.contains(problem), "\(run.standardError)")
    #expect(try level().status == 3, "no log was made")
  }

  @Test func `An unreadable levels file is an error until it is reset`() throws {
    _ = try level("a=debug")
    _ = try directory.write(Array("no levels".utf8), to: "run.xlog/levels")
    for arguments in [[], ["b=debug"]] {
      let run = try ToolRun.xferlog(["config", "level", "--log", log] + arguments)
      #expect(run.status == 2 && run.standardError.contains("config level --reset"))
    }
    #expect(try level("--reset", "b=info").lines[1].hasPrefix("b "))
  }

  @Test(arguments: seeds(3, campaign: 60))
  func `A writer applies the next change after commands were killed at any moment`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let policy = PrivacyPolicy(mode: .full, key: (1, 2))
    let writer = try EventLog(directory: log, configuration: LogConfiguration(role: .tool, privacy: policy))
    let logger = EventLogger(subsystem: "com.example", category: "c", log: writer)
    for round in 0..<8 {
      let commands = try (0..<3).map { command in
        let process = ToolRun.process(
          ToolRun.tool, ["config", "level", "--log", log, "command-\(command):round-\(round)=debug"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
      }
      // The time until the kill is measured in events, because tests use no clock.
      for _ in 0..<Int.random(in: 0..<60_000, using: &random) { logger.notice("still here") }
      for process in commands {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }
    #expect(try level().status == 0, "seed \(seed)")
    for (rule, isOn) in [("com.example=debug", true), ("com.example=default", false), ("*:c=debug", false)] {
      #expect(try level(rule).status == 0, "seed \(seed)")
      // If a command was killed between its two steps, followers notice the next change only after ten milliseconds.
      var tries = 0
      while logger.isEnabled(.debug) != isOn, tries < 10_000_000 { tries += 1 }
      #expect(logger.isEnabled(.debug) == isOn, "seed \(seed): \(rule)")
    }
    writer.close()
    let last = LogReader([.directory(log)]).reduce(into: nil as String?) { last, member in
      if case .event(let event) = member, event.kind == .logLevelsChanged { last = event.levels }
    }
    #expect(last?.contains("com.example=default") == true, "seed \(seed)")
  }
}
