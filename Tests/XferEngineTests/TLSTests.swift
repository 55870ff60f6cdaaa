import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents

/// TLS tests against nginx, with certificates of an authority made for the test.
///
/// Serialized, because a server started in parallel would inherit the pipes of a tool that another test starts.
@Suite(.serialized)
struct TLSTests {
  private func answer(
    _ server: WebServer, host: String = "localhost", log: RecordingSink = RecordingSink(),
    _ configure: (inout TransferSession.Configuration) throws -> Void
  ) async throws -> Result<TransferResponse, TransferError> {
    var configuration = TransferSession.Configuration.ephemeral
    try configure(&configuration)
    let session = TransferSession(configuration: configuration, sink: log, names: SessionNames())
    defer { session.finishTasksAndInvalidate() }
    do throws(TransferError) {
      let (data, response) = try await session.data(for: HTTPRequest(method: .get, urlText: server.url("/file", host: host)))
      #expect(data.count == 100_000)
      return .success(response)
    } catch {
      return .failure(error)
    }
  }

  private func code(_ result: Result<TransferResponse, TransferError>) -> TransferError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  @Test func `A server is trusted only with a valid authority, host name and pinned key`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.server)
    let pin = try authority.pin()
    let trusted = try await answer(server) { $0.serverTrust.authoritiesFile = authority.certificate }
    #expect(try trusted.get().networkProtocolName == "h2")
    #expect(code(try await answer(server) { _ in }) == .serverCertificateUntrusted)
    let pinned = try await answer(server) { configuration in
      configuration.serverTrust.authoritiesFile = authority.certificate
      configuration.serverTrust.pinnedPublicKeys = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", pin]
    }
    #expect(code(pinned) == nil)
    let other = try await answer(server) { configuration in
      configuration.serverTrust.authoritiesFile = authority.certificate
      configuration.serverTrust.pinnedPublicKeys = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
    }
    #expect(code(other) == .serverCertificateUntrusted)
    let stranger = try WebServer(root: authority.root, identity: authority.stranger)
    #expect(
      code(try await answer(stranger) { $0.serverTrust.authoritiesFile = authority.certificate }) == .serverCertificateUntrusted)
    let name = try await answer(stranger, host: "127.0.0.1") { $0.serverTrust.authoritiesFile = authority.path("own.pem") }
    #expect(code(name) == .serverCertificateUntrusted, "the certificate is for another host name")
  }

  /// A server that sends a response without a length and closes the connection with or without `close_notify`.
  private static let endingServer = """
    import socket, ssl, sys
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    connection = context.wrap_socket(listener.accept()[0], server_side=True)
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\n" + bytes(100000))
    if sys.argv[3] == "properly": connection = connection.unwrap()
    connection.close()
    """

  @Test(arguments: [true, false])
  func `A body without a length is complete only if the server closes TLS with close_notify`(isProper: Bool) async throws {
    let authority = try Authority()
    let process = ToolRun.process(
      "/usr/bin/python3",
      ["-c", Self.endingServer, authority.server.certificate, authority.server.key, isProper ? "properly" : "abruptly"])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    defer { process.waitUntilExit() }
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).filter(\.isNumber)

    var configuration = TransferSession.Configuration.ephemeral
    configuration.serverTrust.authoritiesFile = authority.certificate
    configuration.httpVersions = .http1
    let session = TransferSession(configuration: configuration, sink: RecordingSink(), names: SessionNames())
    defer { session.finishTasksAndInvalidate() }
    do throws(TransferError) {
      let (data, _) = try await session.data(for: HTTPRequest(method: .get, urlText: "https://localhost:\(port)/"))
      #expect(isProper && data.count == 100_000)
    } catch {
      #expect(!isProper && error.code == .networkConnectionLost, "\(error)")
    }
  }

  /// Answers /false with an HTTP/2 status line although the handshake agreed on no protocol, and /held once /after was requested.
  private static let falseHTTP2Server = """
    import socket, ssl, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    after = threading.Event()
    def serve(plain):
        connection = context.wrap_socket(plain, server_side=True)
        while request := connection.recv(65536):
            path = request.split()[1]
            if path == b"/held": after.wait()
            if path == b"/after": after.set()
            version = b"HTTP/2" if path == b"/false" else b"HTTP/1.1"
            connection.sendall(version + b" 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nbody")
    while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  @Test func `A false HTTP/2 status line over TLS puts no request on a connection in use`() async throws {
    let authority = try Authority()
    let process = ToolRun.process(
      "/usr/bin/python3", ["-c", Self.falseHTTP2Server, authority.server.certificate, authority.server.key])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // Not SIGTERM, which a test process may have blocked, and its children with it.
    defer { kill(process.processIdentifier, SIGKILL) }
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).filter(\.isNumber)

    var configuration = TransferSession.Configuration.ephemeral
    configuration.serverTrust.authoritiesFile = authority.certificate
    configuration.timeoutIntervalForResource = .seconds(20)
    let session = TransferSession(configuration: configuration, sink: RecordingSink(), names: SessionNames())
    defer { session.finishTasksAndInvalidate() }
    func get(_ path: String) async -> TransferError.Code? {
      do throws(TransferError) {
        let (data, _) = try await session.data(for: HTTPRequest(method: .get, urlText: "https://localhost:\(port)/\(path)"))
        return data == Data("body".utf8) ? nil : .unknown
      } catch {
        return error.code
      }
    }
    async let held = get("held")
    #expect(await get("false") == .badServerResponse)
    #expect(await get("after") == nil)
    #expect(await held == nil)
  }

  @Test func `A session that trusts any server logs a fault`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.stranger)
    let log = RecordingSink()
    #expect(code(try await answer(server, log: log) { $0.serverTrust.allowsAnyServer = true }) == nil)
    #expect(log.all(.messageFault).count == 1)
    let silent = RecordingSink()
    _ = try await answer(server, log: silent) { _ in }
    #expect(silent.all(.messageFault).isEmpty)
    let failed = silent.all(.attemptEnded)[0]
    #expect(failed.text("errorName") == "serverCertificateUntrusted" && failed.number("error") == 60)
  }

  @Test func `A server that requires a client certificate gets the configured one`() async throws {
    let authority = try Authority()
    let directives = "ssl_client_certificate \(authority.certificate); ssl_verify_client on;"
    let server = try WebServer(root: authority.root, identity: authority.server, directives: directives)
    let known = try await answer(server) { configuration in
      configuration.serverTrust.authoritiesFile = authority.certificate
      configuration.clientCertificate = .init(
        certificateFile: authority.path("client.pem"), keyFile: authority.path("client.key"))
    }
    #expect(try known.get().statusCode == 200)
    let missing = try await answer(server) { configuration in
      configuration.serverTrust.authoritiesFile = authority.certificate
      configuration.clientCertificate = .init(certificateFile: authority.path("nobody.pem"))
    }
    #expect(code(missing) == .clientCertificateRejected)
  }

  @Test func `Only the configured TLS and HTTP versions are used`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.server, directives: "ssl_protocols TLSv1.2;")
    let newest = try await answer(server) { configuration in
      configuration.serverTrust.authoritiesFile = authority.certificate
      configuration.tlsMinimumSupportedProtocolVersion = .tlsV13
    }
    #expect(code(newest) == .secureConnectionFailed)
    let older = try await answer(server) { configuration in
      configuration.serverTrust.authoritiesFile = authority.certificate
      configuration.tlsMaximumSupportedProtocolVersion = .tlsV12
      configuration.httpVersions = .http1
    }
    #expect(try older.get().networkProtocolName == "http/1.1")
  }

  @Test func `HTTP/2 multiplexes more requests than the connection limit allows connections`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.server)
    let log = RecordingSink()
    var configuration = TransferSession.Configuration.ephemeral
    configuration.serverTrust.authoritiesFile = authority.certificate
    configuration.httpMaximumConnectionsPerHost = 2
    let session = TransferSession(configuration: configuration, sink: log, names: SessionNames())
    let request = HTTPRequest(method: .get, urlText: server.url("/file", host: "localhost"))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<60 {
        group.addTask { try await session.data(for: request).0.count }
      }
      for try await count in group { #expect(count == 100_000) }
    }
    session.finishTasksAndInvalidate()
    await log.wait(for: .sessionInvalidated)
    #expect(LogChecks.problems(in: log.events) == [])
    let connections = Set(log.all(.attemptConnectionAcquired).compactMap { $0.identifier("connection") })
    #expect(connections.count <= 2)
    #expect(log.all(.attemptResponseReceived).allSatisfy { $0.text("protocol") == "h2" })
  }
}
