import HTTPTypes
import Testing
import XferEngine
import XferScript

struct DataTests {
  @Test(arguments: [0, 1, 1000, 16_384, 1_000_003])
  func `A body in memory is what the server sent`(size: Int) async throws {
    try await Bench.run([.init("/a", .generated(size))]) { bench in
      let (data, response) = try await bench.session.data(for: bench.request("/a?b=c"))
      #expect(Array(data) == ScriptBody.bytes(seed: 1, size: size))
      #expect(response.statusCode == 200)
      #expect(response.expectedContentLength == Int64(size))
      #expect(response.urlText == bench.server.url("/a?b=c"))
    }
  }
}
