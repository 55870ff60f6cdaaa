import NIOCore
import Synchronization

/// The state that the connections of a case's server share: the replies and the record of requests.
final class CaseService: Sendable {
  struct Record: Sendable {
    var requests: [CaseRequest] = []
    /// The name of the reply part that each request received.
    var parts: [String] = []
    var connections = 0
  }

  struct Reply {
    let bytes: [UInt8]
    let closes: Bool
  }

  private struct State {
    var service = CurlCase.Service(replies: [:])
    var choice = ReplyChoice(caseNumber: 0)
    var record = Record()
    var channels: [ObjectIdentifier: any Channel] = [:]
    var hasStopped = false
  }

  private let state = Mutex(State())

  /// Sets the case to serve. Called after the server's start, because a case can be read only when the ports are known.
  func serve(_ curlCase: CurlCase) {
    state.withLock {
      $0.service = curlCase.service
      $0.choice = ReplyChoice(caseNumber: curlCase.number)
    }
  }

  var record: Record { state.withLock(\.record) }
  var orders: ServerOrders { state.withLock(\.service.orders) }
  var pauseAfterReply: Duration { state.withLock(\.service.pauseAfterReply) }

  /// Registers a connection and returns its number.
  func accept(_ channel: any Channel) -> Int {
    let (number, hasStopped) = state.withLock {
      $0.record.connections += 1
      $0.channels[ObjectIdentifier(channel)] = channel
      return ($0.record.connections, $0.hasStopped)
    }
    if hasStopped { channel.close(promise: nil) }
    return number
  }

  func end(_ channel: any Channel) {
    state.withLock { $0.channels[ObjectIdentifier(channel)] = nil }
  }

  func reply(to request: CaseRequest) -> Reply {
    state.withLock {
      let part = $0.choice.part(for: request, among: $0.service.replies)
      $0.record.requests.append(request)
      $0.record.parts.append(part)
      let bytes = $0.service.replies[part] ?? []
      let closes = bytes.isEmpty || $0.service.orders.closesAfterReply || bytes.firstRange(of: Array("swsclose".utf8)) != nil
      return Reply(bytes: bytes, closes: closes)
    }
  }

  /// Rejects new connections and returns the open ones, for the caller to close.
  func stop() -> [any Channel] {
    state.withLock {
      $0.hasStopped = true
      return Array($0.channels.values)
    }
  }
}
