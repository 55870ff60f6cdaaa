import Foundation
import HTTPTypes
import XferEngine
import XferReport

/// The placeholders known to `-w`, with their values for one transfer.
struct WriteOutValues {
  private let result: TransferResult

  enum Value {
    case text(String?)
    case number(Int64)
    case seconds(Duration)
  }

  init(_ result: TransferResult) { self.result = result }

  /// Returns the value of a placeholder as text, or `nil` for an unknown name.
  func text(_ name: String) -> String? {
    switch name {
    case "json": return json
    case "header_json": return fieldsJSON
    case "http_code", "response_code": return Self.padded(status)
    case "http_connect": return "000"
    default: break
    }
    guard let value = Self.values.first(where: { $0.name == name })?.value(self) ?? address(name) else { return nil }
    switch value {
    case .text(let text): return text ?? ""
    case .number(let number): return "\(number)"
    case .seconds(let duration): return String(format: "%.6f", duration / .seconds(1))
    }
  }

  /// Returns a status code with at least three digits, as in curl.
  private static func padded(_ status: Int) -> String {
    String(repeating: "0", count: max(0, 3 - "\(status)".count)) + "\(status)"
  }

  // MARK: Values

  private static let values: [(name: String, value: @Sendable (WriteOutValues) -> Value)] = [
    ("content_type", { .text($0.result.response?.headerFields[.contentType]) }),
    ("errormsg", { .text($0.result.problem?.text) }),
    ("exitcode", { .number(Int64($0.result.problem?.exitCode ?? 0)) }),
    ("filename_effective", { .text($0.result.path) }),
    ("http_code", { .number(Int64($0.status)) }),
    ("http_version", { .text($0.version) }),
    ("local_ip", { .text($0.last?.localAddress) }),
    ("local_port", { .number(Int64($0.last?.localPort ?? 0)) }),
    ("method", { .text($0.result.effectiveMethod) }),
    ("num_connects", { .number(Int64($0.transactions.count { $0.isReusedConnection == false })) }),
    ("num_headers", { .number(Int64($0.result.response?.headerFields.count ?? 0)) }),
    ("num_redirects", { .number(Int64($0.result.metrics?.redirectCount ?? 0)) }),
    ("num_retries", { .number(Int64(max(0, ($0.last?.attempt ?? 1) - 1))) }),
    ("redirect_url", { .text($0.redirectURL) }),
    ("referer", { .text($0.result.referer) }),
    ("remote_ip", { .text($0.last?.remoteAddress) }),
    ("remote_port", { .number(Int64($0.last?.remotePort ?? 0)) }),
    ("response_code", { .number(Int64($0.status)) }),
    ("scheme", { .text($0.effective.scheme) }),
    ("size_download", { .number($0.result.received) }),
    ("size_header", { .number($0.transactions.reduce(0) { $0 + $1.countOfResponseHeaderBytesReceived }) }),
    ("size_request", { .number($0.transactions.reduce(0) { $0 + $1.countOfRequestBytesSent }) }),
    ("size_upload", { .number($0.result.sent) }),
    ("speed_download", { .number($0.speed($0.result.received)) }),
    ("speed_upload", { .number($0.speed($0.result.sent)) }),
    ("ssl_verify_result", { _ in .number(0) }),
    ("time_appconnect", { .seconds($0.last?.secureTime == nil ? .zero : $0.untilConnected) }),
    ("time_connect", { .seconds(($0.last?.nameLookupTime ?? .zero) + ($0.last?.connectTime ?? .zero)) }),
    ("time_namelookup", { .seconds($0.last?.nameLookupTime ?? .zero) }),
    ("time_pretransfer", { .seconds($0.untilConnected) }),
    ("time_queue", { .seconds($0.last?.queueTime ?? .zero) }),
    ("time_redirect", { .seconds($0.redirectTime) }),
    ("time_starttransfer", { .seconds($0.untilConnected + ($0.last?.firstByteTime ?? .zero)) }),
    ("time_total", { .seconds($0.result.duration) }),
    ("url", { .text($0.result.transfer.url) }),
    ("url_effective", { .text($0.effectiveURL) }),
    ("urlnum", { .number(Int64($0.result.place)) }),
  ]

