import Foundation
import LogTestSupport

/// A relay that terminates TLS and forwards the plain bytes, so that https cases use the same server as http cases.
final class TLSRelay {
  let port: Int
  private let process: Process
  private let directory = TemporaryDirectory()
  /// The relay's standard input. The relay exits when the pipe is closed, so that it does not outlive the tests.
  private let input = Pipe()

  /// - Parameter target: the port at 127.0.0.1 to which plain bytes are forwarded.
  init(to target: Int) throws {
    let identity = try directory.write(Self.identity.get(), to: "identity.pem")
    process = ToolRun.process("/usr/bin/python3", ["-c", Self.program, identity, "\(target)"])
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingSpaces) else { throw CaseProblem("the TLS relay does not start") }
    self.port = port
  }

  deinit {
    // SIGKILL, because a test thread may block other signals, and its children inherit blocked signals.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A key and a self-signed certificate, made once per test run.
  private static let identity = Result {
    let directory = TemporaryDirectory()
    let made = try ToolRun(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", "key.pem",
        "-out", "certificate.pem",
      ], in: directory.path)
    guard made.status == 0 else { throw CaseProblem("openssl cannot make a certificate: \(made.standardError)") }
    return ["key.pem", "certificate.pem"].flatMap { Array(FileManager.default.contents(atPath: directory.path($0)) ?? Data()) }
  }

  private static let program = """
    import asyncio, os, ssl, sys, threading

    async def pump(reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def relay(reader, writer):
        try:
            plain_reader, plain_writer = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
        except OSError:
            return writer.close()
        await asyncio.gather(pump(reader, plain_writer), pump(plain_reader, writer))

    async def main():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        server = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    asyncio.run(main())
    """
}
