/// The cases whose outcome is known to differ, with the reason for each. Any other difference fails the test.
enum KnownDisagreements {
  /// The known disagreements of xfer, by case number.
  static let xfer: [Int: String] = table([
    ("libcurl 7.88 does not limit a cookie's expiry date and keeps the trailing slash of its path", [46, 61, 483, 1105, 1561]),
    ("libcurl 7.88 does not join folded header lines", [798]),
    ("libcurl up to 8.23 reads beyond Content-Length after an unknown Transfer-Encoding in raw mode", [319]),
    ("libcurl 7.88 has another exit code for a second response that is not HTTP/1", [1479]),
    ("xfer sends the body with the first request, but the case's server expects that request without one", [175]),
    ("xfer does not follow a redirect from https to http", [414]),
    ("xfer does not resume a file without a known version, but downloads it again", [1043]),
    ("xfer reports a failed transfer even if the last transfer succeeded", [3223]),
  ])

  /// The known disagreements of curl 7.88, the version of Debian 12, which is three years older than the cases.
  ///
  /// Disagreements that the test server might have caused were also checked with libcurl 8.23 and another server.
  static let curl7_88: [Int: String] = table([
    ("does not limit a cookie's expiry date and keeps the trailing slash of its path", [46, 61, 483, 1105, 1561]),
    ("keeps a cookie from a file although a response expires it", [420]),
    ("does not join folded header lines", [798]),
    ("reads beyond Content-Length after an unknown Transfer-Encoding in raw mode, as libcurl 8.23 does", [319]),
    ("fails when the file with a saved ETag does not exist", [341]),
    ("does not create the directory for a saved ETag", [693]),
    ("is killed by a signal when it cannot write the heads", [419]),
    ("compares --max-filesize with Content-Length only", [457]),
    ("does not support %{urle.scheme}", [474]),
    ("does not support %header{name:all:separator}", [764]),
    ("does not support %output{file}", [990, 991, 1721]),
    ("omits fields from %{header_json} after duplicate names", [1671]),
    ("accepts --continue-at together with --no-clobber or --remove-on-error", [481, 482]),
    ("does not read URLs from a file", [488, 2012]),
    ("fails when -O finds no file name in the URL", [690, 691, 692, 1639, 1644]),
    ("does not limit the number of fields in a head", [747]),
    ("accepts responses with two Location fields", [772]),
    ("accepts a carriage return in the middle of a field", [2105]),
    ("has another exit code for a zero byte in a trailer", [2106]),
    ("has another exit code for a second response that is not HTTP/1", [1479]),
    ("has other exit codes for transfer codings in a wrong order", [1495, 1546]),
    ("does not support --skip-existing", [994, 995, 996]),
    ("rejects --remote-header-name together with --include", [1460]),
    ("waits for the end of a redirect's body when its length is not declared", [1643]),
    ("accepts glob ranges that end at the largest number", [2092]),
    ("does not support named globs", [2409]),
  ])

  private static func table(_ reasons: [(reason: String, cases: [Int])]) -> [Int: String] {
    Dictionary(uniqueKeysWithValues: reasons.flatMap { reason, cases in cases.map { ($0, reason) } })
  }
}
