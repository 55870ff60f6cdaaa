import ArgumentParser

/// Runs one process of a sample's app. The recorder starts this command.
struct LifeCommand: ParsableCommand {
  static let name = "life"
  static let configuration = CommandConfiguration(commandName: name, shouldDisplay: false)

  @Argument var sample: String
  @Argument var index: Int
  @Option var server: String
  @Option var log: String
  @Option var work: String

  func run() throws {
    guard case .lives(_, let lives) = try SampleCatalogue.named([sample])[0].making, lives.indices.contains(index) else {
      throw RecordingError("\(sample) has no process number \(index)", advice: "Process numbers start at 0.")
    }
    let app = try AppLife(server: server, log: log, directory: work)
    try lives[index].run(app)
    app.end()
  }
}
