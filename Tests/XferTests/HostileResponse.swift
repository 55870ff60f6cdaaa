import LogTestSupport

/// A response generated from a seed: heads of any size, fields of arbitrary bytes, extreme numbers, and bodies that contradict
/// the declared length.
struct HostileResponse {
  private(set) var bytes: [UInt8] = []
  /// Whether the body is shorter than its head or chunks declare, so that a client must not treat it as complete.
  private(set) var isTruncated = false
  /// The number of body bytes. `nil` unless the head declares the number exactly once and correctly.
  private(set) var size: Int?

  private static let numbers = [
    "0", "1", "-1", "+5", " 5", "5 ", "05", "0x10", "1e9", "", "5,5", "5, 6", "9223372036854775806", "9223372036854775807",
    "9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999999999", "-9223372036854775808",
    "4294967296", "2147483648", "nan",
  ]

  private static let dates = [
    "Sat, 01 Jan 9999 00:00:00 GMT", "Fri, 31 Dec 99999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
    "Mon, 01 Jan 0001 00:00:00 GMT",
    "Sun, 06 Nov 2147483647 08:49:37 GMT", "Sun, 06 Nov 1601 08:49:37 GMT", "Tue, 99 Foo 2020", "-1",
  ]

  private static let ranges = [
    "bytes 0-9223372036854775806/9223372036854775807", "bytes 0-9223372036854775807/*", "bytes 9223372036854775807-0/1",
    "bytes */0",
    "bytes 0-0/18446744073709551616", "bytes -5/10", "items 0-1/2", "bytes 0-4/5",
  ]

  private static let numbered = [
    "Age", "Retry-After", "Upload-Offset", "Keep-Alive", "X-Number", "Max-Forwards", "Cache-Control: max-age", "Refresh",
  ]

  private static let dated = ["Date", "Last-Modified", "Expires", "Upload-Expires", "Retry-After", "Sunset"]

