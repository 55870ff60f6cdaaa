import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server within the process: every request is answered with a tile of 1,000 bytes.
final class TileServer: URLProtocol {
  static let tile = Data(repeating: 7, count: 1000)

  static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [TileServer.self]
    return configuration
  }

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Length": "\(Self.tile.count)"])
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Self.tile)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// A directory for tiles that is removed with this object.
final class TileDirectory {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("tiles-\(UUID())")

  deinit { try? FileManager.default.removeItem(at: url) }
}
