import ArgumentParser
import XferReport

/// A label for all metrics, such as `device=ipad`.
struct MetricLabel: ExpressibleByArgument {
  let name: String
  let value: String

  /// - Returns: `nil` if the text has no `=`, or if the name is none of Prometheus or one that the metrics use themselves.
  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "=") else { return nil }
    (name, value) = (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    let isName = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || Character(UnicodeScalar($0)).isASCIILetterOrDigit }
    guard let first = name.first, isName, !first.isNumber, !name.hasPrefix("__"), !MetricsDocument.ownLabels.contains(name) else {
      return nil
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
