internal import NIOCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Why a server cannot listen on a port.
package struct ServingError: Error, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable { case portInUse, portNotPermitted, cannotListen }

  package let code: Code
  package let port: Int
  private let host: String
  private let problem: String

  /// - Parameters:
  ///   - host: the address to listen on.
  ///   - alternative: how to get a free port.
  init(
    host: String = "127.0.0.1", port: Int, _ error: any Error, alternative: String = "leave out --port"
  ) {
    (self.host, self.port) = (host, port)
    let number = (error as? IOError)?.errnoCode
    switch number {
    case EADDRINUSE:
      (code, problem) = (.portInUse, "another program uses it. Choose another port, or \(alternative) for a free one.")
    case EACCES, EPERM:
      (code, problem) = (
        .portNotPermitted, "this user may not listen on it. Choose a port from 1024 on, or \(alternative) for a free one."
      )
    default:
      let reason = number.map { String(cString: strerror($0)) } ?? "\(error)"
      (code, problem) = (.cannotListen, "\(reason). Choose another port, or \(alternative) for a free one.")
    }
  }

  package var description: String { "port \(port) of \(host) cannot be used: \(problem)" }
}
