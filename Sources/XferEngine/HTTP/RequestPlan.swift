internal import HTTPTypes
internal import XferEvents

/// One request as it goes on the wire; a redirect makes another.
struct RequestPlan: Sendable, Equatable {
  var method: HTTPRequest.Method
  var url: URLFacts
  /// The session's and the caller's fields, without those that libcurl decides.
  var fields: HTTPFields
  var body: RequestBody

  /// Fields that frame the message or belong to one connection: wrong ones would desynchronise it.
  private static let framing: Set<HTTPField.Name> = [
    .connection, .contentLength, .init("Keep-Alive")!, .te, .trailer, .transferEncoding, .upgrade,
  ]

  /// - Parameter additional: fields that the request has only where it does not bring its own.
  init(_ request: HTTPRequest, additional: HTTPFields, body: RequestBody = .none) throws(TransferError) {
    guard let scheme = request.scheme, let authority = request.authority else {
      throw .badURL("the request lacks a scheme or an authority")
    }
    let path = request.path ?? "/"
    // Put together, the parts must not come apart elsewhere: `//good.example` and `@other.example/` name another host.
    guard path.hasPrefix("/"), !authority.contains(where: { "/?#\\".contains($0) }) else {
      throw .badURL("the request's path does not begin with a slash, or its authority has one")
    }
    url = try URLFacts("\(scheme)://\(authority)\(path)")
    guard url.isCarried else { throw .unsupportedScheme(url.scheme) }
    guard !url.host.isEmpty else { throw .badURL("the URL has no host") }
    guard body == .none || request.method != .head && request.method != .trace else {
      throw .badURL("a \(request.method.rawValue) request has no body")
    }
    method = request.method
    self.body = body
    fields = request.headerFields
    for field in additional where !request.headerFields.contains(field.name) { fields.append(field) }
    for name in Self.framing { fields[values: name] = [] }
  }

  /// Whether a field of the request is a credential.
  var carriesCredentials: Bool { fields.contains { SecretName.matches(field: $0.name.canonicalName) } }

  /// Names of what is sent, for the log: libcurl's own first.
  func sentFieldNames(decodes: Bool, cookies: Bool) -> String {
    var own: [HTTPField.Name] = [.userAgent, .accept]
    if decodes { own.append(.acceptEncoding) }
    if cookies { own.append(.cookie) }
    let added = own.filter { !fields.contains($0) }.map(\.canonicalName)
    let given = fields.map(\.name.canonicalName).filter { $0 != "host" }
    return LoggedText.names(["host"] + added + given)
  }

  var httpRequest: HTTPRequest {
    HTTPRequest(method: method, scheme: url.scheme, authority: url.authority, path: url.target, headerFields: fields)
  }
}

extension LoggedText {
  static func names(of fields: HTTPFields) -> String { names(fields.map(\.name.canonicalName)) }
}
