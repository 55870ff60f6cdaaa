/// The HTML of a report around its data, or of a page that `xferlog serve` shows.
///
/// The page of a file needs no other file and no network. Its content security policy allows only the script and the style that the program
/// contains, by their hashes. The data is base64 of a zlib stream in an element that browsers do not execute.
///
/// A report in several files has the script, the style and the data beside the page, for servers that forbid inline scripts and styles.
package enum ReportPage {
  /// The beginning of every report, by which its data is found again.
  package static let signature = "<!DOCTYPE html>\n<!-- xferlog report 1 -->\n"
  /// The text before the data.
  package static let dataStart = "<script id=\"data\" type=\"application/x-xferlog-report\">"

  // MARK: One file

  /// Writes the page up to the data.
  package static func begin(_ document: ReportDocument, in text: inout TextBuffer) {
    text.append(signature)
    beginHead(title: document.title, policy: policy(script: inline(scriptHash), style: inline(styleHash)), in: &text)
    appendStyle(in: &text)
    text.append("</head>\n<body>\n")
    appendSentence(document.sentence, in: &text)
    text.append("<noscript>\n")
    appendSummary(document, in: &text)
    text.append(scriptRemark)
    text.append("</noscript>\n<main id=\"main\"></main>\n")
    text.append(dataStart)
  }

  /// Writes the page after the data.
  package static func end(in text: inout TextBuffer) {
    text.append("</script>\n<script>")
    text.append(script(modules, fileModule))
    text.append("</script>\n</body>\n</html>\n")
  }

  // MARK: Parts

  /// - Parameter policy: the content security policy; `nil` if the server sends it.
  private static func beginHead(title: String, policy: String?, in text: inout TextBuffer) {
    text.append("<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    if let policy { text.append("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n") }
    text.append(
      """
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(HTMLText.escaped(title)) – xferlog report</title>

      """)
  }

  /// Writes the head of a page that needs neither scripts nor other files.
  ///
  /// - Parameter style: rules that are added to those of all pages.
  static func beginStatic(title: String, style: String, in text: inout TextBuffer) {
    text.append("<!DOCTYPE html>\n")
    beginHead(
      title: title, policy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'", in: &text)
    text.append("<style>")
    text.append(Self.style)
    text.append("\n\(style)</style>\n</head>\n<body>\n")
  }

  private static func appendStyle(in text: inout TextBuffer) {
    text.append("<style>")
    text.append(style)
    text.append("</style>\n")
  }

  private static func appendSentence(_ sentence: String, in text: inout TextBuffer) {
    text.append("<header id=\"header\"><h1 id=\"sentence\">\(HTMLText.escaped(sentence))</h1></header>\n")
  }

  /// Writes what the page shows without scripts.
  private static func appendSummary(_ document: ReportDocument, in text: inout TextBuffer) {
    text.append("<p>\(HTMLText.escaped(document.verdictLine))</p>\n<ul>\n")
    for line in document.lines { text.append("<li>\(HTMLText.escaped(line))</li>\n") }
    text.append("</ul>\n")
  }

  private static let scriptRemark =
    "<p>Timeline, tasks and events need scripts. <code>xferlog replay</code> reads this file, too.</p>\n"

  private static func policy(script: String, style: String) -> String {
    "default-src 'none'; script-src \(script); style-src \(style); base-uri 'none'; form-action 'none'"
  }

  /// The source of an inline script or style in a policy.
  private static func inline(_ hash: String) -> String { "'sha256-\(hash)'" }

  /// Joins the modules of a page to one script, in a function of their own.
  package static func script(_ modules: String, _ start: String) -> String {
    "'use strict';\n(() => {\n\(modules)\n\(start)\n})();"
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
    text.append(signature)
    // For some browsers, files from the disk are not from the same origin.
    beginHead(title: document.title, policy: policy(script: "'self' file:", style: "'self' file:"), in: &text)
    text.append("<link rel=\"stylesheet\" href=\"\(FileName.style)\">\n</head>\n<body>\n")
    appendSentence(document.sentence, in: &text)
    text.append("<main id=\"main\">\n<section id=\"summary\">\n")
    appendSummary(document, in: &text)
    text.append(scriptRemark)
    text.append("</section>\n</main>\n\(dataReference)\n<script src=\"\(FileName.script)\"></script>\n</body>\n</html>\n")
  }

  /// Writes the end of the data in a file of its own.
  package static func endDataFile(in text: inout TextBuffer) { text.append("\";\n") }

  /// The files of a report in several files that are the same for all logs.
  package static var sharedFiles: [(name: String, text: String)] {
    [(FileName.style, style + "\n"), (FileName.script, script(modules, fileModule) + "\n")]
  }

  // MARK: The page of `xferlog serve`

  /// The content security policy of a served page: in addition to that of a file, the page may ask its own server for data, and no other
  /// page may frame it.
  package static var servedPolicy: String {
    policy(script: inline(liveScriptHash), style: inline(styleHash))
      + "; connect-src 'self'; img-src data:; frame-ancestors 'none'"
  }

  /// A text that differs for served pages with other code.
  package static var servedVersion: String { liveScriptHash }

  /// Writes a page that asks its server for the data.
  ///
  /// - Parameter document: the report that browsers without scripts show as text; `nil` if there is none yet.
  package static func appendServed(_ document: ReportDocument?, in text: inout TextBuffer) {
    text.append("<!DOCTYPE html>\n")
    beginHead(title: document?.title ?? "Waiting", policy: nil, in: &text)
    // Without this icon, browsers ask for one, and the policy makes that an error message.
    text.append("<link rel=\"icon\" href=\"data:,\">\n")
    appendStyle(in: &text)
    text.append("</head>\n<body data-page=\"\(servedVersion)\">\n")
    appendSentence(document?.sentence ?? "There is no report yet.", in: &text)
    text.append("<noscript>\n")
    if let document { appendSummary(document, in: &text) }
    text.append("<p>Timeline, tasks and events need scripts. Reload the page for a newer verdict.</p>\n</noscript>\n")
    text.append("<main id=\"main\"></main>\n<script>")
    text.append(script(modules, liveModule))
    text.append("</script>\n</body>\n</html>\n")
  }
}
