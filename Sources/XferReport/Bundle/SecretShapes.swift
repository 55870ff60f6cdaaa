import XferEvents

/// Recognises texts that look like secrets, whatever log they come from.
struct SecretShapes: Sendable {
  /// Searches bytes, and reports the kind and the offset of each text that looks like a secret.
  func search(_ text: UnsafeRawBufferPointer, _ report: (LeakKind, Int) -> Void) {
    var offset = 0
    while offset < text.count {
      if let found = Self.secret(at: offset, in: text) {
        report(found.kind, offset)
        offset += max(1, found.length)
      } else {
        offset += 1
      }
    }
  }

  /// Returns the secret that begins at an offset, or whose mark does. A length of 1 continues behind the first byte.
  private static func secret(at offset: Int, in text: UnsafeRawBufferPointer) -> (kind: LeakKind, length: Int)? {
    let reader = ShapeReader(text: text, start: offset)
    switch text[offset] {
    case UInt8(ascii: "a"), UInt8(ascii: "A"): return authorization(reader) ?? accessKey(reader)
    case UInt8(ascii: "b"), UInt8(ascii: "B"): return bearer(reader)
    case UInt8(ascii: "c"), UInt8(ascii: "C"): return cookie(reader)
    case UInt8(ascii: "e"): return jwt(reader)
    case UInt8(ascii: "g"), UInt8(ascii: "x"), UInt8(ascii: "s"): return accessKey(reader)
    case UInt8(ascii: ":"): return userInfo(reader)
    case UInt8(ascii: "?"), UInt8(ascii: "&"): return parameter(reader)
    case UInt8(ascii: "-"): return privateKey(reader)
    case UInt8(ascii: "@"): return email(reader)
    case UInt8(ascii: "/"): return home(reader, ["/home/", "/Users/"])
    case UInt8(ascii: "\\"): return home(reader, ["\\Users\\", "\\\\Users\\\\"])
    default: return nil
    }
  }

  // MARK: Header fields

  /// `Authorization: Basic dTpw`, also as a member of a JSON object or as a parameter.
  private static func authorization(_ start: ShapeReader) -> (LeakKind, Int)? {
    var reader = start
    guard reader.take("authorization", ignoringCase: true), reader.takeSign() else { return nil }
    let length = reader.skip { !$0.isTextEnd }
    return length >= 4 ? (.authorization, reader.length) : nil
  }

  private static func cookie(_ start: ShapeReader) -> (LeakKind, Int)? {
    var reader = start
    guard reader.take("cookie", ignoringCase: true), reader.takeSign() else { return nil }
    guard reader.skip({ $0.isSecretByte }) > 0, reader.take("="), reader.skip({ !$0.isTextEnd && $0 != UInt8(ascii: ";") }) > 2
    else { return nil }
    return (.cookie, reader.length)
  }

  private static func bearer(_ start: ShapeReader) -> (LeakKind, Int)? {
    var reader = start
    guard reader.take("bearer ", ignoringCase: true) else { return nil }
    let begin = reader.offset
    let length = reader.skip { $0.isSecretByte || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") }
    // Words such as "authentication" may follow in a sentence.
    let hasDigit = start.text[begin..<begin + length].contains { (48...57).contains($0) }
    return length >= 24 || length >= 8 && hasDigit ? (.bearerToken, reader.length) : nil
  }

  // MARK: URLs

  /// `://user:password@host`.
  private static func userInfo(_ start: ShapeReader) -> (LeakKind, Int)? {
    var reader = start
    guard reader.take("://") else { return nil }
    let length = reader.skip { byte in
      !byte.isTextEnd && byte != UInt8(ascii: " ") && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?")
        && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "@")
    }
    return length > 0 && reader.take("@") ? (.urlUserInfo, reader.length) : nil
  }

