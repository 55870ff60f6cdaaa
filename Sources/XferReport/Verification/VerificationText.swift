import XferEvents

extension VerificationDocument {
  /// Writes the segments, the problems with their consequences, and the last links of the hash chains, as text.
  package func write(to text: inout TextBuffer) {
    var table = TextTable([
      ("segment", .left), ("form", .left), ("state", .left), ("writer", .left), ("events", .right), ("bytes", .right),
    ])
    for segment in segments {
      let form = segment.form + (segment.isSalvaged ? ", salvaged" : "")
      table.append([
        segment.name, form, segment.state, segment.writer.text, "\(segment.events)", "\(ByteCount(Int64(segment.bytes)))",
      ])
    }
    if !table.isEmpty { table.flush(to: &text) }
    for problem in problems {
      text.append("\n" as StaticString)
      for line in problem.lines { append(line, to: &text) }
    }
    let links = lastLinks
    if !links.isEmpty { text.append("\n" as StaticString) }
    for segment in links { append("last link of \(segment.writer.text), \(segment.name): \(segment.lastLink ?? "")", to: &text) }
    text.append("\n" as StaticString)
    // A sealed segment that was cut has lost the last link of its hash chain.
    appendUnprotected(unsealed.count { $0.form != "sealed" }, "is not sealed", "are not sealed", to: &text)
    appendUnprotected(
      unsealed.count { $0.form == "sealed" }, "has lost the end of its hash chain", "have lost the ends of their hash chains",
      to: &text)
    append("verdict: \(verdict.rawValue)", to: &text)
  }

  private func appendUnprotected(_ count: Int, _ one: String, _ several: String, to text: inout TextBuffer) {
    guard count > 0 else { return }
    append(
      count == 1
        ? "1 segment \(one): edits to it cannot be detected" : "\(count) segments \(several): edits to them cannot be detected",
      to: &text)
  }

  private func append(_ line: String, to text: inout TextBuffer) {
    text.append(TerminalText.escaped(line))
    text.append(UInt8(ascii: "\n"))
  }
}

extension VerificationDocument.Problem {
  fileprivate var lines: [String] {
    var lines = ["\(kind.rawValue) \(place): \(what)"]
    guard isLoss else { return lines }
    lines.append("    cannot be judged  \(time)")
    if concernsAnyTask {
      lines.append("    tasks             any task of launch \(launch.map { "\($0)" } ?? "unknown")")
    } else {
      let texts = tasks.map { "\($0.session)/\($0.number) (\($0.uid))" }
      for (index, task) in texts.enumerated() {
        lines.append((index == 0 ? "    tasks             " : "                      ") + task)
      }
      if tasks.isEmpty { lines.append("    tasks             no open tasks") }
    }
    return lines
  }

  private var place: String {
    var parts = [name]
    if let bytes {
      parts.append(bytes.count == 1 ? "byte \(bytes.lowerBound)" : "bytes \(bytes.lowerBound)–\(bytes.upperBound - 1)")
    }
    if let lane { parts.append("lane \(lane)") }
    if let sequences {
      let isOne = sequences.count == 1
      parts.append(isOne ? "record \(sequences.lowerBound)" : "records \(sequences.lowerBound)–\(sequences.upperBound - 1)")
    }
    return parts.joined(separator: ", ")
  }

  private var time: String {
    switch (from, to) {
    case (let from?, let to?): "\(Self.text(from)) to \(Self.text(to))"
    case (let from?, nil): "from \(Self.text(from)) on"
    case (nil, let to?): "until \(Self.text(to))"
    case (nil, nil): "any time during the launch"
    }
  }

  private static func text(_ moment: Moment) -> String {
    "\(moment.wall.map { "\($0)" } ?? "an unknown time") (mono \(moment.monotonic.map { "\($0)" } ?? "unknown"))"
  }
}

extension WriterContext {
  /// The program and the process, such as `app (pid 4001)`. Unknown parts are marked.
  fileprivate var text: String {
    let program = executable.map { $0.isEmpty ? "?" : $0 } ?? "?"
    return "\(program) (pid \(pid.map { "\($0)" } ?? "unknown"))"
  }
}
