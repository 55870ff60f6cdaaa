import ArgumentParser

/// One life of a sample's app, started by the recorder.
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
      throw RecordingError("\(sample) has no life \(index)", advice: "Lives are counted from 0.")
    }
    let app = try AppLife(server: server, log: log, directory: work)
    try lives[index].run(app)
    app.end()
  }
}
