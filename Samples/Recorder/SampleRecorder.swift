import ArgumentParser

/// Records the samples: real transfers of the real engine, against the scripted server, by apps with known defects.
@main
struct SampleRecorder: ParsableCommand {
  static let name = "sample-recorder"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Records the sample logs, and injects their faults into a live one.",
    subcommands: [Record.self, Run.self, List.self, LifeCommand.self])
}
