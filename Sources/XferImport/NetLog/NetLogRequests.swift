import XferEvents

/// The requests of a NetLog: turns the events of sources of the type URL_REQUEST into facts about tasks.
final class NetLogRequests {
  let tracker: ForeignTracker
  private var requests: [Int64: Request] = [:]

  /// A request in flight.
  private struct Request {
    var key: String
    var failure: ForeignFailure?
    /// The bytes of the body as they came over the network.
    var received: Int64?
    /// The bytes of the body after unpacking. Bodies that are not packed are counted only here.
    var unpacked: Int64?
    var method: String?
  }

  private static let mostRequests = 100_000

  /// The place of an event in the action that it belongs to.
  enum Phase {
    case begin, end, none

    /// - Parameter name: the name in `logEventPhase`.
    init(_ name: String?) {
      switch name {
      case "PHASE_BEGIN": self = .begin
      case "PHASE_END": self = .end
      default: self = .none
      }
    }
  }

  init(of input: ImportedInput, _ output: ForeignOutput) { tracker = ForeignTracker(output, seed: "netlog \(input.name)") }

  /// The browser that wrote a NetLog.
  static func writer(of input: ImportedInput) -> WriterContext {
    .foreign(
      "Chromium", boot: BootID(high: 0x6e65_746c_6f67, low: UInt64(input.place + 1)), installation: "netlog \(input.name)",
      coverage: ImportCoverage(log: "a NetLog of Chromium", kinds: ForeignTracker.kinds))
  }

  /// - Returns: whether the event tells something about the request.
  func take(_ name: String, _ phase: Phase, _ params: JSONValue?, of id: Int64) -> Bool {
    let code = params?["net_error"]?.int.flatMap { $0 < 0 && $0 != -1 ? $0 : nil }
    switch (name, phase) {
    case ("REQUEST_ALIVE", .begin): return true
    case ("URL_REQUEST_START_JOB", .begin):
      let url = params?["url"]?.text.flatMap { URLParts($0) }
      // Requests of the browser for its own pages are no transfers.
      guard let url, ["http", "https", nil].contains(url.scheme) else { return true }
      if requests[id] != nil {
        // A redirect may turn POST into GET.
        if let method = params?["method"]?.text { requests[id]?.method = method }
        return true
      }
      guard requests.count < Self.mostRequests else { return true }
      let key = "request \(id)"
      requests[id] = Request(key: key)
      tracker.create(
        key, session: "Chromium", number: UInt32(exactly: id), type: .data, method: params?["method"]?.text, url: url)
      tracker.startAttempt(key, url: url)
    case ("HTTP_STREAM_REQUEST_PROTO", _), ("HTTP_TRANSACTION_SEND_REQUEST", .begin):
      observe(id)
      if name == "HTTP_TRANSACTION_SEND_REQUEST", let request = requests[id] {
        tracker.send(request.key, method: request.method)
      }
    case ("HTTP_TRANSACTION_READ_RESPONSE_HEADERS", .none):
      observe(id)
      guard let request = requests[id] else { return true }
      respond(request.key, params?["headers"]?.elements.compactMap(\.text) ?? [])
    case ("URL_REQUEST_REDIRECTED", _):
      observe(id)
      guard let request = requests[id] else { return true }
      tracker.redirect(request.key, to: params?["location"]?.text.flatMap { URLParts($0) })
      requests[id]?.received = nil
      requests[id]?.unpacked = nil
    case ("URL_REQUEST_JOB_BYTES_READ", _):
      addBytes(params, to: \.received, id)
    case ("URL_REQUEST_JOB_FILTERED_BYTES_READ", _):
      addBytes(params, to: \.unpacked, id)
    case ("HTTP_TRANSACTION_RESTART_AFTER_ERROR", _):
      observe(id)
      guard let request = requests[id] else { return true }
      tracker.endAttempt(request.key, ForeignFailure(chromium: code ?? -2), retryIn: .zero)
      tracker.startAttempt(request.key)
    case ("CANCELLED", _):
      observe(id)
      guard let request = requests[id] else { return true }
      tracker.requestCancel(request.key, by: .app)
      requests[id]?.failure = ForeignFailure(chromium: code ?? -3)
    case ("FAILED", _), ("URL_REQUEST_START_JOB", .end):
      if let code { requests[id]?.failure = ForeignFailure(chromium: code) }
    case ("REQUEST_ALIVE", .end):
      guard let request = requests.removeValue(forKey: id) else { return true }
      let failure = code.map { ForeignFailure(chromium: $0) } ?? request.failure
      tracker.complete(request.key, failure, received: request.received ?? request.unpacked)
    default: return requests[id] != nil && phase == .end && code == nil
    }
    return true
  }

  private func addBytes(_ params: JSONValue?, to sum: WritableKeyPath<Request, Int64?>, _ id: Int64) {
    guard let count = params?["byte_count"]?.integer, let request = requests[id] else { return }
    requests[id]?[keyPath: sum] = (request[keyPath: sum] ?? 0).addingClamped(count)
  }

  /// Notes a request that began before the log.
  private func observe(_ id: Int64) {
    guard requests[id] == nil, requests.count < Self.mostRequests else { return }
    let key = "request \(id)"
    requests[id] = Request(key: key)
    tracker.observe(key, session: "Chromium", number: UInt32(exactly: id), type: .data)
  }

  private func respond(_ key: String, _ lines: [String]) {
    guard let first = lines.first else { return }
    let words = first.split(separator: " ")
    // HTTP/2 has a header instead of a status line in some versions.
    let status =
      words.count > 1 && first.hasPrefix("HTTP/")
      ? Int(words[1]) : lines.first { $0.hasPrefix(":status:") }.flatMap { Int($0.dropFirst(8).filter { $0 != " " }) }
    guard let status, status >= 200 else { return }
    func value(_ name: String) -> String? {
      lines.first { $0.lowercased().hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
    // The length counts bytes that a cache may have supplied, so it is not compared with those read.
    tracker.respond(
      key, status: status, contentType: value("content-type"),
      protocol: first.hasPrefix("HTTP/1") ? "http/1.1" : nil,
      retryAfter: value("retry-after").flatMap { Int64($0) }.flatMap { (0...31_536_000).contains($0) ? .seconds($0) : nil })
  }
}
