/// What code says in words: literal text and arguments, each argument with its own privacy and format.
///
/// Written as a string with interpolations, as for os.Logger:
///
/// ```swift
/// log.info("Got \(count) bytes of \(path, privacy: .private) in \(seconds, format: .fixed(precision: 2)) s")
/// ```
///
/// Only literals make up its text; a string that is known at run time is an argument, and private unless it is said to be
/// public. Making a message allocates nothing up to 256 bytes of arguments and places of literals.
public struct LogMessage: ExpressibleByStringInterpolation, Sendable {
  var pieces: MessagePieces

  public init(stringLiteral value: StaticString) {
    pieces = MessagePieces()
    pieces.append(literal: value)
  }

  public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// A text that is known at run time only: one argument and nothing else.
  public init(text: String, privacy: LogPrivacy = .auto) {
    var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 1)
    interpolation.appendInterpolation(text, privacy: privacy)
    pieces = interpolation.pieces
  }

  /// Adds an argument with a name of its own, which is shown behind the text as `name=value`.
  ///
  /// A value whose name announces a secret, as `password` does, is sensitive unless it is said to be something else.
  ///
  /// - Parameter name: public; at most 255 bytes of it are kept.
  public mutating func attach(_ name: String, _ value: String, privacy: LogPrivacy = .auto) {
    var value = value
    let privacy = privacy == .auto && SecretName.matches(value: name) ? .sensitive : privacy
    value.withUTF8 { pieces.append(.init(.text, privacy: privacy), name: name, text: .init($0)) }
  }

  /// What takes the literals and arguments of a message, in their order.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var pieces = MessagePieces()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: StaticString) { pieces.append(literal: literal) }
  }
}
