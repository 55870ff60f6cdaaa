/// What a file that is no log looks like, for the message that refuses it.
package enum FileKind {
  /// Returns a noun phrase with an article, for example `a CSV table`.
  ///
  /// - Parameter head: the first bytes of the file.
  package static func describe(_ head: [UInt8]) -> String {
    if head.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return head.isEmpty ? "an empty file" : "blank text" }
    if let kind = head.withUnsafeBytes(binary) { return kind }
    let text = String(decoding: head, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" } }
      .filter { !$0.isEmpty }
    guard let first = lines.first else { return "blank text" }
    // The last line may be cut off.
    let whole = lines.count > 1 && head.count >= ImportCandidate.headSize ? lines.dropLast() : lines[...]
    if let program = program(whole) { return program }
    if !startsWithTime(first), let table = table(whole) { return table }
    return log(whole) ?? markup(first, text) ?? table(whole) ?? source(first, whole) ?? "plain text"
  }

  /// Whether a text is the source code of a program, or a change of it.
  static func isCode(_ head: [UInt8]) -> Bool { ["source code", "a script", "a patch"].contains(describe(head)) }

  // MARK: Kinds

  private static let signatures: [(StaticString, String)] = [
    ("\u{1F}", "compressed data (gzip)"), ("PK\u{03}\u{04}", "a ZIP archive"), ("%PDF-", "a PDF document"),
    ("SQLite format 3", "an SQLite database"), ("\u{7F}ELF", "a program"), ("BZh", "compressed data (bzip2)"),
    ("bplist00", "a binary property list"), ("GIF8", "an image"), ("{\\rtf", "a rich-text document"),
  ]

  private static func binary(_ head: UnsafeRawBufferPointer) -> String? {
    for (signature, kind) in signatures where head.hasPrefix(signature) { return kind }
    if head.count > 4, head[0] == 0x89 || head[0] == 0xFF && head[1] == 0xD8 { return "an image" }
    if head.count > 2, head[0] == 0xFF && head[1] == 0xFE || head[0] == 0xFE && head[1] == 0xFF { return "text in UTF-16" }
    if head.count > 4, head[0] == 0xCF || head[0] == 0xCA, head[1] == 0xFA || head[1] == 0xFE { return "a program" }
    let controls = head.count { $0 < 0x09 || $0 > 0x0D && $0 < 0x20 && $0 != 0x1B }
    return controls * 20 > head.count ? "binary data" : nil
  }

  private static func markup(_ first: Substring, _ text: String) -> String? {
    let lower = first.prefix(64).lowercased()
    if lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html") { return "an HTML page" }
    if lower.hasPrefix("<?xml") || lower.hasPrefix("<") && text.contains("</") { return "an XML document" }
    if first.hasPrefix("{") && first.contains("\"") || first == "{" {
      let isLines = text.split(whereSeparator: \.isNewline).prefix(2).allSatisfy { $0.hasPrefix("{\"") && $0.hasSuffix("}") }
      return isLines && text.contains("\n{")
        ? "JSON objects of another kind, one on each line" : "a JSON document of another kind"
    }
    if first.hasPrefix("[")
      && (first == "[" || first.contains("{") || first.dropFirst().first.map { "\"0123456789[".contains($0) } == true)
    {
      return "a JSON document of another kind"
    }
    if first.hasPrefix("diff --git ") || first.hasPrefix("--- ") && text.contains("\n+++ ") { return "a patch" }
    return isMail(first, text) ? "an e-mail" : nil
  }

  private static let mailFields: Set<Substring> = [
    "from", "to", "subject", "date", "message-id", "received", "return-path", "delivered-to", "mime-version", "reply-to", "cc",
  ]

  /// Whether a text begins like an e-mail: with the line of a mailbox or of a server, or with at least three of the usual fields.
  private static func isMail(_ first: Substring, _ text: String) -> Bool {
    if first.hasPrefix("From ") || first.hasPrefix("Received: ") || first.hasPrefix("Return-Path: ") { return true }
    let fields = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix { !$0.isEmpty }
      .compactMap { line in line.firstIndex(of: ":").map { line[..<$0].lowercased() } }
    return fields.count { mailFields.contains(Substring($0)) } >= 3
  }

  /// The parts of lines by which the texts of some programs are recognised.
  private static let programs: [(kind: String, marks: [String])] = [
    ("the output of wget", ["HTTP request sent, awaiting response", "DEBUG output created by Wget"]),
    ("the output of aria2", ["] CUID#", "Download Results:", "Status Legend:"]),
    ("a crash report", ["Incident Identifier:", "Exception Type:  EXC_", "Termination Reason: "]),
  ]

  private static func program(_ lines: ArraySlice<Substring>) -> String? {
    programs.first { program in lines.contains { line in program.marks.contains { line.contains($0) } } }?.kind
  }

  private static func log(_ lines: ArraySlice<Substring>) -> String? {
    func most(_ has: (Substring) -> Bool) -> Bool { lines.count(where: has) * 2 > lines.count }
    if most({
      $0.contains(" - ") && $0.contains("[") && ($0.contains("\"GET ") || $0.contains("\"POST ") || $0.contains(" HTTP/"))
    }) {
      return "a web server's access log"
    }
    if lines.contains(where: { $0.contains(" --> ") && startsWithTime($0) }) { return "subtitles" }
    if most({ $0.first != "{" && startsWithTime($0) }) { return "a log of another program" }
    return nil
  }

  /// Whether a line begins with a date or a time, possibly behind a level or a bracket.
  private static func startsWithTime(_ line: Substring) -> Bool {
    let begin = line.prefix(48)
    let shapes = begin.map { $0.isASCII && $0.isNumber ? "9" : $0 }
    let text = String(shapes)
    return text.contains("99:99:99") || text.hasPrefix("9999-99-99") || text.hasPrefix("[9999-99-99")
  }

  private static func table(_ lines: ArraySlice<Substring>) -> String? {
    for (separator, kind) in [(Character(","), "a CSV table"), ("\t", "a table of tab-separated values"), (";", "a CSV table")] {
      let counts = lines.prefix(20).map { line in line.count { $0 == separator } }
      guard counts.count > 1, let first = counts.first, first > 0, counts.allSatisfy({ $0 == first }) else { continue }
      // The comma of prose has a space or the end of the line behind it.
      let isProse = lines.prefix(20).allSatisfy { $0.hasSuffix(String(separator)) || $0.contains("\(separator) ") }
      if first == 1, isProse { continue }
      let isCode = lines.prefix(20).contains { $0.hasSuffix("{") || $0.hasSuffix(";") }
      if !isCode { return kind }
    }
    return nil
  }

  private static let statements = [
    "import ", "package ", "#include", "#import", "@implementation", "@interface", "- (", "using ", "func ", "class ", "struct ",
    "def ", "public ", "private ", "let ", "var ",
    "const ",
    "fn ", "use ", "namespace ", "extension ", "enum ", "void ", "int ", "module ",
  ]

  private static func source(_ first: Substring, _ lines: ArraySlice<Substring>) -> String? {
    if first.hasPrefix("#!") { return "a script" }
    let code = lines.count { line in
      statements.contains { line.hasPrefix($0) } || line.hasSuffix("{") && !line.hasSuffix("UserInfo={") || line.hasSuffix(";")
        || line.hasPrefix("}")
        || line.hasPrefix("//")
    }
    if code * 3 > lines.count { return "source code" }
    if lines.contains(where: { $0.hasPrefix("# ") || $0.hasPrefix("## ") || $0.hasPrefix("```") }) { return "Markdown text" }
    if first.hasPrefix("["), first.hasSuffix("]") { return "a configuration file" }
    let keys = lines.count { line in
      guard let end = line.firstIndex(where: { $0 == ":" || $0 == "=" }), end > line.startIndex else { return false }
      return line[..<end].allSatisfy { $0.isLetter || $0.isNumber || "_-. ".contains($0) } && line[..<end].count < 40
    }
    // A single line with a colon is rather a message.
    return lines.count > 1 && keys * 3 > lines.count * 2 ? "a configuration file" : nil
  }
}