  /// `?X-Amz-Signature=…` and other parameters that grant access.
  private static func parameter(_ start: ShapeReader) -> (LeakKind, Int)? {
    var reader = start
    guard reader.take("?") || reader.take("&") else { return nil }
    let begin = reader.offset
    let length = reader.skip { $0.isSecretByte }
    guard length > 0, length <= 64, reader.take("=") else { return nil }
    let name = String(decoding: start.text[begin..<begin + length], as: UTF8.self)
    let value = reader.skip { !$0.isTextEnd && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "<") }
    guard value >= 4, SecretName.matches(parameter: name) else { return nil }
    return (.signedQuery, reader.length)
  }

  // MARK: Tokens and keys

  /// A JSON Web Token has three parts in base64url. The first two are JSON objects.
  private static func jwt(_ start: ShapeReader) -> (LeakKind, Int)? {
    var reader = start
    guard reader.take("eyJ"), reader.skip({ $0.isBase64URL }) >= 6, reader.take(".eyJ"), reader.skip({ $0.isBase64URL }) >= 2,
      reader.take(".")
    else { return nil }
    _ = reader.skip { $0.isBase64URL }
    return (.jwt, reader.length)
  }

  /// The access keys of well-known services, which have prefixes so that they can be found.
  private static func accessKey(_ start: ShapeReader) -> (LeakKind, Int)? {
    let prefixes: [(prefix: StaticString, length: Int)] = [
      ("AKIA", 16), ("ASIA", 16), ("AIza", 35), ("ghp_", 36), ("gho_", 36), ("ghs_", 36), ("github_pat_", 22), ("glpat-", 20),
      ("xoxb-", 20), ("xoxp-", 20), ("sk_live_", 16),
    ]
    for (prefix, wanted) in prefixes {
      var reader = start
      guard reader.take(prefix), !start.followsWord else { continue }
      if reader.skip({ $0.isBase64URL }) >= wanted { return (.accessKey, reader.length) }
    }
    return nil
  }

  private static func privateKey(_ start: ShapeReader) -> (LeakKind, Int)? {
    var reader = start
    guard reader.take("-----BEGIN ") else { return nil }
    let begin = reader.offset
    let length = min(reader.skip { $0.isUppercase || $0 == UInt8(ascii: " ") }, 64)
    let name = String(decoding: start.text[begin..<begin + length], as: UTF8.self)
    return name.hasSuffix("PRIVATE KEY") ? (.privateKey, reader.length) : nil
  }

  // MARK: People

  /// `name@host.example`. The mark is the `@`.
  private static func email(_ start: ShapeReader) -> (LeakKind, Int)? {
    var before = 0
    while before < 64, let byte = start.byte(at: start.offset - before - 1), byte.isLocalPart { before += 1 }
    var reader = start
    guard before > 0, reader.take("@") else { return nil }
    let begin = reader.offset
    var length = reader.skip { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    while length > 0, !start.text[begin + length - 1].isLetterOrDigit { length -= 1 }
    let domain = start.text[begin..<begin + length]
    guard let point = domain.lastIndex(of: UInt8(ascii: ".")), point > domain.startIndex, domain.endIndex - point > 2,
      domain[domain.index(after: point)...].allSatisfy({ $0.isLetter }), before + 1 + length >= 8
    else { return nil }
    return (.emailAddress, 1 + length)
  }

  /// `/home/name`. A directory of the name `runner` or the like is a service's, but only the user knows that.
  private static func home(_ start: ShapeReader, _ prefixes: [StaticString]) -> (LeakKind, Int)? {
    for prefix in prefixes {
      var reader = start
      // A path of a URL may contain the same word behind another one.
      guard !start.followsWord, reader.take(prefix), reader.skip({ $0.isSecretByte && $0 != UInt8(ascii: "*") }) > 0 else {
        continue
      }
      return (.homeDirectory, reader.length)
    }
    return nil
  }
}

/// Reads a text from an offset on.
private struct ShapeReader {
  let text: UnsafeRawBufferPointer
  let start: Int
  private(set) var offset: Int

  init(text: UnsafeRawBufferPointer, start: Int) { (self.text, self.start, offset) = (text, start, start) }

  /// The number of bytes that were read.
  var length: Int { offset - start }

  /// Whether a letter or a digit precedes the text.
  var followsWord: Bool { byte(at: start - 1)?.isLetterOrDigit ?? false }

  func byte(at place: Int) -> UInt8? { text.indices.contains(place) ? text[place] : nil }

  /// Reads a word if it follows.
  mutating func take(_ word: StaticString, ignoringCase: Bool = false) -> Bool {
    let count = word.utf8CodeUnitCount
    guard text.count - offset >= count else { return false }
    for place in 0..<count {
      let (found, wanted) = (text[offset + place], word.utf8Start[place])
      if found == wanted || ignoringCase && found.isLetter && found | 0x20 == wanted { continue }
      return false
    }
    offset += count
    return true
  }

  /// Reads the sign between a name and its value, such as `": "` in JSON.
  mutating func takeSign() -> Bool {
    _ = take("\\") && take("\"") || take("\"")
    guard take(":") || take("=") || take("%3A") || take("%3a") else { return false }
    _ = skip { $0 == UInt8(ascii: " ") }
    _ = take("\\") && take("\"") || take("\"")
    return true
  }

  /// Reads the bytes for which a condition holds, at most 4096.
  ///
  /// - Returns: their number.
  mutating func skip(_ condition: (UInt8) -> Bool) -> Int {
    let begin = offset
    while offset < text.count, offset - begin < 4096, condition(text[offset]) { offset += 1 }
    return offset - begin
  }
}

extension UInt8 {
  fileprivate var isUppercase: Bool { (65...90).contains(self) }
  fileprivate var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
  fileprivate var isLetterOrDigit: Bool { isLetter || (48...57).contains(self) }
  fileprivate var isBase64URL: Bool { isLetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
  /// Whether the byte occurs in tokens and in the names of header fields and parameters.
  fileprivate var isSecretByte: Bool {
    isBase64URL || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") || self == UInt8(ascii: "+")
  }
  fileprivate var isLocalPart: Bool { isBase64URL || self == UInt8(ascii: ".") || self == UInt8(ascii: "+") }
  /// Whether a value in a line of text or in a JSON string ends at the byte.
  fileprivate var isTextEnd: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") || self == UInt8(ascii: "\\")
  }
}
