import Foundation
import LogTestSupport
import XferScript

/// The background transfer of a kill test.
enum BackgroundWork: String, CaseIterable {
  case download, upload

  static let size = 3 << 19
  /// The server's send rate in bytes per second. Slower than the loopback device, so that few bytes are in flight at a kill.
  static let rate = 4 << 20
  static let receipt = String(repeating: "receipt 7, ", count: 2000)

  var routes: [ServerScript.Route] {
    switch self {
    case .download:
      [
        .init(
          "/a",
          ScriptedResponse(
            headers: ["ETag": "\"a\""], body: .generated(size: Self.size, seed: .value(1)), rate: Self.rate, ranges: .honour))
      ]
    case .upload: [.init("/a", ScriptedResponse(status: 201, body: .text(Self.receipt)))]
    }
  }

  /// Returns the arguments of the app.
  func arguments(_ device: Device) throws -> [String] {
    switch self {
    case .download: return [device.url("/a")]
    case .upload:
      let source = device.path("source")
      if !FileManager.default.fileExists(atPath: source) { _ = try device.directory.write(Self.bytes, to: "source") }
      return ["upload=\(source)", device.url("/a")]
    }
  }

  static let bytes: [UInt8] = ScriptBody.bytes(seed: 1, size: size)
}
