import XferEngine

// MARK: Request options
extension OptionTable {
  static let asking: [OptionSpec] = [
    .list("url", nil, "URL", \.current.urls, "A URL to transfer (@FILE for one per line, @- for standard input).").exposing(
      .url),
    .list(
      "input-file", "i", "FILE", \.current.inputFiles,
      "Read URLs from FILE, one per line (- for standard input). Indented lines out=, dir= and checksum= apply to the URL above."
    ).only(.get),
    .flag("globoff", "g", \.current.hasPlainURLs, "Treat {} and [] in URLs literally."),
    .text("request", "X", "METHOD", \.current.method, "Request method (default: derived from the other options).").only(
      .request, .put),
    .flag("head", "I", \.current.isHead, "Request only the headers (HEAD) and print them.").only(.request),
    .list(
      "header", "H", "LINE", \.current.fields,
      "Header field 'Name: value', 'Name;' for an empty value, 'Name:' to omit a default field (@FILE for one per line)."
    ).exposing(.secret),
    .data(
      "data", "d", "Send DATA as form data; several are joined with & (@FILE for a file without its line ends)."
    ) { .text($0) },
    .data("data-ascii", nil, "Same as --data.") { .text($0) },
    .data("data-raw", nil, "Like --data, but @ has no special meaning.") { .literal($0) },
    .data("data-binary", nil, "Like --data, but @FILE is sent unchanged.") { .binary($0) },
    .data(
      "data-urlencode", nil,
      "Like --data, but percent-encode VALUE or FILE (VALUE, =VALUE, NAME=VALUE, @FILE or NAME@FILE)."
    ) { .encoded($0) },
    OptionSpec.custom("json", nil, "DATA", "Send DATA as JSON and accept JSON (@FILE for a file).") {
      $0.current.data.append($1.text.hasPrefix("@") ? .binary($1.text) : .literal($1.text))
      $0.current.sendsJSON = true
    }.exposing(.secret).only(.request),
    .flag("get", "G", \.current.getsWithData, "Send the value of --data in the URL's query.").only(.request),
    .list(
      "form", "F", "NAME=VALUE", \.current.parts,
      "Add a part to a multipart form: NAME=VALUE, NAME=@FILE for a file, NAME=<FILE for its text (plus ;type= or ;filename=)."
    ).exposing(.secret).only(.request),
    .list("upload-file", "T", "FILE", \.current.uploads, "Upload FILE with PUT, one option per URL (- for standard input).").only(
      .request),
    .text("range", "r", "RANGES", \.current.range, "Request only these bytes (0-499, 500-, -500).").only(.get, .request),
    .text(
      "continue-at", "C", "OFFSET", \.current.resume,
      """
      With -, resume an interrupted download, or restart it if the resource has changed. With a number, skip that many bytes \
      (like - if the output file exists).
      """
    ).only(.get, .request),
    .text(
      "time-cond", "z", "TIME", \.current.timeCondition,
      "Transfer only if modified after TIME, which is a date or a file whose time is used (-TIME: not after)."
    ).only(.get, .request),
    .text("etag-compare", nil, "FILE", \.current.etagCompare, "Transfer only if the ETag differs from the one in FILE.").only(
      .get, .request),
    .flag(
      "trace-context", nil, \.current.session.sendsTraceContext,
      "Send a traceparent field with a new span to the URL's own server. $TRACEPARENT names the parent span."),
    .flag("compressed", nil, \.current.session.isCompressed, "Request compressed content and decompress it."),
    .flag(
      "tr-encoding", nil, \.current.session.acceptsTransferCodings, "Request compressed transfer encoding and decompress it."),
    .flag("raw", nil, \.current.session.isRaw, "Do not decode content or transfer encodings."),
    .flag(
      "ignore-content-length", nil, \.current.session.ignoresContentLength,
      "Ignore Content-Length and read until the connection ends."
    ),
    .seconds(
      "expect100-timeout", nil, \.current.session.continueTimeout, "Time to wait for '100 Continue', in seconds."
    ).only(.put, .request),
  ]

  static let identity: [OptionSpec] = [
    .text("user", "u", "USER:PASSWORD", \.current.user, "Credentials, sent only to the URL's own server.").exposing(.secret),
    .choice(
      "basic", nil, \.current.authentication, .basic, otherwise: .basic,
      "Use Basic authentication, without waiting for a challenge."),
    .choice("digest", nil, \.current.authentication, .digest, otherwise: .basic, "Use Digest authentication when challenged."),
    .choice(
      "anyauth", nil, \.current.authentication, .any, otherwise: .basic,
      "Use the most secure authentication that the server offers."),
    .text("user-agent", "A", "NAME", \.current.userAgent, "Value of the User-Agent field."),
    .text("referer", "e", "URL", \.current.referer, "Value of the Referer field (';auto' updates it on redirects).").exposing(
      .url),
    .list(
      "cookie", "b", "COOKIES", \.current.cookies,
      """
      Send cookies: 'NAME=VALUE; …', or a file with cookies. A file (even a missing one) also makes the command send received \
      cookies with its later requests.
      """
    )
    .exposing(.secret),
    .text("cookie-jar", "c", "FILE", \.current.cookieJar, "Write the cookies to FILE at the end (- for standard output)."),
    .flag(
      "junk-session-cookies", "j", \.current.session.dropsSessionCookies, "Ignore session cookies when reading cookie files."),
  ]
}

extension OptionSpec {
  fileprivate static func data(
    _ long: String, _ short: Character?, _ help: String,
    _ part: @escaping @Sendable (String) -> TransferSettings.DataPart
  ) -> OptionSpec {
    custom(long, short, "DATA", help) { $0.current.data.append(part($1.text)) }.exposing(.secret).only(.request)
  }
}
