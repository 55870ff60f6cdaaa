/// A message in words: literal text and arguments, each argument with its own privacy and format.
///
/// A message is written as a string with interpolations, as for os.Logger:
///
/// ```swift
/// log.info("Got \(count) bytes of \(path, privacy: .private) in \(seconds, format: .fixed(precision: 2)) s")
/// ```
///
/// Only literals become the message's text. A string that is known only at run time is an argument, and private by default. A
/// message whose literals and arguments take up to 256 bytes needs no allocation.
public struct LogMessage: ExpressibleByStringInterpolation, Sendable {
  var pieces: MessagePieces

  public init(stringLiteral value: StaticString) {
    pieces = MessagePieces()
    pieces.append(literal: value)
  }

  public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// Creates a message from a text that is known only at run time. The message has one argument and no literals.
  public init(text: String, privacy: LogPrivacy = .auto) {
    var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 1)
    interpolation.appendInterpolation(text, privacy: privacy)
    pieces = interpolation.pieces
  }

  /// Adds an argument with a name. Readers show it after the text as `name=value`.
  ///
  /// If the privacy is automatic, a value whose name suggests a secret, such as `password`, is sensitive.
  ///
  /// - Parameter name: always public; truncated to 255 bytes.
  public mutating func attach(_ name: String, _ value: String, privacy: LogPrivacy = .auto) {
    var value = value
    let privacy = privacy == .auto && SecretName.matches(value: name) ? .sensitive : privacy
    value.withUTF8 { pieces.append(.init(.text, privacy: privacy), name: name, text: .init($0)) }
  }

  /// Receives the literals and the arguments of a message in their order.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var pieces = MessagePieces()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: StaticString) { pieces.append(literal: literal) }
  }
}