  private var transactions: [TransactionMetrics] { result.metrics?.transactionMetrics ?? [] }
  private var last: TransactionMetrics? { transactions.last }
  private var status: Int { result.response?.statusCode ?? 0 }

  private var version: String {
    switch result.response?.networkProtocolName {
    case "h2": "2"
    case .some(let name): name.split(separator: "/").last.map(String.init) ?? "0"
    case nil: "0"
    }
  }

  /// The URL as typed, or, if the request was redirected, the URL of the last request.
  private var effectiveURL: String {
    result.metrics?.redirectCount ?? 0 == 0 ? result.transfer.url : result.effectiveURL
  }

  private var effective: URLParts { URLParts(effectiveURL) }

  private var redirectURL: String? {
    guard let response = result.response, 300..<400 ~= response.statusCode, let location = response.headerFields[.location] else {
      return nil
    }
    return TransferSession.canonicalURLText(location, relativeTo: response.urlText)
  }

  private var untilConnected: Duration {
    [last?.nameLookupTime, last?.connectTime, last?.secureTime].compactMap(\.self).reduce(.zero, +)
  }

  /// The total time of all requests before the last one.
  private var redirectTime: Duration {
    transactions.dropLast().reduce(.zero) { sum, transaction in
      [
        transaction.nameLookupTime, transaction.connectTime, transaction.secureTime, transaction.firstByteTime,
        transaction.bodyTime,
      ]
      .compactMap(\.self).reduce(sum, +)
    }
  }

  private func speed(_ bytes: Int64) -> Int64 {
    ByteRate.perSecond(bytes, in: result.duration)
  }

  /// Returns a part of the typed URL (`url.host`) or of the last URL (`urle.host`).
  private func address(_ name: String) -> Value? {
    if name.hasPrefix("url."), let part = URLParts(result.transfer.url)[name.dropFirst(4)] { return .text(part) }
    if name.hasPrefix("urle."), let part = effective[name.dropFirst(5)] { return .text(part) }
    return nil
  }

  // MARK: Fields

  /// - Parameter argument: `NAME`, or `NAME:all:SEPARATOR` for the values of all responses.
  func field(_ argument: Substring) -> String {
    let parts = argument.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard let name = HTTPField.Name(String(parts[0])) else { return "" }
    if parts.count > 1, parts[1] == "all" {
      return allValues(name).joined(separator: parts.count > 2 ? String(parts[2]) : ", ")
    }
    return result.response?.headerFields[fields: name].first?.value ?? ""
  }

  /// Returns the values of a field in all responses, including redirects.
  private func allValues(_ name: HTTPField.Name) -> [String] {
    String(decoding: result.heads, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == name.canonicalName else { return nil }
      return parts[1].trimmingCharacters(in: .whitespaces)
    }
  }

  /// All header fields as a JSON object keyed by name, in curl's layout.
  private var fieldsJSON: String {
    let fields = result.response?.headerFields ?? [:]
    var names: [HTTPField.Name] = []
    for field in fields where !names.contains(field.name) { names.append(field.name) }
    let lines = names.map { name in
      let values = fields[fields: name].map { Self.quoted($0.value) }
      return "\(Self.quoted(name.canonicalName)):[\(values.joined(separator: ","))]"
    }
    return "{\(lines.joined(separator: ",\n"))\n}"
  }

  private var json: String {
    let members = Self.values.map { name, value in
      switch value(self) {
      case .text(let text): "\"\(name)\":\(text.map(Self.quoted) ?? "null")"
      case .number(let number): "\"\(name)\":\(number)"
      case .seconds(let duration): "\"\(name)\":\(String(format: "%.6f", duration / .seconds(1)))"
      }
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let json = try? encoder.encode(text) else { preconditionFailure("a string can be encoded") }
    return String(decoding: json, as: UTF8.self)
  }
}
