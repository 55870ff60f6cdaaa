import ArgumentParser
import XferReport

/// A label for all metrics, such as `device=ipad`.
struct MetricLabel {
  let name: String
  let value: String

  init(argument: String) throws(ValidationError) {
    guard let sign = argument.firstIndex(of: "=") else { throw ValidationError("write it as NAME=VALUE, as in device=ipad") }
    (name, value) = (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    let isName = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || Character(UnicodeScalar($0)).isASCIILetterOrDigit }
    guard let first = name.first, isName, !first.isNumber else {
      throw ValidationError("the name of a label must consist of letters, digits and _, and must not begin with a digit")
    }
    if name.hasPrefix("__") { throw ValidationError("names that begin with __ belong to Prometheus") }
    if MetricsDocument.ownLabels.contains(name) {
      throw ValidationError("the metrics have labels named \(name) themselves; choose another name")
    }
  }

  /// Returns a name that several labels have.
  static func repeated(in labels: [MetricLabel]) -> String? {
    var names: Set<String> = []
    return labels.first { !names.insert($0.name).inserted }?.name
  }
}

extension Character {
  fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
