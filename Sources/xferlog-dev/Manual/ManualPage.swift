import Foundation

/// A manual page of one command.
struct ManualPage {
  /// The command with its parents, such as `["xferlog", "rules", "explain"]`.
  let path: [String]
  let command: ToolDescription.Command
  /// The lines of the help after `USAGE:`.
  let usage: [String]
  /// The whole help, for commands that print their own.
  let help: String
  let version: String

  var name: String { path.joined(separator: "-") }
  var fileName: String { "\(name).1" }

  var text: String {
    var page = RoffText(title: name, section: 1, version: "xferlog \(version)")
    page.section("Name")
    page.paragraph("\(name) - \(command.abstract.map(Self.asPhrase) ?? "a command of \(path[0])")")
    page.section("Synopsis")
    page.literal(usage.isEmpty ? help.split(separator: "\n").prefix(1).map(String.init) : usage)
    if usage.isEmpty { ownHelp(&page) } else { describe(&page) }
    references(&page)
    return page.text
  }

  /// Makes the abstract, which is a sentence, a phrase that may follow a dash.
  private static func asPhrase(_ abstract: String) -> String {
    let text = abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  private func describe(_ page: inout RoffText) {
    let blocks = RoffText.blocks(command.discussion ?? "")
    let start = blocks.firstIndex { $0[0].hasPrefix("Example") } ?? blocks.endIndex
    let (about, examples) = (blocks[..<start], blocks[start...])
    if !about.isEmpty || command.abstract != nil {
      page.section("Description")
      page.paragraphs(about.isEmpty ? command.abstract ?? "" : about.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))
    }
    options(&page)
    if !command.children.isEmpty {
      page.section("Commands")
      for child in command.children { page.item(child.commandName, [child.abstract ?? ""]) }
    }
    if !examples.isEmpty {
      page.section("Examples")
      page.literal(examples.flatMap { $0 }.map(Self.example).filter { !$0.isEmpty })
    }
  }

  /// Removes the word that introduces an example.
  private static func example(_ line: String) -> String {
    var text = line
    for start in ["Examples:", "Example:"] where text.hasPrefix(start) { text.removeFirst(start.count) }
    return text.trimmingCharacters(in: .whitespaces)
  }

  private func options(_ page: inout RoffText) {
    let shown = (command.arguments ?? []).filter(\.shouldDisplay)
    var titles: [String] = []
    for argument in shown {
      let title = Self.title(of: argument)
      if !titles.contains(title) { titles.append(title) }
    }
    for title in titles {
      page.section(title)
      for argument in shown where Self.title(of: argument) == title { page.item(Self.label(argument), Self.body(argument)) }
    }
  }

  private static func title(of argument: ToolDescription.Argument) -> String {
    argument.sectionTitle.flatMap { $0.isEmpty ? nil : $0 } ?? (argument.kind == .positional ? "Arguments" : "Options")
  }

  private static func label(_ argument: ToolDescription.Argument) -> String {
    let value = "<\(argument.valueName ?? "value")>"
    guard let names = argument.names, !names.isEmpty else { return value }
    return names.map(\.text).joined(separator: ", ") + (argument.kind == .option ? " \(value)" : "")
  }

  private static func body(_ argument: ToolDescription.Argument) -> [String] {
    var text = argument.abstract ?? ""
    let descriptions = argument.allValueDescriptions ?? [:]
    var notes: [String] = []
    if descriptions.isEmpty, let values = argument.allValues, !values.isEmpty {
      notes.append("values: \(values.joined(separator: ", "))")
    }
    if let standard = argument.defaultValue { notes.append("default: \(standard)") }
    if !notes.isEmpty { text += " (\(notes.joined(separator: "; ")))" }
    return [text] + (argument.allValues ?? []).compactMap { value in descriptions[value].map { "\(value): \($0)" } }
  }

  /// Converts the help of a command that parses its own options: headings in capitals, options, and indented descriptions.
  private func ownHelp(_ page: inout RoffText) {
    page.section("Description")
    var option: (label: String, body: [String])?
    func close() {
      if let option { page.item(option.label, [option.body.joined(separator: " ")]) }
      option = nil
    }
    var running: [String] = []
    for line in help.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
      if line.hasPrefix("        ") {
        option?.body.append(line.trimmingCharacters(in: .whitespaces))
      } else if line.hasPrefix("  ") {
        close()
        option = (line.trimmingCharacters(in: .whitespaces), [])
      } else if line.contains(where: \.isLetter), line == line.uppercased() {
        close()
        page.section(String(line))
      } else if line.isEmpty {
        close()
        if !running.isEmpty { page.paragraph(running.joined(separator: " ")) }
        running = []
      } else {
        running.append(String(line))
      }
    }
    close()
  }

  private func references(_ page: inout RoffText) {
    page.section("See also")
    let parent = path.count > 1 ? [path.dropLast().joined(separator: "-")] : []
    let children = command.children.map { "\(name)-\($0.commandName)" }
    let programs = ["xferlog", "xfer", "xferd"].filter { $0 != path[0] }
    page.paragraph((parent + children + programs).map { "\($0)(1)" }.joined(separator: ", "))
  }
}
