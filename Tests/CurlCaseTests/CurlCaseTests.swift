import Foundation
import LogTestSupport
import Testing

/// curl's own test cases, judged by what comes of them.
@Suite(.enabled(if: CaseFolder.given != nil, "XFERLOG_CURL_CASES names no folder of curl's test cases"), .serialized)
struct CurlCaseTests {
  /// Ports and paths that mean nothing, for reading alone.
  private static let variables = [
    "HOSTIP": "127.0.0.1", "HOST6IP": "[::1]", "HTTPPORT": "80", "HTTP6PORT": "86", "HTTPSPORT": "443", "LOGDIR": "log",
    "PWD": "/", "SRCDIR": ".", "VERSION": "8", "PERL": "perl", "RESOLVE": "resolve", "PROXYPORT": "47",
  ]

  @Test
  func `Every case can be read, asks for something and says what must come of it`() throws {
    let folder = try #require(CaseFolder.given)
    #expect(!folder.numbers.isEmpty)
    for number in folder.numbers {
      let curlCase = try folder.load(number, Self.variables)
      #expect(!curlCase.name.isEmpty && !curlCase.client.command.isEmpty, "\(number)")
      #expect(!curlCase.servers.isEmpty, "\(number)")
      let outcome = curlCase.expected
      #expect(
        outcome.exitCodes != [0] || outcome.received != nil || outcome.standardOutput != nil || !outcome.files.isEmpty
          // Whoever asks a server that has no reply does not succeed.
          || outcome.asksServer || curlCase.service.replies.isEmpty, "\(number) succeeds without a trace")
      #expect(!outcome.asksServer || !curlCase.service.replies.isEmpty || NotRun.reasons[number] != nil, "\(number)")
      let texts = curlCase.client.command + curlCase.client.files.map(\.path) + outcome.files.map(\.path)
      #expect(!texts.contains { $0.contains("%LOGDIR") || $0.contains("%HTTP") || $0.contains("%TESTNUMBER") }, "\(number)")
    }
  }

  @Test
  func `xfer does what curl's cases ask for, but for what is known`() throws {
    let suite = try CaseSuite(#require(CaseFolder.given), .xfer, notRun: NotRun.reasons)
    print("curl's cases with xfer: \(suite.summary(known: KnownDisagreements.xfer))")
    #expect(suite.disagreeing.filter { KnownDisagreements.xfer[$0] == nil } == [], "disagree, and the table does not say why")
    #expect(suite.agreeing.filter { KnownDisagreements.xfer[$0] != nil } == [], "agree by now, so the table need not know them")
    #expect(NotRun.reasons.count <= 20)
  }

  /// The server and the judge are themselves judged by the program that the cases were written for: once with its own
  /// command line, once with bodies only, as any other program is judged.
  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["XFERLOG_CURL_REFERENCE"] != nil, "XFERLOG_CURL_REFERENCE is not set"),
    arguments: [CaseProgram.Dialect.curl, .bodies(subcommand: nil)])
  func `curl does what its own cases ask for, but for what is younger than it`(dialect: CaseProgram.Dialect) throws {
    let suite = try CaseSuite(#require(CaseFolder.given), .curl(dialect), notRun: [:])
    let isKnown = try ToolRun("/usr/bin/curl", ["--version"]).text.hasPrefix("curl 7.88.1 ")
    let known = isKnown ? KnownDisagreements.curl7_88 : [:]
    print("curl's cases with curl: \(suite.summary(known: known))")
    #expect(suite.shareAgreeing >= 0.84)
    if isKnown {
      #expect(suite.disagreeing.filter { known[$0] == nil } == [])
      #expect(suite.agreeing.filter { known[$0] != nil } == [])
    }
  }
}
