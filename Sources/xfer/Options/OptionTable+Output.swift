import XferEngine

// What becomes of what arrives.
extension OptionTable {
  static let output: [OptionSpec] = [
    .custom(
      "output", "o", "FILE", "Where to write: one for each URL, - for standard output; #1 is what the first {} or [] stood for."
    ) { $0.current.outputs.append(.path($1.text)) },
    OptionSpec.custom("remote-name", "O", nil, "Write to a file that is named after the URL.") {
      if $1.isOn { $0.current.outputs.append(.remoteName) }
    }.only(.request),
    .flag("remote-name-all", nil, \.current.namesAllRemotely, "The same for every URL.").only(.request),
    .flag("remote-header-name", "J", \.current.takesServerName, "Name the file as the server says; never over another file."),
    .text("output-dir", nil, "DIRECTORY", \.current.outputDirectory, "Where relative names begin."),
    .flag("create-dirs", nil, \.current.createsDirectories, "Make directories that are not there."),
    .flag("remote-time", "R", \.current.takesServerTime, "Give the file the server's time."),
    .flag("no-clobber", nil, \.current.keepsExisting, "Write over no file: NAME.1 and so on instead."),
    .flag("skip-existing", nil, \.current.skipsExisting, "Leave out what would go to a file that is there."),
    OptionSpec.custom(
      "no-sync", nil, nil,
      "Do not wait until files are on the disk (which costs about 0.3 ms for each file, more on slow disks): a power cut may empty what was reported."
    ) { $0.run.synchronises = !$1.isOn }.only(.get, .request),
    .flag("remove-on-error", nil, \.current.removesOnError, "Keep nothing of a transfer that failed, not even to go on with."),
    .list(
      "checksum", nil, "TYPE=HEX", \.current.checksums, "What the file must be: sha-256, sha-512, sha-1 or md5; one for each URL."
    ).only(.get),
    .flag("include", "i", \.current.includesHead, "Show the head before the body.").only(.request),
    .flag("show-headers", nil, \.current.includesHead, "The same as --include.").only(.request),
    .text("dump-header", "D", "FILE", \.current.headFile, "Write the heads to FILE, - for standard output."),
    .text("etag-save", nil, "FILE", \.current.etagSave, "Write the ETag to FILE.").only(.get, .request),
    .text(
      "write-out", "w", "FORMAT", \.current.writeOut, "Say this of each transfer: %{http_code}, %{json} and so on; @FILE has it."),
  ]

  static let ending: [OptionSpec] = [
    .choice(
      "fail", "f", \.current.onStatus, .fail, otherwise: .accept,
      "Take a status of 400 and above for a failure (22), without its page."),
    .choice("fail-with-body", nil, \.current.onStatus, .failWithBody, otherwise: .accept, "The same, with its page."),
    .flag("location", "L", \.current.followsRedirects, "Follow redirects."),
    .number("max-redirs", "COUNT", \.current.session.maxRedirects, -1...Int.max, "How many redirects, -1 for any number."),
    .keepingMethod(301), .keepingMethod(302), .keepingMethod(303),
    .seconds("max-time", "m", \.current.session.maxTime, "How long a transfer may take, decimals allowed."),
    .seconds("connect-timeout", nil, \.current.session.connectTimeout, "How long making a connection may take."),
    .seconds("speed-time", "y", \.current.session.silence, "How long the other end may be silent."),
    .bytes("max-filesize", \.current.session.maxFileSize, "The largest body that is taken."),
    .number("retry", "COUNT", \.current.session.retries, 0...Int.max, "Try again what may pass, so many times."),
    .seconds("retry-delay", nil, \.current.session.retryDelay, "Always wait so long, instead of twice as long each time."),
    .seconds("retry-max-time", nil, \.current.session.retryMaxTime, "No new try after this time."),
    .flag("retry-connrefused", nil, \.current.session.retriesRefused, "A refused connection may pass, too."),
    .flag("retry-all-errors", nil, \.current.session.retriesAllErrors, "Any method may happen twice."),
  ]
}

extension OptionSpec {
  fileprivate static func keepingMethod(_ status: Int) -> OptionSpec {
    custom("post\(status)", nil, nil, "Keep method and body after a redirect with \(status).") { settings, argument in
      if argument.isOn {
        settings.current.session.statusesKeepingMethod.insert(status)
      } else {
        settings.current.session.statusesKeepingMethod.remove(status)
      }
    }.only(.put, .request)
  }
}
