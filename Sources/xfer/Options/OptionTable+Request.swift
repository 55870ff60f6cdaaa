import XferEngine

// What a request says.
extension OptionTable {
  static let asking: [OptionSpec] = [
    .list("url", nil, "URL", \.current.urls, "A URL, as if it stood alone; @FILE has one a line, @- standard input.").exposing(
      .url),
    .list(
      "input-file", "i", "FILE", \.current.inputFiles,
      "Also the URLs in FILE, one a line, - for standard input. Below a URL ' out=NAME', ' dir=DIRECTORY' and ' checksum=TYPE=HEX' as in aria2."
    ).only(.get),
    .flag("globoff", "g", \.current.hasPlainURLs, "Take {} and [] in URLs as they are."),
    .text("request", "X", "METHOD", \.current.method, "The method; else it follows from the rest.").only(.request, .put),
    .flag("head", "I", \.current.isHead, "Ask for the head only, and show it.").only(.request),
    .list(
      "header", "H", "LINE", \.current.fields,
      "A field 'Name: value'; 'Name;' without a value; 'Name:' leaves out one that would be sent; @FILE has one a line."
    ).exposing(.secret),
    .data("data", "d", "Send DATA as a form does, joined with &; @FILE without its line ends.") { .text($0) },
    .data("data-ascii", nil, "The same as --data.") { .text($0) },
    .data("data-raw", nil, "The same, but @ means nothing.") { .literal($0) },
    .data("data-binary", nil, "The same; @FILE as it is.") { .binary($0) },
    .data("data-urlencode", nil, "The same, percent-encoded: VALUE, =VALUE, NAME=VALUE, @FILE, NAME@FILE.") { .encoded($0) },
    OptionSpec.custom("json", nil, "DATA", "Send DATA as JSON, and ask for JSON; @FILE as it is.") {
      $0.current.data.append($1.text.hasPrefix("@") ? .binary($1.text) : .literal($1.text))
      $0.current.sendsJSON = true
    }.exposing(.secret).only(.request),
    .flag("get", "G", \.current.getsWithData, "Put the data into the URL's query.").only(.request),
    .list(
      "form", "F", "NAME=VALUE", \.current.parts,
      "A part of a multipart form; NAME=@FILE sends a file, NAME=<FILE its contents, ;type= and ;filename= describe it."
    ).exposing(.secret).only(.request),
    .list("upload-file", "T", "FILE", \.current.uploads, "Send FILE by PUT, - for standard input; one for each URL.").only(
      .request),
    .text("range", "r", "RANGES", \.current.range, "Ask for these bytes only: 0-499, 500-, -500.").only(.get, .request),
    .text(
      "continue-at", "C", "OFFSET", \.current.resume,
      "Go on with a download that was interrupted, - wherever it stopped: only if the resource is still the same."
    ).only(.get, .request),
    .text(
      "time-cond", "z", "TIME", \.current.timeCondition,
      "Only what is newer than TIME, or than the file of that name; -TIME for what is older."
    ).only(.get, .request),
    .text("etag-compare", nil, "FILE", \.current.etagCompare, "Only what has another ETag than FILE says.").only(.get, .request),
    .flag("compressed", nil, \.current.session.isCompressed, "Ask for content codings, and undo them."),
    .flag("tr-encoding", nil, \.current.session.acceptsTransferCodings, "Ask for transfer codings, and undo them."),
    .flag("raw", nil, \.current.session.isRaw, "Leave all codings as they are."),
    .flag(
      "ignore-content-length", nil, \.current.session.ignoresContentLength, "Take the end of the connection for that of the body."
    ),
    .seconds(
      "expect100-timeout", nil, \.current.session.continueTimeout, "How long a request with 'Expect: 100-continue' waits."
    ).only(.put, .request),
  ]

  static let identity: [OptionSpec] = [
    .text("user", "u", "USER:PASSWORD", \.current.user, "Who asks; sent to the URL's own server only.").exposing(.secret),
    .choice("basic", nil, \.current.authentication, .basic, otherwise: .basic, "Say it by Basic, unasked."),
    .choice("digest", nil, \.current.authentication, .digest, otherwise: .basic, "Say it by Digest, once asked."),
    .choice(
      "anyauth", nil, \.current.authentication, .any, otherwise: .basic, "Say it by the safest method that the server offers."),
    .text("user-agent", "A", "NAME", \.current.userAgent, "The program that asks."),
    .text("referer", "e", "URL", \.current.referer, "Where the URL was found; ';auto' follows redirects.").exposing(.url),
    .list("cookie", "b", "COOKIES", \.current.cookies, "Cookies 'NAME=VALUE; …', or a file of them; both begin to keep cookies.")
      .exposing(.secret),
    .text("cookie-jar", "c", "FILE", \.current.cookieJar, "Write the cookies to FILE in the end, - for standard output."),
    .flag(
      "junk-session-cookies", "j", \.current.session.dropsSessionCookies, "Take no cookies from files that end with a session."),
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
