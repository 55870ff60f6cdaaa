/// The help page of a subcommand, generated from its options.
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

      Downloads files, several at a time. A file appears at its destination only
      when it is complete. A status of 400 or above is a failure (exit code 22);
      --no-fail saves the error page instead. Redirects are followed. When several
      transfers fail, the first failure sets the exit code. Exit codes are curl's,
      and 120 for a wrong checksum.

      An interrupted download to NAME leaves two files in NAME's directory: the
      partial file xfer-….part, and NAME.xfer, which records the version of the
      resource. -C - resumes the download, or restarts it from the beginning if the
      resource has changed. The two files are left only if the response has a strong
      ETag, or a Last-Modified at least a minute old. After SIGKILL or a crash, they
      are left only if the resource has at least 1 MiB or an unknown size.

      Example: xfer get -C - https://example.com/map.zip

      """
    case .put:
      """
      xfer put [OPTION…] FILE… URL

      Uploads files with PUT, several at a time; - stands for standard input. If URL
      ends in a slash, each file's name is added. A status of 400 or above is a
      failure (exit code 22) unless --no-fail is given. Redirects are followed. Exit
      codes are curl's.

      Example: xfer put report.pdf photo.jpg https://example.com/uploads/

      """
    case .request:
      """
      xfer request [OPTION…] URL…

      Makes one request after another, with curl's options and defaults. A file
      appears at its destination only when it is complete. When several requests
      fail, the first failure sets the exit code. Exit codes are curl's.

      Example: xfer request -d name=value https://example.com/form

      """
    }
  }

  private static func lines(_ option: OptionSpec) -> String {
    let names =
      (option.short.map { "-\($0), " } ?? "    ") + "--\(option.long)" + (option.value.map { " \($0)" } ?? "")
      + (option.listsNegation ? ", --no-\(option.long)" : "")
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
