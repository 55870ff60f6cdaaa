extension ServedRequest {
  /// The record as one line of JSON, including the line end.
  ///
  /// The value of `event` is `started` or `ended`. Times are integers in nanoseconds, missing values are left out, and
  /// `headers` is a list of name and value pairs.
  package var ndjson: String {
    var line = JSONLine()
    line.add("schema", "xferlog.served/1")
    line.add("event", phase == .ended ? "ended" : "started")
    line.add("sequence", sequence)
    line.add("connection", connection)
    line.add("method", method)
    line.add("target", target)
    line.add("headers", headers.fields.map { [$0.name, $0.value] })
    line.add("route", route)
    line.add("turn", turn)
    line.add("requestBodyBytes", requestBodyBytes)
    line.add("requestBodyCRC32", Int(requestBodyCRC32))
    line.add("status", status)
    line.add("validator", validator)
    line.add("entityBytes", entityBytes)
    line.add("bodyOffset", bodyOffset)
    line.add("bodyBytesPlanned", bodyBytesPlanned)
    line.add("bodyBytesWritten", bodyBytesWritten)
    line.add("ending", ending?.rawValue)
    line.add("problem", problem)
    line.add("received", received.wholeNanoseconds)
    line.add("responded", responded?.wholeNanoseconds)
    line.add("bodyBegan", bodyBegan?.wholeNanoseconds)
    line.add("ended", ended?.wholeNanoseconds)
    return line.text + "}\n"
  }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero. Durations of up to 292 years fit.
  var wholeNanoseconds: Int { Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000) }
}

/// A partially written JSON object that lacks its closing brace.
private struct JSONLine {
  var text = "{"

  mutating func add(_ name: String, _ value: String?) {
    if let value { append(name, Self.quoted(value)) }
  }

  mutating func add(_ name: String, _ value: Int?) {
    if let value { append(name, "\(value)") }
  }

  mutating func add(_ name: String, _ value: [[String]]) {
    append(name, "[" + value.map { "[" + $0.map(Self.quoted).joined(separator: ",") + "]" }.joined(separator: ",") + "]")
  }

  private mutating func append(_ name: String, _ json: String) {
    text += (text == "{" ? "" : ",") + "\"\(name)\":" + json
  }

  private static func quoted(_ value: String) -> String {
    var quoted = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
