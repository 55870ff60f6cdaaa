import Foundation
import LogTestSupport

/// Takes TLS off connections and hands on what is in them: what a case sends over https is the same bytes.
final class TLSRelay {
  let port: Int
  private let process: Process
  private let directory = TemporaryDirectory()
  /// Never written to: the relay ends with whoever holds it open.
  private let input = Pipe()

  /// - Parameter target: the port at 127.0.0.1 that gets the bytes.
  init(to target: Int) throws {
    let identity = try directory.write(Self.identity.get(), to: "identity.pem")
    process = ToolRun.process("/usr/bin/python3", ["-c", Self.program, identity, "\(target)"])
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingSpaces) else { throw CaseProblem("the relay for TLS does not start") }
    self.port = port
  }

  deinit {
    // A thread of the tests may have every other signal blocked, and its children inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A key and its certificate, which nobody has reason to trust, for as long as the tests run.
  private static let identity = Result {
    let directory = TemporaryDirectory()
    let made = try ToolRun(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", "key.pem",
        "-out", "certificate.pem",
      ], in: directory.path)
    guard made.status == 0 else { throw CaseProblem("no certificate can be made: \(made.standardError)") }
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
