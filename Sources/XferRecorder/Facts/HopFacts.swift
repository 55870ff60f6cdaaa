internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The timings and the connection of one transaction, from URLSession's metrics. A `nil` value means that the phase did not
/// occur.
struct HopFacts: Sendable {
  /// Whether the response came from the network, not from a cache.
  var isOnNetwork = true
  var host: String?
  var protocolName: String?
  var isReused: Bool?
  var remoteAddress: String?
  var remotePort: Int?
  var queueTime: Duration?
  var nameLookupTime: Duration?
  var connectTime: Duration?
  var secureTime: Duration?
  var firstByteTime: Duration?
  var bodyTime: Duration?

  init() {}

  init(_ metrics: URLSessionTaskTransactionMetrics) {
    isOnNetwork = metrics.resourceFetchType == .networkLoad
    host = metrics.request.url.map(URLFacts.init)?.host
    protocolName = metrics.networkProtocolName.map { LoggedText.bounded($0) }
    isReused = metrics.isReusedConnection
    remoteAddress = metrics.remoteAddress
    remotePort = metrics.remotePort.flatMap(Self.number)
    queueTime = Self.time(
      metrics.fetchStartDate, metrics.domainLookupStartDate ?? metrics.connectStartDate ?? metrics.requestStartDate)
    nameLookupTime = Self.time(metrics.domainLookupStartDate, metrics.domainLookupEndDate)
    connectTime = Self.time(metrics.connectStartDate, metrics.secureConnectionStartDate ?? metrics.connectEndDate)
    secureTime = Self.time(metrics.secureConnectionStartDate, metrics.secureConnectionEndDate)
    firstByteTime = Self.time(metrics.requestStartDate, metrics.responseStartDate)
    bodyTime = Self.time(metrics.responseStartDate, metrics.responseEndDate)
  }

  func connectionAcquired(_ task: TaskIdentity, _ attempt: Int, transaction: Int) -> AttemptConnectionAcquired {
    AttemptConnectionAcquired(
      task: task, attempt: attempt, transaction: transaction, reused: isReused, protocol: protocolName, host: host,
      remoteAddress: remoteAddress, remotePort: remotePort, queueTime: queueTime, nameLookupTime: nameLookupTime,
      connectTime: connectTime, secureTime: secureTime)
  }

  private static func time(_ start: Date?, _ end: Date?) -> Duration? {
    guard let start, let end, end >= start else { return nil }
    return .seconds(end.timeIntervalSince(start))
  }

  // The port is a number in Apple's Foundation and a string in FoundationNetworking.
  private static func number(_ port: Int) -> Int? { port }
  private static func number(_ port: String) -> Int? { Int(port) }
}
