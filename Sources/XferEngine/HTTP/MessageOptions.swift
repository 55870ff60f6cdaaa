public import HTTPTypes

extension TransferSession {
  /// Options for HTTP messages that URLSession does not offer. Each corresponds to a curl option.
  public struct MessageOptions: Sendable, Equatable {
    /// The tasks whose requests offer content codings such as gzip and whose responses are decoded.
    public enum ContentDecoding: String, Sendable, CaseIterable {
      /// Data and upload tasks only. Downloaded files keep the server's encoding.
      case dataTasks
      case always, never
    }

    public var contentDecoding = ContentDecoding.dataTasks
    /// Whether requests offer transfer codings other than `chunked` (curl's `--tr-encoding`).
    public var acceptsTransferCodings = false
    /// Whether bodies are delivered without any decoding, including chunk framing (curl's `--raw`).
    public var keepsCodings = false
    /// Whether `Content-Length` is ignored, so that a body ends when the connection closes (curl's `--ignore-content-length`).
    public var ignoresContentLength = false
    /// Whether a body whose `Content-Length` does not fit into 64 bits ends when the connection closes, as in curl. Otherwise the response
    /// is rejected, because a body of this size is never complete.
    public var acceptsAnyContentLength = false
    /// The time to wait for `100 Continue` before the body is sent anyway. `nil` means libcurl's default of one second.
    public var timeoutIntervalForContinue: Duration?
    /// Fields that libcurl must not add. Meaningful for `Host`, `Accept`, `Expect` and `User-Agent`.
    public var omittedFields: Set<HTTPField.Name> = []
    /// Whether redirects are followed if the delegate agrees. Otherwise a redirect response is the task's result.
    public var followsRedirects = true
    /// The redirect statuses, among 301, 302 and 303, after which the request keeps its method and body.
    public var statusesKeepingMethod: Set<Int> = []
    /// Whether the delegate receives the raw head of each response (`didReceiveHead`).
    public var deliversHeads = false
    /// Whether the delegate receives the body of a response after which the request is retried (`didReceiveRetriedBody`).
    public var deliversRetriedBodies = false

    public init() {}
  }

  /// Fixed addresses for a host and port, used instead of a name lookup.
  public struct HostAddress: Sendable, Equatable {
    /// The host name. `*` matches every name.
    public var host: String
    public var port: Int
    /// IPv4 addresses, or IPv6 addresses without brackets.
    public var addresses: [String]

    public init(host: String, port: Int, addresses: [String]) {
      (self.host, self.port, self.addresses) = (host, port, addresses)
    }
  }

  /// The address family to which name lookups are restricted.
  public enum AddressFamily: String, Sendable, CaseIterable {
    case any, ipv4, ipv6
  }
}
