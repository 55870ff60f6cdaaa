import Foundation
import HTTPTypes
import XferEngine
import XferEvents

/// A program that fetches URLs in turn, ignoring cached responses, and stores the responses in a cache until it is killed.
@main
enum CacheWriterProbe {
  static func main() async throws {
    let (server, directory) = (CommandLine.arguments[1], CommandLine.arguments[2])
    var configuration = TransferSession.Configuration.default
    configuration.urlCache = TransferSession.ResponseCache(memoryCapacity: 1 << 16, diskCapacity: 1 << 20, directory: directory)
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let session = TransferSession(configuration: configuration, sink: NullSink())
    for number in 0... { _ = try await session.data(for: HTTPRequest(method: .get, urlText: "\(server)/\(number % 20)")) }
  }
}
