/// A line of the NetLog viewer.
enum NetLogViewerLine {
  /// The first line of a source, such as `148: URL_REQUEST`.
  case source(id: Int64, type: String)
  case event(Event)
  /// A line such as `--> net_error = -118 (ERR_CONNECTION_TIMED_OUT)`.
  case parameter(key: String, value: JSONValue)
  /// The first line of a request's or a response's headers.
  case firstHeader(String)
  /// A line that continues the one before, if that is one of headers.
  case other(String)

  /// An event such as `t=5020 [st=5008]   -URL_REQUEST_START_JOB` or `t=12 [st=0] +REQUEST_ALIVE  [dt=5010]`.
  struct Event {
    /// Milliseconds since the start of the log, or since 1970.
    var time: Int64
    var name: String
    /// `nil` for an action whose beginning and end are one line.
    var phase: NetLogRequests.Phase?
  }

  var isEvent: Bool { if case .event = self { true } else { false } }

  init(_ bytes: UnsafeRawBufferPointer) {
    let text = bytes.trimmed(of: 0x0D).trimmed
    self = Self.event(text) ?? Self.source(text) ?? Self.arrow(text) ?? .other(text.text)
  }

  private static func event(_ text: UnsafeRawBufferPointer) -> NetLogViewerLine? {
    var scanner = ByteScanner(text)
    guard scanner.take("t=") else { return nil }
    scanner.takeSpaces()
    guard let time = scanner.takeInteger() else { return nil }
    scanner.takeSpaces()
    guard scanner.take("[st=") else { return nil }
    scanner.takeSpaces()
    guard scanner.takeInteger() != nil, scanner.take("]") else { return nil }
    scanner.takeSpaces()
    let sign = scanner.peek
    if sign == 0x2B || sign == 0x2D { scanner.move(to: scanner.place + 1) }
    guard let name = scanner.takeWord()?.text, name.utf8.first.map({ (0x41...0x5A).contains($0) }) ?? false else { return nil }
    let isWhole = scanner.rest.first("[dt=") != nil
    let phase: NetLogRequests.Phase? =
      switch sign {
      case 0x2B: .begin
      case 0x2D: .end
      default: isWhole ? nil : NetLogRequests.Phase.none
      }
    return .event(Event(time: time, name: name, phase: phase))
  }

  private static func source(_ text: UnsafeRawBufferPointer) -> NetLogViewerLine? {
    var scanner = ByteScanner(text)
    guard let id = scanner.takeInteger(), id >= 0, scanner.take(": "), let type = scanner.takeWord(), scanner.isAtEnd,
      type.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x5F || $0.isDigit })
    else { return nil }
    return .source(id: id, type: type.text)
  }

  private static func arrow(_ text: UnsafeRawBufferPointer) -> NetLogViewerLine? {
    var scanner = ByteScanner(text)
    guard scanner.take("--> ") else { return nil }
    let rest = scanner.rest
    guard let sign = rest.first(" = ") else { return .firstHeader(rest.text) }
    let key = rest.slice(0, sign)
    guard key.allSatisfy({ $0 != 0x20 && $0 != 0x3A }) else { return .firstHeader(rest.text) }
    return .parameter(key: key.text, value: value(rest.slice(sign + 3, rest.count)))
  }

  /// Returns a value without the explanation in parentheses that the viewer adds to numbers.
  private static func value(_ text: UnsafeRawBufferPointer) -> JSONValue {
    if text.first == 0x22 { return .string(text.slice(1, text.last == 0x22 ? max(1, text.count - 1) : text.count).text) }
    var scanner = ByteScanner(text)
    if let number = scanner.takeInteger(), scanner.isAtEnd || scanner.peek == 0x20 { return .integer(number) }
    return .string(text.text)
  }
}
