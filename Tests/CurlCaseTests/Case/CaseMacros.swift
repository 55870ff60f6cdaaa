import Foundation

/// The macro values for one run of a case.
struct CaseMacros: Sendable {
  /// The values by variable name, without the percent sign.
  var variables: [String: String]
  /// The features for which `%if` conditions hold.
  var features: Set<String> = Self.features
  /// The current time for expiry dates, in seconds since 1970.
  var now: Int = Int(Date().timeIntervalSince1970)
  /// The directory of the files that a case includes.
  var includes: String?

  /// The features of a current HTTP client.
  static let features: Set = ["cookies", "crypto", "digest", "headers-api", "IPv6", "large-size", "large-time", "libz", "SSL"]

  /// The macros for characters that conflict with XML or line endings.
  static let characters = [
    "AMP": "&", "CR": "\r", "EMPTY": "", "GT": ">", "LF": "\n", "LT": "<", "SP": " ", "TAB": "\t",
  ]

  /// A marker line for an included file that does not exist. It cannot occur in a case, because cases contain no zero bytes.
  static let missingInclude: [UInt8] = [0] + Array("missing include".utf8) + [0, 10]

  func expand(_ source: [UInt8]) throws(CaseProblem) -> [UInt8] {
    try replaceMacros(chooseLines(source))
  }

  // MARK: Lines

  private func chooseLines(_ source: [UInt8]) throws(CaseProblem) -> [UInt8] {
    var chosen: [UInt8] = []
    // Whether the lines of each enclosing condition are wanted.
    var wanted: [Bool] = []
    for line in source.lines {
      let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      switch words.first {
      case "%if" where words.count == 2: wanted.append(holds(words[1]))
      case "%else" where words.count == 1:
        guard let last = wanted.popLast() else { throw CaseProblem("%else without %if") }
        wanted.append(!last)
      case "%endif" where words.count == 1:
        guard wanted.popLast() != nil else { throw CaseProblem("%endif without %if") }
      case _ where wanted.contains(false): break
      // `%EMPTY` alone stands for no line at all.
      case "%EMPTY" where words.count == 1: break
      default: chosen += line
      }
    }
    guard wanted.isEmpty else { throw CaseProblem("%if without %endif") }
    return chosen
  }

  private func holds(_ condition: Substring) -> Bool {
    condition.hasPrefix("!") ? !features.contains(String(condition.dropFirst())) : features.contains(String(condition))
  }

  // MARK: Macros

  private func replaceMacros(_ source: [UInt8]) throws(CaseProblem) -> [UInt8] {
    let names = (variables.merging(Self.characters) { own, _ in own }).map { (name: Array($0.utf8), value: Array($1.utf8)) }
      .sorted { $0.name.count > $1.name.count }
    var result: [UInt8] = []
    var rest = source[...]
    while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
      result += rest[..<percent]
      rest = rest[percent...]
      let after = rest.dropFirst()
      let form = Form.allCases.first { after.starts(with: $0.opening.utf8) }
      if let form, let (inner, end) = after.enclosed(by: form) {
        result += try value(of: form, replaceMacros(Array(inner)))
        rest = rest[end...]
      } else if let (name, value) = names.first(where: { after.starts(with: $0.name) }) {
        result += value
        rest = after.dropFirst(name.count)
      } else {
        // A literal percent sign, as in an encoded URL.
        result.append(rest.removeFirst())
      }
    }
    return result + rest
  }

  fileprivate enum Form: CaseIterable {
    case hex, base64, `repeat`, days, includeText, include
  }

  private func value(of form: Form, _ inner: [UInt8]) throws(CaseProblem) -> [UInt8] {
    switch form {
    case .hex: return inner.percentDecoded
    case .base64: return Array(Data(inner.percentDecoded).base64EncodedData())
    case .repeat:
      let text = String(decoding: inner.prefix(20), as: UTF8.self)
      guard let count = Int(text.prefix { $0.isNumber }), let x = inner.firstRange(of: Array(" x ".utf8)) else {
        throw CaseProblem("%repeat[\(text) has no count")
      }
      return Array(repeatElement(Array(inner[x.upperBound...]).percentDecoded, count: count).joined())
    case .days:
      guard let days = Int(String(decoding: inner, as: UTF8.self)) else { throw CaseProblem("%days has no number") }
      let time = now + days * 86400 + 30
      return Array("\(time - time % 60)".utf8)
    case .include, .includeText:
      let path = String(decoding: inner, as: UTF8.self).trimmingCharacters(in: .whitespaces)
      let contents = includes.flatMap { FileManager.default.contents(atPath: "\($0)/\((path as NSString).lastPathComponent)") }
      return contents.map(Array.init) ?? Self.missingInclude
    }
  }
}

extension CaseMacros.Form {
  fileprivate var opening: String {
    switch self {
    case .hex: "hex["
    case .base64: "b64["
    case .repeat: "repeat["
    case .days: "days["
    case .includeText: "includetext "
    case .include: "include "
    }
  }

  fileprivate var closing: String {
    switch self {
    case .hex: "]hex%"
    case .base64: "]b64%"
    case .repeat: "]%"
    case .days: "]"
    case .includeText, .include: "%\n"
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the bytes between a macro's delimiters, and the index after the macro. `nil` without a closing delimiter.
  fileprivate func enclosed(by form: CaseMacros.Form) -> (inner: Self, end: Index)? {
    let inner = dropFirst(form.opening.utf8.count)
    guard let closing = inner.firstRange(of: Array(form.closing.utf8)) else { return nil }
    return (inner[..<closing.lowerBound], closing.upperBound)
  }
}
