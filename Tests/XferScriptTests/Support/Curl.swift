import Foundation
import XferScript

/// The installed curl program, used as an independent client.
enum Curl {
  static let path = ["/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isPresent: Bool { path != nil }

  struct Result: Equatable {
    /// The exit code: 18 partial file, 28 timeout, 47 too many redirects, 52 empty reply, 56 receive error.
    var exitCode: Int32
    var body: [UInt8]
  }

  static func run(_ arguments: String...) async throws -> Result {
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path!)
    process.arguments = ["--silent", "--max-time", "30", "--output", output.path] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let exitCode = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return Result(exitCode: exitCode, body: (try? Data(contentsOf: output)).map(Array.init) ?? [])
  }
}
