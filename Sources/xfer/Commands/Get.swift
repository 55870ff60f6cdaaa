import ArgumentParser

struct Get: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Download files.")

  @Argument(
    parsing: .captureForPassthrough, help: "Options and URLs (see xfer get --help).", completion: TransferCompletion.kind(.get))
  var words: [String] = []

  func run() async throws { try await TransferCommand.run(.get, words) }
}

struct Put: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Upload files.")

  @Argument(
    parsing: .captureForPassthrough, help: "Options and URLs (see xfer put --help).", completion: TransferCompletion.kind(.put))
  var words: [String] = []

  func run() async throws { try await TransferCommand.run(.put, words) }
}

struct Request: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Make requests, with curl's options.")

  @Argument(
    parsing: .captureForPassthrough, help: "Options and URLs (see xfer request --help).",
    completion: TransferCompletion.kind(.request))
  var words: [String] = []

  func run() async throws { try await TransferCommand.run(.request, words) }
}