  private static let odd = [
    "Set-Cookie: a=b; Max-Age=99999999999999999999", "Set-Cookie: =;;;;expires=Sat, 01 Jan 9999 00:00:00 GMT", "no colon at all",
    ": no name", " folded", "WWW-Authenticate: Digest realm=\"", "WWW-Authenticate: Basic", "Alt-Svc: h2=\":99999\"; ma=1e99",
    "Content-Disposition: attachment; filename*0=a; filename*9999999999999999999=b", "ETag: \"\u{0}\"", "Link: <", "Trailer: X",
    "Strict-Transport-Security: max-age=99999999999999999999", "Content-Type: ;;;;", "Connection: close, close, ,",
    "X: \r embedded",
  ]

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    if Int.random(in: 0..<20, using: &random) == 0 {
      // Random bytes that are not HTTP.
      bytes = random.bytes(Int.random(in: 0...100_000, using: &random))
      return
    }
    for _ in 0..<(Self.chance(12, &random) ? Int.random(in: 1...3000, using: &random) : 0) {
      add("HTTP/1.1 \(Int.random(in: 100...199, using: &random)) Wait\r\nX: y\r\n\r\n")
    }
    let statuses = [
      "200", "200", "200", "200", "206", "304", "204", "301", "401", "404", "416", "429", "503", "000", "999", "1000", "-1",
      "2 0", "",
    ]
    let status = statuses.randomElement(using: &random)!
    let version = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "HTTP/2", "http/1.1"].randomElement(
      using: &random)!
    add("\(version) \(status) \(Self.chance(8, &random) ? String(repeating: "\u{FF}", count: 40_000) : "OK")\r\n")
    addFields(&random)
    addBody(status, version, &random)
    // Responses with status 204 or 304 have no body. Responses with version HTTP/2 or HTTP/9.9 are rejected.
    if ["204", "304"].contains(status) || version == "HTTP/2" || version == "HTTP/9.9" { (isTruncated, size) = (false, nil) }
  }

  private static func chance(_ one: Int, _ random: inout SeededRandom) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func add(_ text: String) { bytes += Array(text.utf8) }

  private mutating func addFields(_ random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      add("\(Self.numbered.randomElement(using: &random)!): \(Self.numbers.randomElement(using: &random)!)\r\n")
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      add("\(Self.dated.randomElement(using: &random)!): \(Self.dates.randomElement(using: &random)!)\r\n")
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) { add("\(Self.odd.randomElement(using: &random)!)\r\n") }
    if Self.chance(4, &random) { add("Content-Range: \(Self.ranges.randomElement(using: &random)!)\r\n") }
    if Self.chance(4, &random) { add("ETag: \"\(Self.numbers.randomElement(using: &random)!)\"\r\n") }
    if Self.chance(10, &random) { for number in 0..<Int.random(in: 1...6000, using: &random) { add("X-\(number): y\r\n") } }
    if Self.chance(8, &random) {
      // A value of only 0xFF bytes, from 1 byte to 1 MB in size, in one line or in lines of 64 KiB.
      var left = [1, 1000, 90_000, 180_000, 1_000_000].randomElement(using: &random)!
      let line = Bool.random(using: &random) ? left : 65_536
      while left > 0 {
        add("X-Value: ")
        bytes += [UInt8](repeating: 0xFF, count: min(left, line))
        add("\r\n")
        left -= line
      }
    }
    if Self.chance(12, &random) {
      add("X-Random: ")
      bytes += random.bytes(Int.random(in: 0...5000, using: &random)).filter { $0 != 10 && $0 != 13 }
      add("\r\n")
    }
  }

  private mutating func addBody(_ status: String, _ version: String, _ random: inout SeededRandom) {
    let body = random.bytes(Int.random(in: 0...(Self.chance(4, &random) ? 200_000 : 2000), using: &random))
    let isPlain = status == "200" && version == "HTTP/1.1"
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      add("Content-Length: \(body.count)\r\n\r\n")
      bytes += body
      if isPlain { size = body.count }
    case 1:
      let missing = Int.random(in: 1...1000, using: &random)
      add("Content-Length: \(body.count + missing)\r\n\r\n")
      bytes += body
      isTruncated = isPlain
    case 2:
      let length = Self.numbers.randomElement(using: &random)!
      add("Content-Length: \(length)\r\n\r\n")
      bytes += body
      isTruncated = isPlain && Int(length).map { $0 > body.count } ?? false
    case 3:
      add("Transfer-Encoding: chunked\r\nContent-Length: \(Self.numbers.randomElement(using: &random)!)\r\n\r\n")
      addChunks(body, &random)
    case 4:
      let codings = ["chunked", "chunked, chunked", "gzip, chunked", "identity", "chunked, gzip", "\u{FF}"]
      let coding = codings.randomElement(using: &random)!
      add("Transfer-Encoding: \(coding)\r\n\r\n")
      addChunks(body, &random)
      isTruncated = isTruncated && coding == "chunked"
    default:
      if Bool.random(using: &random) {
        add("Content-Encoding: \(["gzip", "br", "zstd", "deflate, gzip"].randomElement(using: &random)!)\r\n")
      }
      add("\r\n")
      bytes += body
    }
  }

  private mutating func addChunks(_ body: [UInt8], _ random: inout SeededRandom) {
    let sizes = [
      "7fffffffffffffff", "ffffffffffffffff", "10000000000000000", "-1", "g", "", "5;" + String(repeating: "e", count: 70_000),
    ]
    add("\(String(body.count, radix: 16))\r\n")
    bytes += body
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      add("\r\n\(sizes.randomElement(using: &random)!)\r\nabc")
    case 1: isTruncated = !body.isEmpty
    case 2:
      add("\r\n0\r\n")
      for number in 0..<Int.random(in: 0...8000, using: &random) { add("X-\(number): y\r\n") }
      add("\r\n")
    default: add("\r\n0\r\n\r\n")
    }
  }
}
