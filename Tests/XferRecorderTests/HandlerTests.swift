import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests of tasks with completion handlers and of async functions.
struct HandlerTests {
  private static let routes: [ServerScript.Route] = [
    .init("/a", .generated(1000)), .init("/cut", ScriptedResponse(body: "0123456789", cut: .init(.midBody, .reset))),
  ]

  @Test func `A completion handler call is recorded like a delegate call`() async throws {
    let got = SharedValue<Int>()
    let log = try await Bench.run(Self.routes) { bench in
      let session = bench.session()
      await bench.carry(session.dataTask(with: bench.url("/a")) { data, _, _ in got.value = data?.count }, in: session)
    }
    #expect(got.value == 1000)
    let expected = [
      "task.created", "task.resumed", "attempt.started", "attempt.requestSent", "attempt.responseReceived",
      "attempt.bytesReceived", "attempt.ended", "task.transferred", "delivery.received", "delivery.entered", "delivery.left",
      "task.completed", "task.acknowledged",
    ]
    #expect(log.story == expected)
    #expect(try log.first(.taskCreated).completion == .closure)
    #expect(try log.first(.attemptRequestSent).method == "GET")
    #expect(try log.first(.taskCompleted).status == 200)
    #expect(try log.findings() == [])
  }

  @Test func `A completion handler receives the same error that is logged`() async throws {
    let got = SharedValue<Int>()
    let log = try await Bench.run(Self.routes) { bench in
      let session = bench.session()
      let task = session.dataTask(with: bench.url("/cut")) { _, _, error in got.value = (error as NSError?)?.code }
      await bench.carry(task, in: session)
    }
    #expect(got.value == -1005)
    #expect(try log.first(.taskCompleted).error == -1005)
    #expect(try log.findings() == [])
  }

  @Test(arguments: [false, true])
  func `A completion handler's file must be moved before the handler returns`(moves: Bool) async throws {
    let log = try await Bench.run(Self.routes) { bench in
      let (session, place) = (bench.session(), bench.path("got"))
      let task = session.downloadTask(with: bench.url("/a")) { location, _, _ in
        if moves { try? FileManager.default.moveItem(at: location!, to: place) } else { bench.leftOver(location!) }
      }
      await bench.carry(task, in: session)
    }
    #expect(log.all(.fileOffered).map(\.size) == [1000])
    #expect(log.all(.fileClaimed).map(\.operation) == (moves ? [.unknown] : []))
    #expect(try log.findings() == (moves ? [] : ["temp-file-not-moved"]))
  }

  @Test func `The async functions return the same results as URLSession's`() async throws {
    let log = try await Bench.run(Self.routes + [.init("/up", ScriptedResponse(status: 201))]) { bench in
      let session = bench.session()
      let (data, response) = try await session.data(from: bench.url("/a"))
      #expect(Array(data) == ScriptBody.bytes(seed: 1, size: 1000))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      let (file, _) = try await session.download(from: bench.url("/a"))
      bench.leftOver(file)
      #expect(try Data(contentsOf: file).count == 1000)
      var request = URLRequest(url: bench.url("/up"))
      request.httpMethod = "POST"
      let (_, created) = try await session.upload(for: request, from: Data(count: 3))
      #expect((created as? HTTPURLResponse)?.statusCode == 201)
      await #expect(throws: URLError.self) { _ = try await session.data(from: bench.url("/cut")) }
      await bench.log.wait(for: .taskCompleted, 4)
    }
    #expect(log.all(.taskCreated).map(\.completion) == [.async, .async, .async, .async])
    #expect(log.all(.fileClaimed).map(\.operation) == [.move])
    #expect(log.all(.taskCompleted).map(\.error) == [nil, nil, nil, -1005])
    #expect(try log.findings() == [])
  }

  @Test func `Cancelling the calling task cancels the transfer`() async throws {
    let log = try await Bench.run([.init("/a", .hang(.beforeStatus))]) { bench in
      let session = bench.session()
      let url = bench.url("/a")
      let call = Task { try await session.data(from: url) }
      await bench.log.wait(for: .attemptStarted)
      call.cancel()
      await #expect(throws: URLError.self) { _ = try await call.value }
      await bench.log.wait(for: .taskCompleted)
    }
    #expect(try log.first(.taskCancelRequested).by == .app)
    #expect(try log.first(.taskCompleted).errorName == "cancelled")
    #expect(try log.findings() == [])
  }
}
