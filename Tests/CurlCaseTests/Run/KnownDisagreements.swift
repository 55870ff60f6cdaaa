/// Cases whose outcome differs, with the reason for each; whatever else differs fails.
enum KnownDisagreements {
  static let xfer: [Int: String] = table([
    ("libcurl 7.88: keeps a cookie's date of expiry as far off as it is, and the path's last slash", [46, 61, 483, 1105, 1561]),
    ("libcurl 7.88: ends a field at its line, though it is folded", [798]),
    ("libcurl 7.88: takes what follows Content-Length below an unknown Transfer-Encoding in raw mode, as 8.23 still does", [319]),
    ("libcurl 7.88: has another code for a second response on a connection that is no HTTP/1", [1479]),
    ("sends the body with the first request; the case's server has its first answer for one without", [175]),
    ("does not print the page of an attempt that is made again", [197]),
    ("does not follow a redirect from https to http", [414]),
    ("never goes on with a file of which nothing says what version it is: fetches it anew", [1043]),
    ("does not forget a failure because the last transfer succeeded", [3223]),
  ])

  /// Of the curl that Debian 12 has, which is three years older than the cases. What could have been the server's doing
  /// was asked of libcurl 8.23 too, with another server.
  static let curl7_88: [Int: String] = table([
    ("keeps a cookie's date of expiry as far off as it is, and the path's last slash", [46, 61, 483, 1105, 1561]),
    ("keeps a cookie from a file although a response says that it has expired", [420]),
    ("ends a field at its line, though it is folded", [798]),
    ("takes what follows Content-Length below an unknown Transfer-Encoding in raw mode, as libcurl 8.23 still does", [319]),
    ("fails when the file of a saved ETag is not there", [341]),
    ("does not create directories for a saved ETag", [693]),
    ("dies of a signal when it cannot write the heads", [419]),
    ("compares --max-filesize with Content-Length only", [457]),
    ("does not know %{urle.scheme}", [474]),
    ("does not know %header{name:all:separator}", [764]),
    ("does not know %output{file}", [990, 991, 1721]),
    ("leaves fields out of %{header_json} below several of one name", [1671]),
    ("takes --continue-at together with --no-clobber or --remove-on-error", [481, 482]),
    ("does not read URLs from a file", [488, 2012]),
    ("fails when the URL gives no name to -O", [690, 691, 692, 1639, 1644]),
    ("sets no limit to the number of fields in a head", [747]),
    ("takes responses with two locations", [772]),
    ("takes a carriage return in the middle of a field", [2105]),
    ("has another code for a zero byte in a trailer", [2106]),
    ("has another code for a second response on a connection that is no HTTP/1", [1479]),
    ("has other codes for codings in a wrong order", [1495, 1546]),
    ("does not know --skip-existing", [994, 995, 996]),
    ("refuses --remote-header-name together with --include", [1460]),
    ("waits for the end of a redirect's body when nothing says that there is none", [1643]),
    ("takes ranges of globs that end at the greatest number", [2092]),
    ("does not know globs with names", [2409]),
  ])

  private static func table(_ reasons: [(reason: String, cases: [Int])]) -> [Int: String] {
    Dictionary(uniqueKeysWithValues: reasons.flatMap { reason, cases in cases.map { ($0, reason) } })
  }
}
