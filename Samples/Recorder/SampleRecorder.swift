import ArgumentParser

/// Records the samples with real transfers of the engine, a scripted server, and apps with known defects.
@main
struct SampleRecorder: ParsableCommand {
  static let name = "sample-recorder"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Record the sample logs, or inject their faults into a live log.",
    subcommands: [Record.self, Run.self, List.self, LifeCommand.self])
}
