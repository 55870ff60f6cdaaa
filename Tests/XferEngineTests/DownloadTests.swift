import Testing
import XferEngine
import XferScript

struct DownloadTests {
  @Test(arguments: [0, 1, 16_384, 5_000_000])
  func `A downloaded file is what the server sent`(size: Int) async throws {
    try await Bench.run([.init("/a", .generated(size))]) { bench in
      let response = try await bench.session.download(for: bench.request("/a"), to: bench.path("got"))
      #expect(response.statusCode == 200)
      #expect(bench.bytes("got") == ScriptBody.bytes(seed: 1, size: size))
    }
  }
}
