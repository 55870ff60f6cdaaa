internal import HTTPTypes
internal import XferEvents

/// A validated request. Each redirect creates a new plan.
struct RequestPlan: Sendable, Equatable {
  var method: HTTPRequest.Method
  var url: URLFacts
  /// The session's and the caller's fields, without the message-framing fields that libcurl sets.
  var fields: HTTPFields
  var body: RequestBody

  /// Fields that frame the message or control the connection. Wrong values would desynchronise the connection.
  private static let framing: Set<HTTPField.Name> = [
    .connection, .contentLength, .init("Keep-Alive")!, .te, .trailer, .transferEncoding, .upgrade,
  ]

  /// Validates a request.
  ///
  /// - Parameter additional: default fields, used where the request has no field of the same name.
  init(_ request: HTTPRequest, additional: HTTPFields, body: RequestBody = .none) throws(TransferError) {
    guard let scheme = request.scheme, let authority = request.authority else {
      throw .badURL("the request lacks a scheme or an authority")
    }
    let path = request.path ?? "/"
    // The joined text must parse into the same parts again: a path like `@other.example/` would change the host.
    guard path.hasPrefix("/"), !authority.contains(where: { "/?#\\".contains($0) }) else {
      throw .badURL("the request's path does not begin with a slash, or its authority contains one of / ? # \\")
    }
    url = try URLFacts("\(scheme)://\(authority)\(path)")
    guard url.isSupported else { throw .unsupportedScheme(url.scheme) }
    guard !url.host.isEmpty else { throw .badURL("the URL has no host") }
    guard body == .none || request.method != .head && request.method != .trace else {
      throw .badURL("a \(request.method.rawValue) request must not have a body")
    }
    method = request.method
    self.body = body
    fields = request.headerFields
    for field in additional where !request.headerFields.contains(field.name) { fields.append(field) }
    for name in Self.framing where fields.contains(name) { fields[values: name] = [] }
  }

  /// Whether any field of the request holds a credential.
  var carriesCredentials: Bool { fields.contains { SecretName.matches(field: $0.name.canonicalName) } }

  /// Returns the names of all sent fields for the log. The fields that libcurl adds come first.
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
