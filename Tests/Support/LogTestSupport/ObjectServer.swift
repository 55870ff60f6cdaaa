import Foundation

/// A running `Tests/Support/object-server`, which stores objects as S3 does and verifies signatures by botocore.
package final class ObjectServer {
  private let process: Process
  package let url: String
  private let folder: String
  /// The server ends when this pipe is closed, also if the tests are killed.
  private let input = Pipe()
  private let output = Pipe()

  package static let key = "AKIDEXAMPLE"
  package static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  package static let token = "SESSION/TOKEN+EXAMPLE=="

  /// A request as the server saw it.
  package struct Request: Decodable, Sendable {
    package let method: String
    package let path: String
    /// The status, or the fault that kept the server from sending one.
    package let status: String
    package let bytes: Int

    private enum Name: String, CodingKey { case method, path, status, bytes }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Name.self)
      method = try values.decode(String.self, forKey: .method)
      path = try values.decode(String.self, forKey: .path)
      bytes = try values.decode(Int.self, forKey: .bytes)
      if let number = try? values.decode(Int.self, forKey: .status) {
        status = "\(number)"
      } else {
        status = try values.decode(String.self, forKey: .status)
      }
    }
  }

  /// - Parameters:
  ///   - folder: A directory for the server's files, which is created.
  ///   - verifies: Whether requests must be signed.
  ///   - faults: What happens to the first PUT requests.
  package init(in folder: String, verifies: Bool = true, faults: [String] = []) throws {
    self.folder = folder
    let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    var arguments = [checkout.appendingPathComponent("object-server").path, folder, "--faults", faults.joined(separator: ",")]
    if verifies { arguments += ["--secret", "\(Self.key)=\(Self.secret)", "--token", Self.token] }
    let root = checkout.deletingLastPathComponent().deletingLastPathComponent()
    process = ToolRun.process(root.appendingPathComponent(".build/python-tools/bin/python").path, arguments)
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    url = Self.line(of: output)
  }

  deinit { process.terminate() }

  private static func line(of pipe: Pipe) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    // `FileHandle` would wait for more than a line.
    while read(pipe.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Waits for the end of the next PUT request that this function has not returned before.
  ///
  /// - Returns: The status or the fault; empty if the server has ended.
  package func nextResult() -> String { String(Self.line(of: output).prefix { $0 != " " }) }

  /// The environment of a client with the right credentials.
  package var environment: [String: String] {
    [
      "AWS_ACCESS_KEY_ID": Self.key, "AWS_SECRET_ACCESS_KEY": Self.secret, "AWS_SESSION_TOKEN": Self.token,
      "AWS_ENDPOINT_URL": url,
    ]
  }

  /// The directory with the objects, as a copy of a bucket would be.
  package var objects: String { "\(folder)/objects" }

  /// The requests so far.
  package var requests: [Request] {
    let text = (try? String(contentsOfFile: "\(folder)/ledger.ndjson", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
  }

  /// The paths of the PUT requests after which an object was stored, without their queries.
  package var stored: [String] {
    requests.filter { $0.method == "PUT" && ["200", "lost"].contains($0.status) }.map { String($0.path.prefix { $0 != "?" }) }
  }

  /// The paths of all objects, in alphabetical order.
  package var names: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: objects)) ?? []
    return names.filter { $0.hasSuffix(".seg") }.sorted()
  }
}
