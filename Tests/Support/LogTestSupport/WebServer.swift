import Foundation

/// An nginx server for a directory, on its own port, which runs as long as this object exists.
package final class WebServer {
  private let process: Process
  private let directory: TemporaryDirectory
  package let port: Int
  private let isSecure: Bool

  /// The PEM files of the server's certificate and private key.
  package struct Identity: Sendable {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// - Parameters:
  ///   - root: The directory to serve. The server's own files are stored elsewhere.
  ///   - identity: The server's certificate and key. `nil` means no TLS.
  ///   - directives: Text to add to nginx's `server` block.
  ///   - port: The port to listen on. `nil` means a free port.
  package init(root: String, identity: Identity? = nil, directives: String = "", port: Int? = nil) throws {
    directory = TemporaryDirectory()
    self.port = try port ?? LoopbackPort.free()
    isSecure = identity != nil
    let secure = identity.map { "ssl_certificate \($0.certificate); ssl_certificate_key \($0.key);" } ?? ""
    let configuration = """
      daemon off;
      pid \(directory.path("nginx.pid"));
      error_log \(directory.path("error.log"));
      worker_processes 1;
      \(getuid() == 0 ? "user root;" : "")
      events { worker_connections 2048; }
      http {
        access_log off;
        client_body_temp_path \(directory.path("body"));
        proxy_temp_path \(directory.path("proxy"));
        fastcgi_temp_path \(directory.path("fastcgi"));
        uwsgi_temp_path \(directory.path("uwsgi"));
        scgi_temp_path \(directory.path("scgi"));
        server { listen 127.0.0.1:\(self.port)\(isSecure ? " ssl http2" : ""); root \(root); \(secure) \(directives) }
      }
      """
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: directory.path("nginx.conf")))
    process = ToolRun.process(
      "/usr/sbin/nginx", ["-c", directory.path("nginx.conf"), "-e", directory.path("error.log"), "-p", directory.path])
    // A server that survives a crash of the tests must not keep their output open, for whose end `swift test` waits.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard Self.accepts(self.port) else {
      let log = FileManager.default.contents(atPath: directory.path("error.log")) ?? Data()
      throw Failure(said: String(decoding: log, as: UTF8.self))
    }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  package struct Failure: Error {
    let said: String

    package init(said: String) { self.said = said }
  }

  /// - Parameter host: A host name of this machine.
  package func url(_ path: String, host: String = "127.0.0.1") -> String {
    "\(isSecure ? "https" : "http")://\(host):\(port)\(path)"
  }

  /// Waits until the port accepts connections, by polling because nginx does not report when it is ready.
  package static func accepts(_ port: Int) -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result == 0 { return true }
      usleep(2000)
    }
    return false
  }
}
