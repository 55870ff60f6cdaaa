import Foundation
import LogTestSupport
import Testing
import XferScript

struct PutTests {
  private func file(_ name: String, _ size: Int, _ bench: Bench) throws {
    try Data(ScriptBody.bytes(seed: 3, size: size)).write(to: URL(fileURLWithPath: bench.path("work/\(name)")))
  }

  @Test
  func `Files are uploaded under their names or to the exact URL`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(status: 201, body: "stored"))]) { bench in
      try file("a b.bin", 1000, bench)
      try file("c.bin", 200_000, bench)
      let run = try bench.xfer(["put", "a b.bin", "c.bin", bench.url("/up/")])
      #expect(run.status == 0 && run.text == "", "\(run.standardError)")
      #expect(run.standardError.hasPrefix("xfer: 2 files, 196.2 KiB in "))
      let one = try bench.xfer(["put", "-s", "-o", "answer", "c.bin", bench.url("/named")])
      #expect(one.status == 0 && one.standardError == "")
      #expect(bench.files["answer"] == Array("stored".utf8))
      let requests = bench.server.requests.sorted { $0.target < $1.target }
      #expect(requests.map(\.method) == ["PUT", "PUT", "PUT"])
      #expect(requests.map(\.target) == ["/named", "/up/a%20b.bin", "/up/c.bin"])
      #expect(requests.map(\.requestBodyBytes) == [200_000, 1000, 200_000])
      #expect(requests[0].requestBodyCRC32 == CRC32(ScriptBody.bytes(seed: 3, size: 200_000)).value)
    }
  }

  @Test
  func `Standard input is streamed, and a redirected upload sends its body again`() async throws {
    try await Bench.run([
      .init("/stored", ScriptedResponse(body: "ok")), .init("/moved", ScriptedResponse(status: 307, redirect: "/stored")),
    ]) { bench in
      try file("c.bin", 100_000, bench)
      let bytes = ScriptBody.bytes(seed: 9, size: 70_000)
      #expect(try bench.xfer(["put", "-s", "-", bench.url("/stored")], input: bytes).status == 0)
      #expect(try bench.xfer(["put", "-s", "c.bin", bench.url("/moved")]).status == 0)
      let stored = bench.server.requests.filter { $0.target == "/stored" }
      #expect(stored.map(\.requestBodyCRC32) == [CRC32(bytes).value, CRC32(ScriptBody.bytes(seed: 3, size: 100_000)).value])
    }
  }

  @Test
  func `An unreadable file exits with curl's code, and the other uploads continue`() async throws {
    try await Bench.run([.init("/no", ScriptedResponse(status: 403)), .init("/*", ScriptedResponse(status: 201))]) { bench in
      try file("c.bin", 10, bench)
      let missing = try bench.xfer(["put", "missing", "c.bin", bench.url("/up/")])
      #expect(missing.status == 26 && missing.standardError.contains("1 failed"), "\(missing.standardError)")
      #expect(bench.server.requests.map(\.target) == ["/up/c.bin"])
      #expect(try bench.xfer(["put", "c.bin", bench.url("/no")]).status == 22)
      #expect(try bench.xfer(["put", "c.bin"]).standardError.contains("xfer put expects FILE… and a URL"))
      let two = try bench.xfer(["put", "c.bin", "c.bin", bench.url("/up")])
      #expect(two.status == 2 && two.standardError.contains("end the URL with a slash"))
    }
  }

  /// The server changes the file after it has read the head of the request and before it asks for the body.
  @Test(arguments: [true, false])
  func `A file that is changed while it is sent is reported`(isChanged: Bool) async throws {
    try await Bench.run([]) { bench in
      try file("c.bin", 32_000_000, bench)
      let path = bench.path("work/c.bin")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: path)
      let server = try RawServer { _ in
        if isChanged, let writer = FileHandle(forWritingAtPath: path) { writer.write(Data("new".utf8)) }
        return Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      }
      defer { server.stop() }
      _ = try bench.xfer(["put", "--retry", "0", "c.bin", server.url("/c")])
      let changes = try bench.replay().findings.filter { $0.rule == "upload-source-changed" }
      #expect(changes.map { "\($0.variant ?? "") \($0.certainty)" } == (isChanged ? ["modified certain"] : []))
    }
  }
}
