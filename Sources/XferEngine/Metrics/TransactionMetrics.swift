/// The timings and sizes of one request and its response.
///
/// Durations have libcurl's resolution of one microsecond. A `nil` duration means that the phase did not occur.
public struct TransactionMetrics: Sendable, Equatable {
  /// The number of the task's attempt, from 1. 0 for a response from the cache.
  public var attempt: Int
  /// The number of the transaction within its attempt, from 1. 0 for a response from the cache.
  public var transaction: Int
  public var method: String
  /// The URL, without user name, password and fragment.
  public var urlText: String
  /// The source of the response: the network or the cache.
  public var resourceFetchType = ResourceFetchType.networkLoad
  /// The status code of the response. `nil` if there was no response.
  public var statusCode: Int?
  public var networkProtocolName: String?
  /// Whether the connection had already served another request. `nil` if no connection was made.
  public var isReusedConnection: Bool?
  public var remoteAddress: String?
  public var remotePort: Int?
  public var localAddress: String?
  public var localPort: Int?
  /// The time from the start of the transaction until it had a connection, without the times for the name lookup, the TCP
  /// connection and the TLS handshake.
  public var queueTime: Duration?
  /// The time for resolving the host name.
  public var nameLookupTime: Duration?
  /// The time for opening the TCP connection, after the host name was resolved.
  public var connectTime: Duration?
  /// The time for the TLS handshake, after the TCP connection was open.
  public var secureTime: Duration?
  /// The time from the request until the first byte of the response.
  public var firstByteTime: Duration?
  /// The time from the first to the last byte of the response.
  public var bodyTime: Duration?
  /// The size of the request head, in bytes: the request line and all header fields.
  public var countOfRequestBytesSent: Int64
  public var countOfRequestBodyBytesSent: Int64
  public var countOfResponseHeaderBytesReceived: Int64
  public var countOfResponseBodyBytesReceived: Int64
}

extension TransactionMetrics {
  /// The source of a response. A subset of `URLSessionTaskMetrics.ResourceFetchType`.
  public enum ResourceFetchType: String, Sendable, CaseIterable {
    case networkLoad, localCache
  }

  /// Returns the metrics of a response from the cache.
  static func local(method: String, urlText: String, status: Int, protocolName: String) -> Self {
    Self(
      attempt: 0, transaction: 0, method: method, urlText: urlText, resourceFetchType: .localCache, statusCode: status,
      networkProtocolName: protocolName, countOfRequestBytesSent: 0, countOfRequestBodyBytesSent: 0,
      countOfResponseHeaderBytesReceived: 0, countOfResponseBodyBytesReceived: 0)
  }
}

/// The metrics of a task, with those of its transactions in order.
public struct TaskMetrics: Sendable, Equatable {
  /// The time from the task's creation until its transfer ended.
  public var taskInterval: Duration
  public var redirectCount: Int
  public var transactionMetrics: [TransactionMetrics]
}
