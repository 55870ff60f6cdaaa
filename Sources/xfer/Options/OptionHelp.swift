/// The help page of a verb, made from its options.
struct OptionHelp {
  private let verb: Verb
  private static let width = 100

  init(_ verb: Verb) { self.verb = verb }

  var text: String {
    var text = heading
    for section in OptionTable.sections {
      let options = section.options.filter { $0.verbs.contains(verb) }
      if options.isEmpty { continue }
      text += "\n\(section.heading.uppercased())\n"
      for option in options { text += Self.lines(option) }
    }
    return text
  }

  private var heading: String {
    switch verb {
    case .get:
      """
      xfer get [OPTION…] URL…

      Downloads files, several at a time. A file appears at its place whole or not at all. A status of 400 and above is a
      failure (22), unless --no-fail takes the page as the file. Redirects are followed. What is left of a large download that
      was interrupted stays beside its place, with NAME.xfer, and -C - goes on with it if the server still has the same.
      Of several failures the first one's code is the command's; the codes are curl's, and 120 for a wrong checksum.

      """
    case .put:
      """
      xfer put [OPTION…] FILE… URL

      Uploads files by PUT, several at a time, - for standard input. Behind a slash each file gets its own name. A status of 400
      and above is a failure (22), unless --no-fail. Redirects are followed. The codes are curl's.

      """
    case .request:
      """
      xfer request [OPTION…] URL…

      Makes one request after the other, with curl's options and curl's defaults. A file appears at its place whole or not at
      all. Of several failures the first one's code is the command's; the codes are curl's.

      """
    }
  }

  private static func lines(_ option: OptionSpec) -> String {
    let names = (option.short.map { "-\($0), " } ?? "    ") + "--\(option.long)" + (option.value.map { " \($0)" } ?? "")
    let indent = String(repeating: " ", count: 8)
    var lines = ["  \(names)"]
    var line = ""
    for word in option.help.split(separator: " ") {
      if !line.isEmpty, indent.count + line.count + word.count + 1 > width {
        lines.append(indent + line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return (lines + [indent + line]).joined(separator: "\n") + "\n"
  }
}
