import Testing

/// Tests of parsing curl's case format.
struct CaseFormatTests {
  static let macros: [(source: String, text: String)] = [
    ("%HOSTIP:%HTTPPORT/%TESTNUMBER0002", "127.0.0.1:80/70002"),
    ("a%CR\n", "a\r\n"),
    ("%LTb%GT %AMP c%TABd%SP", "<b> & c\td "),
    ("a%20b%2Fc 100%", "a%20b%2Fc 100%"),
    ("%repeat[3 x ab]%c", "abababc"),
    ("%repeat[2 x %0a]%", "\n\n"),
    ("%hex[%41b%43]hex%", "AbC"),
    ("%b64[%HOSTIP:%00]b64%", "MTI3LjAuMC4xOgA="),
    ("%days[1]", "87000"),
    ("a\n%EMPTY\nb\n", "a\nb\n"),
    ("%if libz\na\n%else\nb\n%endif\nc\n", "a\nc\n"),
    ("%if !libz\na\n%else\nb\n%endif\n", "b\n"),
    ("%if none\n%if libz\na\n%endif\n%else\nb\n%endif\n", "b\n"),
    ("%if libz\n%if none\na\n%else\nb\n%endif\n%endif\n", "b\n"),
  ]

  private static func expand(_ source: String) throws -> String {
    let variables = ["HOSTIP": "127.0.0.1", "HTTPPORT": "80", "TESTNUMBER": "7"]
    let macros = CaseMacros(variables: variables, features: ["libz"], now: 599)
    return String(decoding: try macros.expand(Array(source.utf8)), as: UTF8.self)
  }

  @Test(arguments: macros.indices)
  func `A macro is replaced by its value`(index: Int) throws {
    #expect(try Self.expand(Self.macros[index].source) == Self.macros[index].text)
  }

  @Test(arguments: ["%if a\n", "%else\n", "%endif\n", "%repeat[x]%", "%days[soon]"])
  func `A malformed or unclosed macro is an error`(source: String) {
    #expect(throws: CaseProblem.self) { try Self.expand(source) }
  }

  @Test
  func `Bytes that are not valid UTF-8 are unchanged by macro expansion`() throws {
    let bytes: [UInt8] = [0xFF, 0xFE, 37, 0xC3]
    #expect(try CaseMacros(variables: [:]).expand(bytes) == bytes)
  }

  private static func document(_ text: String) throws -> CaseDocument { try CaseDocument(Array(text.utf8)) }

  @Test
  func `A part contains its lines after its attributes were applied`() throws {
    let document = try Self.document(
      """
      <testcase>
      # a comment
      <reply>
      <data>
      <p>
      </p>
      </data>
      <data1 crlf="headers" nonewline="yes">
      HTTP/1.1 200 OK
      A: b

      c d
      e
      </data1>
      <data2 crlf="yes">
      a
      </data2>
      <data3 hex="yes">
      4 1
      42
      </data3>
      </reply>
      </testcase>
      """)
    let contents = document.parts("reply", "data").map { String(decoding: $0.contents, as: UTF8.self) }
    #expect(contents == ["<p>\n</p>\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nc d\ne", "a\r\n", "AB"])
  }

  @Test(arguments: ["<reply>\n<data>\n</reply>\n", "<reply>\n", "</reply>\n", "<reply>\n</verify>\n"])
  func `A document with unclosed or mismatched tags is an error`(text: String) {
    #expect(throws: CaseProblem.self) { try Self.document(text) }
  }

  static let lines: [(line: String, words: [String])] = [
    (" a  b\nc ", ["a", "b", "c"]), ("-d \"a b\"'c d'e", ["-d", "a bc de"]), ("\"\" ''", ["", ""]),
    (#""a\"b\n\\" 'a\b' a\ b"#, [#"a"b\n\"#, #"a\b"#, "a b"]), ("[1-2]{a,b} é", ["[1-2]{a,b}", "é"]),
  ]

  @Test(arguments: lines.indices)
  func `A command line is split as in a shell`(index: Int) throws {
    #expect(try ShellWords.split(Self.lines[index].line) == Self.lines[index].words)
  }

  @Test(arguments: ["'a", "\"a", "a\\", "\"a\\"])
  func `An unclosed quote is an error`(line: String) {
    #expect(throws: CaseProblem.self) { try ShellWords.split(line) }
  }

  @Test
  func `A case is parsed into service, client and expected outcome`() throws {
    let curlCase = try CurlCase(
      number: 7,
      Self.document(
        """
        <testcase>
        <reply>
        <data nocheck="yes">
        x
        </data>
        <servercmd>
        writedelay: 10
        skip: 5
        auth_required
        </servercmd>
        <postcmd>
        wait 2
        </postcmd>
        </reply>
        <client>
        <name>
        A name
        </name>
        <setenv>
        # why
        a=b=c
        d
        </setenv>
        <file name="log/in">
        1
        </file>
        <file2 name="log/in2" nonewline="yes">
        2
        </file2>
        <command option="no-output,no-include">
        -d a
        url
        </command>
        </client>
        <verify>
        <errorcode>
        1,2
        </errorcode>
        <stripfile1>
        s/port (\\d+)/port N/
        </stripfile1>
        <file1 name="log/out" mode="text">
        port N
        </file1>
        <notexists>
        log/other
        </notexists>
        </verify>
        </testcase>
        """))
    #expect(curlCase.name == "A name")
    var orders = ServerOrders()
    (orders.writeDelay, orders.skippedBodyBytes, orders.requiresAuthorization) = (.milliseconds(10), 5, true)
    #expect(curlCase.service.orders == orders)
    #expect(curlCase.service.pauseAfterReply == .seconds(2))
    #expect(curlCase.client.command == ["-d", "a", "url"])
    #expect(curlCase.client.manner == ["no-output", "no-include"])
    #expect(curlCase.client.files.map(\.contents) == [Array("1\n".utf8), Array("2".utf8)])
    #expect(curlCase.client.environment.map(\.name) == ["a", "d"])
    #expect(curlCase.client.environment.map(\.value) == ["b=c", nil])
    #expect(curlCase.expected.exitCodes == [1, 2])
    #expect(curlCase.expected.received == nil)
    #expect(curlCase.expected.absentPaths == ["log/other"])
    let contents = try #require(curlCase.expected.files.first?.contents)
    #expect(contents.isText)
    #expect(contents.substitutions.map { $0.apply(to: Array("port 80, port 81\n".utf8)) } == [Array("port N, port 81\n".utf8)])
  }

  @Test(arguments: ["rtp: part 1 channel 0 size 9", "skip:", "upgrade"])
  func `An unsupported server command is an error`(line: String) {
    #expect(throws: CaseProblem.self) { try ServerOrders([line]) }
  }
}
