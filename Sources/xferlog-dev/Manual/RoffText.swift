/// Text in the language of manual pages, with the macros of man(7).
struct RoffText {
  private(set) var text = ""

  init(title: String, section: Int, version: String) {
    text = ".\\\" Generated from the program's help by `xferlog-dev manual`.\n"
    text +=
      ".TH \(Self.quoted(title.uppercased())) \(section) \"\" \(Self.quoted(version)) \(Self.quoted("xferlog manual"))\n.nh\n.ad l\n"
  }

  mutating func section(_ title: String) { text += ".SH \(Self.quoted(title.uppercased()))\n" }

  /// Adds an item of a list of options or commands.
  mutating func item(_ label: String, _ body: [String]) {
    text += ".TP\n\\fB\(Self.escaped(label))\\fR\n"
    for (place, line) in body.enumerated() { text += (place == 0 ? "" : ".br\n") + Self.line(line) }
    if body.isEmpty { text += "\\&\n" }
  }

  /// Adds lines that are printed as they are.
  mutating func literal(_ lines: [String]) {
    text += ".PP\n.nf\n.RS 2\n" + lines.map(Self.line).joined() + ".RE\n.fi\n"
  }

  mutating func paragraph(_ line: String) { text += ".PP\n" + Self.line(line) }

  /// Adds paragraphs that are separated by empty lines. Indented lines are printed as they are.
  mutating func paragraphs(_ source: String) {
    for block in Self.blocks(source) {
      var running: [String] = []
      var indented: [String] = []
      for line in block {
        if line.hasPrefix("  ") {
          if !running.isEmpty { paragraph(running.joined(separator: " ")) }
          running = []
          indented.append(String(line.dropFirst(2)))
        } else {
          if !indented.isEmpty { literal(indented) }
          indented = []
          running.append(line)
        }
      }
      if !running.isEmpty { paragraph(running.joined(separator: " ")) }
      if !indented.isEmpty { literal(indented) }
    }
  }

  /// Splits a text at empty lines.
  static func blocks(_ source: String) -> [[String]] {
    source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .split(separator: "", omittingEmptySubsequences: true).map(Array.init)
  }

  // MARK: Escaping

  private static func line(_ text: String) -> String {
    let escaped = escaped(text)
    // A line that begins with a period or an apostrophe would be a request.
    return (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.map { letter in
      switch letter {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "…": "\\&..."
      case "–": "\\(en"
      default: String(letter)
      }
    }.joined()
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text).replacing("\"", with: "\\(dq"))\"" }
}
