import ArgumentParser

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The address and the port of `--listen`: `9464`, `0.0.0.0:9464` or `[::1]:9464`.
struct ListenAddress: ExpressibleByArgument {
  /// An IP address.
  let host: String
  let port: Int
  /// Whether only this machine can connect.
  let isLocal: Bool

  /// - Returns: `nil` if the port is not one, or if the address is neither an IP address nor `localhost`.
  init?(argument: String) {
    let colon = argument.lastIndex(of: ":")
    let digits = colon.map { argument[argument.index(after: $0)...] } ?? argument[...]
    guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let port = Int(digits), port <= 65_535 else {
      return nil
    }
    var host = colon.map { String(argument[..<$0]) } ?? "127.0.0.1"
    if host == "localhost" { host = "127.0.0.1" }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard host.contains(":"), Self.isAddress(host, AF_INET6) else { return nil }
    } else {
      guard Self.isAddress(host, AF_INET) else { return nil }
    }
    (self.host, self.port) = (host, port)
    isLocal = host.hasPrefix("127.") || host == "::1"
  }

  private static func isAddress(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return inet_pton(family, text, &address) == 1
  }
}
