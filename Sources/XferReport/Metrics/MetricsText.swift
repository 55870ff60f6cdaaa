import XferEvents

/// Text in the exposition format of Prometheus, version 0.0.4.
package struct MetricsText {
  package enum Kind: String { case gauge, counter, histogram }

  /// Labels that every sample has.
  private let labels: [(name: String, value: String)]
  package private(set) var text = ""

  package init(labels: [(name: String, value: String)]) { self.labels = labels }

  /// Writes the lines that precede the samples of a metric.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  mutating func sample(_ name: String, _ value: some BinaryInteger, _ own: [(name: String, value: String)] = []) {
    begin(name, own)
    text += "\(value)\n"
  }

  mutating func sample(_ name: String, seconds: Duration, _ own: [(name: String, value: String)] = []) {
    begin(name, own)
    text += "\(seconds.inSeconds)\n"
  }

  mutating func sample(_ name: String, ratio: Double, _ own: [(name: String, value: String)] = []) {
    begin(name, own)
    text += "\(ratio)\n"
  }

  private mutating func begin(_ name: String, _ own: [(name: String, value: String)]) {
    text += name
    let all = (labels + own).map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
    if !all.isEmpty { text += "{" + all.joined(separator: ",") + "}" }
    text += " "
  }

  /// Returns a label's value as it stands between quotes. Characters that control a terminal are shown as their escapes.
  static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": result += #"\\"#
      case "\"": result += #"\""#
      case "\n": result += #"\n"#
      case _ where TerminalText.mustEscape(scalar): result += escaped(TerminalText.escaped(String(scalar)))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Duration {
  /// The duration as a decimal number of seconds, exact and without an exponent.
  var inSeconds: String {
    let nanoseconds = nanoseconds
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sign = nanoseconds < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    var digits = Substring(String(rest + 1_000_000_000).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}
