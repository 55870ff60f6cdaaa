public import HTTPTypes

extension TransferSession {
  /// How messages are put and read beyond what URLSession lets an app decide; curl has an option for each.
  public struct MessageOptions: Sendable, Equatable {
    /// Whose bodies are asked for, and undone, in content codings: gzip and its like.
    public enum ContentDecoding: String, Sendable, CaseIterable {
      /// Of data and upload tasks; a downloaded file is as the server has it.
      case dataTasks
      case always, never
    }

    public var contentDecoding = ContentDecoding.dataTasks
    /// Whether bodies are asked for in transfer codings beside `chunked` (`--tr-encoding`).
    public var acceptsTransferCodings = false
    /// Whether bodies are handed on with all their codings, chunks too (`--raw`).
    public var keepsCodings = false
    /// Whether a body ends where the connection does, whatever length was declared (`--ignore-content-length`).
    public var ignoresContentLength = false
    /// How long a request with `Expect: 100-continue` waits before its body goes out after all; `nil` for libcurl's second.
    public var timeoutIntervalForContinue: Duration?
    /// Fields that libcurl would add and that are not sent: `Host`, `Accept`, `Expect`, `User-Agent`.
    public var omittedFields: Set<HTTPField.Name> = []
    /// Whether redirects are followed, as far as the delegate agrees; otherwise they are results like any other.
    public var followsRedirects = true
    /// Of 301, 302 and 303: those after which the method and the body stay as they are.
    public var statusesKeepingMethod: Set<Int> = []
    /// Whether the delegate gets the head of each response as it came (`didReceiveHead`).
    public var deliversHeads = false

    public init() {}
  }

  /// Where a name leads, without asking the resolver.
  public struct HostAddress: Sendable, Equatable {
    /// `*` is every name.
    public var host: String
    public var port: Int
    /// IPv4, or IPv6 without brackets.
    public var addresses: [String]

    public init(host: String, port: Int, addresses: [String]) {
      (self.host, self.port, self.addresses) = (host, port, addresses)
    }
  }

  /// Of the addresses that a name has, those that are used.
  public enum AddressFamily: String, Sendable, CaseIterable {
    case any, ipv4, ipv6
  }
}
