import Testing

/// Tests of comparing received with expected text.
struct CaseJudgeTests {
  private static func text(_ text: String) -> ReceivedText { ReceivedText(Array(text.utf8)) }

  static let bodies: [(shown: String, bodies: String)] = [
    ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", "body"),
    ("HTTP/1.1 302\r\n\r\nHTTP/1.0 200\nA: b\n\nbody", "body"),
    ("HTTP/1.1 200 OK\r\n\r\noneHTTP/1.1 200 OK\r\n\r\ntwo", "onetwo"),
    ("HTTP/1.1 200 OK\r\nHTTP/1.1 200 OK\r\nA: b\r\nA: b\r\n\r\n\r\nbody", "body"),
    ("HTTP/1.1 200 OK\r\n\r\n\r\nbody", "\r\nbody"),
    ("HTTP/1.1 200 OK\r\n", ""),
    ("a HTTP/ b", "a HTTP/ b"),
    ("HTTP/1.1 200 OK\r\nTrailer: x-y\r\n\r\nbody\nx-y: z\r\n\r\n", "body\n"),
    ("HTTP/1.1 200 OK\r\n\r\nx-y: z\r\n", "x-y: z\r\n"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\na: b\nx-y: z\r\nz: 1\r\n", "a: b\n"),
  ]

  @Test(arguments: bodies.indices)
  func `Heads and trailers are ignored when bodies are compared`(index: Int) {
    let (shown, bodies) = Self.bodies[index]
    #expect(Self.text(shown).bodies == Array(bodies.utf8))
    #expect(Self.text(shown).agrees(with: Self.text(bodies), .bodies))
    #expect(Self.text(shown).agrees(with: Self.text(bodies), .everyByte) == (shown == bodies))
    #expect(!Self.text(shown).agrees(with: Self.text(bodies + "x"), .bodies))
  }

  @Test
  func `Cookies are compared in any order, with expiry times within two minutes`() {
    let jar = Self.text("# made by one\nh\tTRUE\t/\tFALSE\t1000\ta\tb\n\n#HttpOnly_h\tTRUE\t/\tFALSE\t0\tc\td\n")
    func agrees(_ text: String) -> Bool { jar.agrees(with: Self.text(text), .cookieJar) }
    #expect(agrees("# made by another\n#HttpOnly_h\tTRUE\t/\tFALSE\t0\tc\td\nh\tTRUE\t/\tFALSE\t1100\ta\tb\n"))
    #expect(!agrees("#HttpOnly_h\tTRUE\t/\tFALSE\t0\tc\td\nh\tTRUE\t/\tFALSE\t2000\ta\tb\n"))
    #expect(!agrees("#HttpOnly_h\tTRUE\t/\tFALSE\t0\tc\td\nh\tTRUE\t/\tFALSE\t0\ta\tb\n"))
    #expect(!agrees("h\tTRUE\t/\tFALSE\t1000\ta\tb\n"))
  }
}
