/// The HTML of a report around its data, or of a page that `xferlog serve` shows.
///
/// The page of a file needs no other file and no network. Its content security policy allows only the script and the style that the program
/// contains, by their hashes. The data is base64 of a zlib stream in an element that browsers do not execute.
package enum ReportPage {
  /// The beginning of every report, by which its data is found again.
  package static let signature = "<!DOCTYPE html>\n<!-- xferlog report 1 -->\n"
  /// The text before the data.
  package static let dataStart = "<script id=\"data\" type=\"application/x-xferlog-report\">"

  /// Writes the page up to the data.
  package static func begin(_ document: ReportDocument, in text: inout TextBuffer) {
    text.append(signature)
    text.append(
      """
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">

      """)
    appendHead(title: document.title, in: &text)
    text.append(
      """
      <body>
      <header id="header"><h1 id="sentence">\(HTMLText.escaped(document.sentence))</h1></header>
      <noscript>
      <p>\(HTMLText.escaped(document.verdictLine))</p>
      <ul>

      """)
    for line in document.lines { text.append("<li>\(HTMLText.escaped(line))</li>\n") }
    text.append(
      """
      </ul>
      <p>Timeline, tasks and events need scripts. <code>xferlog replay</code> reads this file, too.</p>
      </noscript>
      <main id="main"></main>

      """)
    text.append(dataStart)
  }

  /// Writes the rest of the head, which is the same for all pages.
  private static func appendHead(title: String, in text: inout TextBuffer) {
    text.append(
      """
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(HTMLText.escaped(title)) – xferlog report</title>
      <style>
      """)
    text.append(style)
    text.append("</style>\n</head>\n")
  }

  /// The content security policy of a file.
  private static var policy: String { policy(script: scriptHash) }

  private static func policy(script: String) -> String {
    "default-src 'none'; script-src 'sha256-\(script)'; style-src 'sha256-\(styleHash)'; base-uri 'none'; form-action 'none'"
  }

  /// Joins the modules of a page to one script, in a function of their own.
  package static func script(_ modules: String, _ start: String) -> String {
    "'use strict';\n(() => {\n\(modules)\n\(start)\n})();"
  }

  /// Writes the page after the data.
  package static func end(in text: inout TextBuffer) {
    text.append("</script>\n<script>")
    text.append(script(modules, fileModule))
    text.append("</script>\n</body>\n</html>\n")
  }

  // MARK: The page of `xferlog serve`

  /// The content security policy of a served page: in addition to that of a file, the page may ask its own server for data, and no other
  /// page may frame it.
  package static var servedPolicy: String {
    "\(policy(script: liveScriptHash)); connect-src 'self'; img-src data:; frame-ancestors 'none'"
  }

  /// A text that differs for served pages with other code.
  package static var servedVersion: String { liveScriptHash }

  /// Writes a page that asks its server for the data.
  ///
  /// - Parameter document: the report that browsers without scripts show as text; `nil` if there is none yet.
  package static func appendServed(_ document: ReportDocument?, in text: inout TextBuffer) {
    text.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    // Without this icon, browsers ask for one, and the policy makes that an error message.
    text.append("<link rel=\"icon\" href=\"data:,\">\n")
    appendHead(title: document?.title ?? "Waiting", in: &text)
    let sentence = document?.sentence ?? "There is no report yet."
    text.append(
      """
      <body data-page="\(servedVersion)">
      <header id="header"><h1 id="sentence">\(HTMLText.escaped(sentence))</h1></header>
      <noscript>

      """)
    if let document {
      text.append("<p>\(HTMLText.escaped(document.verdictLine))</p>\n<ul>\n")
      for line in document.lines { text.append("<li>\(HTMLText.escaped(line))</li>\n") }
      text.append("</ul>\n")
    }
    text.append("<p>Timeline, tasks and events need scripts. Reload the page for a newer verdict.</p>\n</noscript>\n")
    text.append("<main id=\"main\"></main>\n<script>")
    text.append(script(modules, liveModule))
    text.append("</script>\n</body>\n</html>\n")
  }
}
