/// The HTML of a report around its data.
///
/// The page needs no other file and no network. Its content security policy allows only the script and the style that the program
/// contains, by their hashes. The data is base64 of a zlib stream in an element that browsers do not execute.
///
/// A report in several files has the script, the style and the data beside the page, for servers that forbid inline scripts and styles.
package enum ReportPage {
  /// The beginning of every report, by which its data is found again.
  package static let signature = "<!DOCTYPE html>\n<!-- xferlog report 1 -->\n"
  /// The text before the data.
  package static let dataStart = "<script id=\"data\" type=\"application/x-xferlog-report\">"

  /// Writes the page up to the data.
  package static func begin(_ document: ReportDocument, in text: inout TextBuffer) {
    appendHead(document, script: "'sha256-\(scriptHash)'", style: "'sha256-\(styleHash)'", in: &text)
    text.append("<style>")
    text.append(style)
    text.append("</style>\n</head>\n<body>\n")
    appendSentence(document, in: &text)
    text.append("<noscript>\n")
    appendSummary(document, in: &text)
    text.append("</noscript>\n<main id=\"main\"></main>\n")
    text.append(dataStart)
  }

  private static func appendHead(_ document: ReportDocument, script: String, style: String, in text: inout TextBuffer) {
    text.append(signature)
    text.append(
      """
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src \(script); \
      style-src \(style); base-uri 'none'; form-action 'none'">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(HTMLText.escaped(document.title)) – xferlog report</title>

      """)
  }

  private static func appendSentence(_ document: ReportDocument, in text: inout TextBuffer) {
    text.append("<header id=\"header\"><h1 id=\"sentence\">\(HTMLText.escaped(document.sentence))</h1></header>\n")
  }

  /// Writes what the page shows without scripts.
  private static func appendSummary(_ document: ReportDocument, in text: inout TextBuffer) {
    text.append("<p>\(HTMLText.escaped(document.verdictLine))</p>\n<ul>\n")
    for line in document.lines { text.append("<li>\(HTMLText.escaped(line))</li>\n") }
    text.append(
      """
      </ul>
      <p>Timeline, tasks and events need scripts. <code>xferlog replay</code> reads this file, too.</p>

      """)
  }

  /// Writes the page after the data.
  package static func end(in text: inout TextBuffer) {
    text.append("</script>\n<script>")
    text.append(script)
    text.append("</script>\n</body>\n</html>\n")
  }

  // MARK: Several files

  /// The names of the files of a report in several files.
  package enum FileName {
    package static let page = "index.html"
    package static let style = "report.css"
    package static let script = "report.js"
    package static let data = "data.js"
  }

  /// The element of a page that loads the data from a file of its own.
  package static let dataReference = "<script src=\"\(FileName.data)\"></script>"
  /// The text before the data in a file of its own.
  package static let dataFileStart = "globalThis.xferlogReport = \""

  /// Writes the page of a report in several files.
  ///
  /// The script removes the summary, because a server's policy may forbid scripts to browsers that have them.
  package static func appendPage(_ document: ReportDocument, in text: inout TextBuffer) {
    // For some browsers, files from the disk are not from the same origin.
    appendHead(document, script: "'self' file:", style: "'self' file:", in: &text)
    text.append("<link rel=\"stylesheet\" href=\"\(FileName.style)\">\n</head>\n<body>\n")
    appendSentence(document, in: &text)
    text.append("<main id=\"main\">\n<section id=\"summary\">\n")
    appendSummary(document, in: &text)
    text.append("</section>\n</main>\n\(dataReference)\n<script src=\"\(FileName.script)\"></script>\n</body>\n</html>\n")
  }

  /// Writes the end of the data in a file of its own.
  package static func endDataFile(in text: inout TextBuffer) { text.append("\";\n") }

  /// The files of a report in several files that are the same for all logs.
  package static var sharedFiles: [(name: String, text: String)] {
    [(FileName.style, style + "\n"), (FileName.script, script + "\n")]
  }
}
