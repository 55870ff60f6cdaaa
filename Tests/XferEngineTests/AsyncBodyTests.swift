import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct AsyncBodyTests {
  @Test(arguments: [0, 1, 5_000_003])
  func `The chunks of an asynchronous body add up to the whole body`(size: Int) async throws {
    try await Bench.run([.init("/a", .generated(size))]) { bench in
      let (body, response) = try await bench.session.bytes(for: bench.request("/a"))
      #expect(response.statusCode == 200)
      var received = Data()
      for try await part in body { received += part }
      #expect(Array(received) == ScriptBody.bytes(seed: 1, size: size))
      await bench.log.wait(for: .taskAcknowledged)
    }
  }

  @Test func `A transfer pauses while its asynchronous body is not read`() async throws {
    let size = 64 << 20
    try await Bench.run([.init("/a", .generated(size))]) { bench in
      let (body, _) = try await bench.session.bytes(for: bench.request("/a"))
      var parts = body.makeAsyncIterator()
      var count = try #require(try await parts.next()).count
      // At most one full queue is read from the connection before the body is read.
      await bench.log.wait(for: .attemptBytesReceived)
      #expect(body.task.countOfBytesReceived < 8 << 20)
      while let part = try await parts.next() { count += part.count }
      #expect(count == size)
    }
  }

  @Test func `A truncated asynchronous body yields the received bytes and then throws the error`() async throws {
    let cut = ScriptedResponse(body: .generated(size: 400_000, seed: 1), cut: .init(.afterBodyBytes(100_000), .close))
    try await Bench.run([.init("/a", cut)]) { bench in
      let (body, _) = try await bench.session.bytes(for: bench.request("/a"))
      var received = Data()
      let error = await failure { for try await part in body { received += part } }
      #expect(error?.code == .networkConnectionLost)
      #expect(Array(received) == Array(ScriptBody.bytes(seed: 1, size: 400_000).prefix(100_000)))
    }
  }

  @Test func `Requesting an asynchronous body throws an error when there is no response`() async throws {
    try await Bench.run([.init("/a", ScriptedResponse(cut: .init(.beforeStatus, .close)))]) { bench in
      let error = await failure { _ = try await bench.session.bytes(for: bench.request("/a")) }
      #expect(error?.code == .networkConnectionLost)
    }
  }

  @Test func `Releasing an asynchronous body cancels its task`() async throws {
    try await Bench.run([.init("/a", .generated(64 << 20))]) { bench in
      var body: TransferSession.AsyncBody? = try await bench.session.bytes(for: bench.request("/a")).0
      let task = try #require(body?.task)
      body = nil
      await bench.log.wait(for: .taskAcknowledged)
      #expect(task.error?.code == .cancelled)
    }
  }

  @Test func `Cancelling the reader of an asynchronous body cancels its task`() async throws {
    try await Bench.run([.init("/a", ScriptedResponse(body: .generated(size: 1000), cut: .init(.midBody, .hang)))]) { bench in
      let reading = Task {
        let (body, _) = try await bench.session.bytes(for: bench.request("/a"))
        for try await _ in body {}
      }
      await bench.log.wait(for: .attemptResponseReceived)
      reading.cancel()
      await bench.log.wait(for: .taskAcknowledged)
      await #expect(throws: TransferError.self) { try await reading.value }
    }
  }
}
