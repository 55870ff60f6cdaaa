#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing
  import XferEvents
  import XferRecorder
  import XferScript

  /// Tests that document missing features of FoundationNetworking. A failing test means that the feature was added, so the
  /// documentation can be updated.
  struct FoundationNetworkingTests {
    @Test func `FoundationNetworking reports no metrics`() async throws {
      let delegate = AppDelegate()
      _ = try await Bench.run([.init("/a", .generated(10))]) { bench in
        let session = bench.session(delegate)
        await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
      }
      #expect(!delegate.calls.contains("metrics"))
    }

    @Test func `FoundationNetworking never removes a temporary file`() async throws {
      let place = SharedValue<URL>()
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

    @Test func `FoundationNetworking reports the response of a download only at its end`() async throws {
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

    @Test func `FoundationNetworking crashes when a download's redirect with a body is refused`() async {
      await #expect(processExitsWith: .failure) {
        let moved = ScriptedResponse(status: 302, body: "moved", redirect: "/to")
        try await ScriptedServer.serving(ServerScript([.init("/from", moved)])) { server in
          let delegate = AppDelegate {
            $0.redirect = { _ in nil }
            $0.complete = { _, _ in exit(EXIT_SUCCESS) }
          }
          let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
          session.downloadTask(with: URL(string: server.url("/from"))!).resume()
          // Waits until the process crashes.
          try await server.waitUntil { _ in false }
        }
      }
    }
  }
#endif
