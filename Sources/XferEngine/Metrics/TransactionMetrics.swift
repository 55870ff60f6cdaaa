/// One request and its response: where the time went. Durations are libcurl's, in microseconds; `nil` is what did not happen.
public struct TransactionMetrics: Sendable, Equatable {
  /// The try of the task that it belongs to, and its place there; both from 1, and 0 for what came out of the cache.
  public var attempt: Int
  public var transaction: Int
  public var method: String
  /// Without user, password and fragment.
  public var urlText: String
  /// Where the response came from.
  public var resourceFetchType = ResourceFetchType.networkLoad
  /// `nil` when no response came.
  public var statusCode: Int?
  public var networkProtocolName: String?
  /// Whether the connection had served another request before; `nil` when there never was one.
  public var isReusedConnection: Bool?
  public var remoteAddress: String?
  public var remotePort: Int?
  public var localAddress: String?
  public var localPort: Int?
  /// From the start of the transaction until libcurl took it up.
  public var queueTime: Duration?
  public var nameLookupTime: Duration?
  /// After the name was known.
  public var connectTime: Duration?
  /// TLS, after the connection was there.
  public var secureTime: Duration?
  /// From the request until the first byte of the response.
  public var firstByteTime: Duration?
  /// From the first byte of the response until its last.
  public var bodyTime: Duration?
  /// With the request line and all fields.
  public var countOfRequestBytesSent: Int64
  public var countOfRequestBodyBytesSent: Int64
  public var countOfResponseHeaderBytesReceived: Int64
  public var countOfResponseBodyBytesReceived: Int64
}

extension TransactionMetrics {
  /// URLSession's `URLSessionTaskMetrics.ResourceFetchType`, of those that there are here.
  public enum ResourceFetchType: String, Sendable, CaseIterable {
    case networkLoad, localCache
  }

  /// A response out of the cache.
  static func local(method: String, urlText: String, status: Int, protocolName: String) -> Self {
    Self(
      attempt: 0, transaction: 0, method: method, urlText: urlText, resourceFetchType: .localCache, statusCode: status,
      networkProtocolName: protocolName, countOfRequestBytesSent: 0, countOfRequestBodyBytesSent: 0,
      countOfResponseHeaderBytesReceived: 0, countOfResponseBodyBytesReceived: 0)
  }
}

/// A task's transactions, in order.
public struct TaskMetrics: Sendable, Equatable {
  /// From the task's creation until its completion was sent.
  public var taskInterval: Duration
  public var redirectCount: Int
  public var transactionMetrics: [TransactionMetrics]
}
