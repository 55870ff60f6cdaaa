import Foundation
import LogTestSupport

/// A certificate authority with a server certificate and a client certificate.
final class Authority: Sendable {
  private let directory = TemporaryDirectory()
  let root: String

  init() throws {
    root = directory.path("root")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: root + "/file"))
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem"
    )
    try sign("server", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    try sign("client", "extendedKeyUsage=clientAuth")
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout own.key -out own.pem"
    )
  }

  func path(_ name: String) -> String { directory.path(name) }

  var certificate: String { path("ca.pem") }
  var server: WebServer.Identity { .init(certificate: path("server.pem"), key: path("server.key")) }
  var stranger: WebServer.Identity { .init(certificate: path("own.pem"), key: path("own.key")) }

  private func sign(_ name: String, _ extensions: String) throws {
    _ = try directory.write(Array(extensions.utf8), to: "\(name).ext")
    try openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=\(name) -keyout \(name).key -out \(name).csr")
    try openssl(
      "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile \(name).ext -out \(name).pem")
  }

  @discardableResult
  func openssl(_ arguments: String) throws -> String {
    let run = try ToolRun("/bin/sh", ["-c", "cd '\(directory.path)' && openssl \(arguments)"])
    guard run.status == 0 else { throw WebServer.Failure(said: run.standardError) }
    return run.text
  }

  /// Returns the pin of the server's public key, in the form `sha256//…`.
  func pin() throws -> String {
    let digest = try openssl(
      "x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64")
    return "sha256//" + digest.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
