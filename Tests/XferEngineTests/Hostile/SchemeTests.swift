import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

#if canImport(Glibc)
  import Glibc
#endif

/// Tests that the engine opens only http and https URLs, checked with a listener and with inotify.
struct SchemeTests {
  private static let schemes = [
    "ftp", "gopher", "scp", "dict", "ftps", "smb", "ldap", "telnet", "tftp", "rtsp", "imap", "mqtt", "ws",
  ]

  private static let routes: [ServerScript.Route] =
    (schemes + ["FTP"]).map { scheme in .init("/\(scheme)/{port}", .redirect(to: "\(scheme)://127.0.0.1:{port}/secret")) }

  @Test(arguments: schemes + ["FTP"])
  func `No other scheme gets a connection, whether requested, redirected to or set by the delegate`(scheme: String) async throws {
    try await ScriptedServer.serving(ServerScript([])) { listener in
      let target = "\(scheme)://127.0.0.1:\(listener.port)/secret"
      try await Bench.run(Self.routes) { bench in
        let asked = await failure { _ = try await bench.session.data(for: HTTPRequest(method: .get, urlText: target)) }
        #expect(asked?.code == .unsupportedURL)
        let downloaded = await failure {
          _ = try await bench.session.download(for: HTTPRequest(method: .get, urlText: target), to: bench.path("got"))
        }
        #expect(downloaded?.code == .unsupportedURL)
        let redirected = await failure { _ = try await bench.session.data(for: bench.request("/\(scheme)/\(listener.port)")) }
        #expect(redirected?.code == .redirectRefused && redirected?.stage == .redirect)
      }
      let delegate = RecordingDelegate(redirect: { _ in HTTPRequest(method: .get, urlText: target) })
      try await Bench.run([.init("/a", .redirect(to: "/b"))], delegate: delegate) { bench in
        try bench.session.dataTask(with: bench.request("/a")).resume()
        await bench.log.wait(for: .taskAcknowledged)
        #expect(delegate.seen.errors.values.compactMap { $0?.code } == [.unsupportedURL])
      }
      #expect(listener.connections == 0)
    }
  }

  #if canImport(Glibc)
    /// An inotify watch that detects whether a file was opened.
    private final class OpenWatch {
      private let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))

      init(_ path: String) { inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) }

      var wasOpened: Bool {
        var event = [UInt8](repeating: 0, count: 4096)
        return read(descriptor, &event, event.count) > 0
      }

      deinit { close(descriptor) }
    }

    @Test func `No file URL opens a file, however it is written`() async throws {
      let directory = TemporaryDirectory()
      let path = try directory.write(Array("secret".utf8), to: "secret")
      let watch = OpenWatch(path)
      let targets = ["file://\(path)", "FILE://\(path)", "file://localhost\(path)", "file:\(path)", "file:////\(path)"]
      let routes = targets.enumerated().map { ServerScript.Route("/\($0.offset)", .redirect(to: $0.element)) }
      try await Bench.run(routes) { bench in
        for (index, target) in targets.enumerated() {
          let asked = await failure { _ = try await bench.session.data(for: HTTPRequest(method: .get, urlText: target)) }
          #expect(asked?.code == .unsupportedURL || asked?.code == .badURL, "\(target)")
          let redirected = await failure { _ = try await bench.session.data(for: bench.request("/\(index)")) }
          #expect(redirected?.code == .redirectRefused || redirected?.code == .badURL, "\(target)")
        }
      }
      #expect(!watch.wasOpened)
      #expect(FileManager.default.contents(atPath: path) != nil && watch.wasOpened, "the watch must detect an opened file")
    }
  #endif
}
