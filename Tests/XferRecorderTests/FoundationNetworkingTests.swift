#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing
  import XferEvents
  import XferRecorder
  import XferScript

  /// What FoundationNetworking lacks. A test that turns red here says that the documentation may promise more.
  struct FoundationNetworkingTests {
    @Test func `No metrics come`() async throws {
      let delegate = AppDelegate()
      _ = try await Bench.run([.init("/a", .generated(10))]) { bench in
        let session = bench.session(delegate)
        await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
      }
      #expect(!delegate.calls.contains("metrics"))
    }

    @Test func `A temporary file is never removed`() async throws {
      let place = Late<URL>()
      let left = LeftOverFiles()
      let log = try await Bench.run([.init("/a", .generated(10))]) { bench in
        let session = bench.session(
          AppDelegate {
            $0.file = { _, location in
              place.value = location
              left.add(location)
            }
          })
        await bench.carry(session.downloadTask(with: bench.url("/a")), in: session)
      }
      #expect(FileManager.default.fileExists(atPath: place.value!.path))
      #expect(log.all(.fileReaped).isEmpty)
    }

    @Test func `The response of a download is not known before its end`() async throws {
      let response = ScriptedResponse(body: .generated(size: 50_000, seed: 1), cut: .init(.midBody, .hang))
      let log = try await Bench.run([.init("/a", response)]) { bench in
        let session = bench.session(AppDelegate())
        let task = session.downloadTask(with: bench.url("/a"))
        session.resume(task)
        await bench.log.wait(for: .attemptBytesReceived)
        #expect(task.response == nil)
        session.cancel(task)
        await bench.log.wait(for: .taskCompleted)
      }
      #expect(
        log.story.filter { $0.hasPrefix("attempt.") }.prefix(3) == [
          "attempt.started", "attempt.requestSent", "attempt.bytesReceived",
        ])
      #expect(try log.findings() == [])
    }

    @Test func `A redirect of a download that is refused, and has a body, ends the process`() async {
      await #expect(processExitsWith: .failure) {
        let moved = ScriptedResponse(status: 302, body: "moved", redirect: "/to")
        try await ScriptedServer.serving(ServerScript([.init("/from", moved)])) { server in
          let delegate = AppDelegate {
            $0.redirect = { _ in nil }
            $0.complete = { _, _ in exit(EXIT_SUCCESS) }
          }
          let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
          session.downloadTask(with: URL(string: server.url("/from"))!).resume()
          // Ends with the process.
          try await server.waitUntil { _ in false }
        }
      }
    }
  }
#endif
