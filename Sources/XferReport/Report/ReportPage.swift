/// The HTML of a report around its data.
///
/// The page needs no other file and no network. Its content security policy allows only the script and the style that the program
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
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-\(scriptHash)'; \
      style-src 'sha256-\(styleHash)'; base-uri 'none'; form-action 'none'">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(HTMLText.escaped(document.title)) – xferlog report</title>
      <style>
      """)
    text.append(style)
    text.append(
      """
      </style>
      </head>
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

  /// Writes the page after the data.
  package static func end(in text: inout TextBuffer) {
    text.append("</script>\n<script>")
    text.append(script)
    text.append("</script>\n</body>\n</html>\n")
  }
}
