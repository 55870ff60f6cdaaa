import CCurlLoading
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Sends requests of OTLP/HTTP in the JSON encoding to a collector, and retries them as the protocol prescribes.
final class OTLPClient {
  private let client: OpaquePointer
  private let endpoint: String
  /// The base URL without credentials, for messages.
  let shownEndpoint: String
  /// The number of records that the collector refused, with its last reason.
  private(set) var refused = 0
  private(set) var refusal: String?

  /// The pauses before the retries of one request, in milliseconds.
  private static let pauses = [200, 400, 800, 1600, 3200, 6400]
  private static let timeoutMilliseconds = 30_000
  /// The longest pause that a collector can ask for, in milliseconds.
  private static let longestPause = 60_000

  /// - Parameters:
  ///   - endpoint: the base URL, such as `http://127.0.0.1:4318`.
  ///   - headers: header fields such as `Authorization: …`.
  init(_ endpoint: String, headers: [String]) throws {
    let scheme = endpoint.lowercased()
    guard scheme.hasPrefix("http://") || scheme.hasPrefix("https://"), !endpoint.contains(where: \.isWhitespace) else {
      throw CommandExit(
        .wrongUsage, "'\(endpoint)' is not the URL of a collector; write it as http://HOST:4318 or https://HOST/PATH")
    }
    var base = endpoint
    while base.hasSuffix("/") { base.removeLast() }
    // The protocol's paths may be part of what users copy.
    for path in ["/v1/logs", "/v1/traces"] where base.hasSuffix(path) { base.removeLast(path.count) }
    self.endpoint = base
    let start = base.firstRange(of: "://")?.upperBound ?? base.startIndex
    let authority = base[start...].prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    shownEndpoint = String(base[..<start] + host + base[authority.endIndex...])
    var problem = [CChar](repeating: 0, count: 512)
    guard let client = cl_client_create(&problem, problem.count) else {
      throw CommandExit(
        .failed,
        "libcurl cannot be loaded: \(Self.text(problem)).\nInstall it (Debian: libcurl4), or export to a file and send the file.")
    }
    self.client = client
    for header in headers + ["Content-Type: application/json"] {
      guard !header.contains(where: \.isNewline), header.contains(":") else {
        throw CommandExit(.wrongUsage, "a header field of --otlp-header is not of the form 'NAME: VALUE'")
      }
      guard cl_client_add_header(client, header) != 0 else { throw CommandExit(.failed, "there is not enough memory") }
    }
  }

  deinit { cl_client_destroy(client) }

  /// Sends one request, and returns when the collector has accepted it.
  ///
  /// - Parameter path: `/v1/logs` or `/v1/traces`.
  func send(_ body: UnsafeRawBufferPointer, to path: String) throws {
    var retries = Self.pauses[...]
    while true {
      try Interruption.check()
      var response = cl_response()
      cl_client_post(
        client, endpoint + path, body.baseAddress, body.count, Self.timeoutMilliseconds,
        { (try? Interruption.check()) == nil ? 1 : 0 }, &response)
      try Interruption.check()
      switch response.status {
      case 200..<300:
        noteRefusals(in: response)
        return
      case 0, 429, 502, 503, 504:
        // The collector may have taken a request whose response was lost. Every record has an identity, by which doubles can be
        // dropped.
        guard let pause = retries.popFirst() else { throw failure(response, path, afterRetries: true) }
        let asked = response.retry_after > 0 ? min(Int(clamping: response.retry_after) * 1000, Self.longestPause) : 0
        try wait(milliseconds: max(pause, asked))
      default: throw failure(response, path, afterRetries: false)
      }
    }
  }

  private func wait(milliseconds: Int) throws {
    try Interruption.check()
    // A signal ends the wait.
    poll(nil, 0, Int32(clamping: milliseconds))
    try Interruption.check()
  }

  private func failure(_ response: cl_response, _ path: String, afterRetries: Bool) -> CommandExit {
    var problem = withUnsafeBytes(of: response.problem) { Self.text($0) }
    if response.status != 0 { problem = "it answered with status \(response.status)" }
    let body = Self.body(response)
    if response.status != 0, !body.isEmpty { problem += " (\(body.prefix(200)))" }
    let retries = afterRetries ? ", after \(Self.pauses.count) retries" : ""
    return CommandExit(
      .failed,
      """
      the collector at \(shownEndpoint)\(path) did not accept the records: \(problem)\(retries).
      Check the URL and that the collector has an OTLP/HTTP receiver.
      """)
  }

  /// A collector answers with 200 even if it refuses some records of a request.
  private func noteRefusals(in response: cl_response) {
    let body = Array(Self.body(response).utf8)
    let parsed = body.withUnsafeBytes { try? JSONValue($0) }
    guard case .object(let members)? = parsed, let partial = members.first(where: { $0.key == "partialSuccess" }),
      case .object(let parts) = partial.value
    else { return }
    for part in parts {
      switch (part.key, part.value) {
      case ("rejectedLogRecords", .string(let text)), ("rejectedLogRecords", .number(let text)),
        ("rejectedSpans", .string(let text)),
        ("rejectedSpans", .number(let text)):
        refused += Int(text) ?? 0
      case ("errorMessage", .string(let text)) where !text.isEmpty: refusal = text
      default: break
      }
    }
  }

  private static func body(_ response: cl_response) -> String {
    withUnsafeBytes(of: response.body) { String(decoding: $0.prefix(response.body_size), as: UTF8.self) }
  }

  private static func text(_ characters: [CChar]) -> String { characters.withUnsafeBytes { text($0) } }
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
