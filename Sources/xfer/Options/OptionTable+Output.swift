import XferEngine

// MARK: Output options
extension OptionTable {
  static let output: [OptionSpec] = [
    .custom(
      "output", "o", "FILE",
      "Write to FILE, one option per URL (- for standard output). #1 stands for the value of the URL's first {} or []."
    ) { $0.current.outputs.append(.path($1.text)) },
    OptionSpec.custom("remote-name", "O", nil, "Write to a file named after the URL.") {
      if $1.isOn { $0.current.outputs.append(.remoteName) }
    }.only(.request),
    .flag("remote-name-all", nil, \.current.namesAllRemotely, "Apply --remote-name to every URL.").only(.request),
    .flag(
      "remote-header-name", "J", \.current.takesServerName, "Use the file name sent by the server, without overwriting a file."),
    .text("output-dir", nil, "DIRECTORY", \.current.outputDirectory, "Write files with relative names to this directory."),
    .flag("create-dirs", nil, \.current.createsDirectories, "Create missing directories of output files (default for xfer get)."),
    .flag("remote-time", "R", \.current.takesServerTime, "Set the file's time to the server's Last-Modified."),
    .flag("no-clobber", nil, \.current.keepsExisting, "Do not overwrite files; write NAME.1, NAME.2 and so on."),
    .flag("skip-existing", nil, \.current.skipsExisting, "Skip transfers whose output file exists."),
    OptionSpec.custom(
      "no-sync", nil, nil,
      "Do not sync files to disk before reporting success. Saves about 0.3 ms per file, but a power cut may lose reported files."
    ) { $0.run.synchronises = !$1.isOn }.only(.get, .request),
    .flag(
      "remove-on-error", nil, \.current.removesOnError,
      "Delete the output of a failed transfer, including the partial file that could be resumed."),
    .list(
      "checksum", nil, "TYPE=HEX", \.current.checksums,
      "Verify the file's checksum, one option per URL (sha-256, sha-512, sha-1 or md5)."
    ).only(.get),
    .flag("include", "i", \.current.includesHead, "Print the response headers before the body.").only(.request),
    .flag("show-headers", nil, \.current.includesHead, "Same as --include.").only(.request),
    .text("dump-header", "D", "FILE", \.current.headFile, "Write the response headers to FILE (- for standard output)."),
    .text("etag-save", nil, "FILE", \.current.etagSave, "Save the response's ETag to FILE.").only(.get, .request),
    .text(
      "write-out", "w", "FORMAT", \.current.writeOut,
      "Print FORMAT after each transfer, such as %{http_code} or %{json} (@FILE to read it)."),
  ]

  static let ending: [OptionSpec] = [
    OptionSpec.choice(
      "fail", "f", \.current.onStatus, .fail, otherwise: .accept,
      "Treat a status of 400 or above as a failure (exit code 22) and discard the error page."
    ).only(.request),
    OptionSpec.choice(
      "fail", "f", \.current.onStatus, .fail, otherwise: .accept,
      """
      Treat a status of 400 or above as a failure (exit code 22) and discard the error page (default). With --no-fail, handle \
      such a response like any other.
      """
    ).only(.get, .put).listingNegation(),
    .choice(
      "fail-with-body", nil, \.current.onStatus, .failWithBody, otherwise: .accept, "Like --fail, but keep the error page."),
    .flag("location", "L", \.current.followsRedirects, "Follow redirects."),
    .number(
      "max-redirs", "COUNT", \.current.session.maxRedirects, -1...Int.max, "Maximum number of redirects (-1 for unlimited)."),
    .keepingMethod(301), .keepingMethod(302), .keepingMethod(303),
    .seconds("max-time", "m", \.current.session.maxTime, "Maximum time of a transfer, in seconds (decimals allowed)."),
    .seconds("connect-timeout", nil, \.current.session.connectTimeout, "Maximum time to connect, in seconds."),
    .seconds("speed-time", "y", \.current.session.silence, "Maximum time without data, in seconds."),
    .bytes("max-filesize", \.current.session.maxFileSize, "Maximum size of a response body."),
    .number("retry", "COUNT", \.current.session.retries, 0...Int.max, "Maximum number of retries after a transient failure."),
    .seconds(
      "retry-delay", nil, \.current.session.retryDelay,
      "Fixed delay between retries, in seconds (default: a delay that doubles each time)."),
    .seconds(
      "retry-max-time", nil, \.current.session.retryMaxTime,
      "Begin no retry later than this time after the start of the transfer, in seconds."),
    .flag("retry-connrefused", nil, \.current.session.retriesRefused, "Also retry refused connections."),
    .flag(
      "retry-all-errors", nil, \.current.session.retriesAllErrors,
      "Retry every failure, even if the server may process a request twice."),
  ]
}

extension OptionSpec {
  fileprivate static func keepingMethod(_ status: Int) -> OptionSpec {
    custom("post\(status)", nil, nil, "Keep the method and body after a \(status) redirect.") { settings, argument in
      if argument.isOn {
        settings.current.session.statusesKeepingMethod.insert(status)
      } else {
        settings.current.session.statusesKeepingMethod.remove(status)
      }
    }.only(.put, .request)
  }
}
