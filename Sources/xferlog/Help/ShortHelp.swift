import ArgumentParser
import XferReport

/// The help of `-h`: a command's purpose, usage, options in one line each, and examples, so that they fit one screen. `--help` explains
/// everything.
struct ShortHelp {
  /// Sections that most uses of a command do not need.
  private static let omitted = ["Cursor", "Many logs", "Rules", "Damaged logs", "Exit code", "Logs of other programs"]

  private let name: String
  private let abstract: String
  private let discussion: String
  private let sections: [Section]
  private let usage: [String]

  private struct Section {
    let title: String
    var entries: [(label: String, text: String)] = []

    /// Whether the usage says as much.
    var isObvious: Bool { title == "Arguments" && entries.map { $0.label } == ["<log>"] }
  }

  /// - Parameter arguments: the command line, of which the leading words that name commands are used.
  init(_ arguments: [String]) {
    var command: any ParsableCommand.Type = XferlogCommand.self
    var names = ["xferlog"]
    for word in arguments {
      guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
      command = next
      names.append(word)
    }
    name = names.joined(separator: " ")
    abstract = command.configuration.abstract
    discussion = command.configuration.discussion
    // At this width, the parser's help has each text in one line.
    let help = XferlogCommand.helpMessage(for: command, columns: 100_000)
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = lines.firstIndex { $0.hasPrefix("USAGE: ") } ?? lines.endIndex
    usage = lines[start...].prefix { !$0.isEmpty }.map { String($0.dropFirst("USAGE: ".count)) }
    sections = Self.sections(lines[start...].dropFirst(usage.count))
  }

  private static func sections(_ lines: some Sequence<String>) -> [Section] {
    var sections: [Section] = []
    for line in lines {
      if !line.hasPrefix(" "), line.hasSuffix(":") {
        let title = line.dropLast()
        sections.append(Section(title: title.prefix(1) + title.dropFirst().lowercased()))
      } else if line.hasPrefix("  "), !line.hasPrefix("   "), let last = sections.indices.last {
        let entry = Self.entry(line)
        // The line after the commands is not one of them. The user knows -h already, and --version belongs to the program.
        if entry.label.hasPrefix("See ") || ["-h, --help", "--version"].contains(entry.label) { continue }
        sections[last].entries.append(entry)
      } else if line.hasPrefix("        "), let section = sections.indices.last,
        let entry = sections[section].entries.indices.last,
        sections[section].entries[entry].text.isEmpty
      {
        // The text of a long label is in a line of its own.
        sections[section].entries[entry].text = String(line.drop { $0 == " " })
      }
    }
    return sections
  }

  /// Splits a line into the label, which takes 24 columns or more, and the text.
  private static func entry(_ line: String) -> (label: String, text: String) {
    let parts = line.dropFirst(2).split(separator: #/ {2,}/#, maxSplits: 1).map(String.init)
    if parts.count == 2 { return (parts[0], parts[1]) }
    let text = line.dropFirst(labelColumns)
    guard !text.isEmpty, line.dropFirst(labelColumns - 1).first == " " else { return (String(line.dropFirst(2)), "") }
    return (String(line.prefix(labelColumns - 1).dropFirst(2)), String(text))
  }

  /// The column at which the parser's help begins its texts.
  private static let labelColumns = 26

  func text(columns: Int) -> String {
    var lines = TerminalText.wrapped(abstract, to: columns) + [""]
    for line in usage { lines += TerminalText.wrapped((line == usage[0] ? "Usage: " : "       ") + line, to: columns, hang: 9) }
    for section in sections where !Self.omitted.contains(section.title) && !section.isObvious && !section.entries.isEmpty {
      lines += ["", "\(section.title):"]
      let width = min(section.entries.map { $0.label.count }.max() ?? 0, max(10, columns * 2 / 5))
      for entry in section.entries { lines += Self.lines(entry, labelWidth: width, columns: columns) }
    }
    if !examples.isEmpty { lines += ["", examples.count == 1 ? "Example:" : "Examples:"] + examples.map { "  \($0)" } }
    let others = sections.map(\.title).filter(Self.omitted.contains).map { $0.lowercased() }
    let about = others.isEmpty ? "all options" : "all options, also those for \(others.joined(separator: ", "))"
    return (lines + [""] + TerminalText.wrapped("\(name) --help explains \(about).", to: columns)).joined(separator: "\n")
  }

  private var examples: [String] {
    guard let start = discussion.firstRange(of: "Example") else { return [] }
    return discussion[start.lowerBound...].split(separator: "\n").map { line in
      var text = line.drop { $0 == " " }
      for word in ["Examples:", "Example:"] where text.hasPrefix(word) { text = text.dropFirst(word.count).drop { $0 == " " } }
      return String(text)
    }.filter { !$0.isEmpty }.prefix(3).map(\.self)
  }

  /// Returns an option with the first clause of its text, in one line if the label is short enough.
  private static func lines(_ entry: (label: String, text: String), labelWidth: Int, columns: Int) -> [String] {
    let indent = labelWidth + 4
    let text = shortened(entry.text, to: max(10, columns - indent))
    if text.isEmpty { return ["  \(entry.label)"] }
    if entry.label.count > labelWidth { return ["  \(entry.label)", String(repeating: " ", count: indent) + text] }
    return ["  \(entry.label)" + String(repeating: " ", count: labelWidth - entry.label.count + 2) + text]
  }

  /// Returns the first sentence without its details in parentheses, cut at a word if it is too long.
  private static func shortened(_ text: String, to columns: Int) -> String {
    var text = text[...]
    for end in [" (", ". ", "; "] {
      if let range = text.firstRange(of: end) { text = text[..<range.lowerBound] }
    }
    if text.hasSuffix(".") { text = text.dropLast() }
    guard TerminalText.width(String(text)) > columns else { return String(text) }
    let cut = text.prefix(columns - 1)
    let end = cut.lastIndex(of: " ") ?? cut.endIndex
    return cut[..<end] + "…"
  }
}
