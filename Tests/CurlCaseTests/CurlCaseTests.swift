import Foundation
import LogTestSupport
import Testing

/// Runs curl's own test cases and judges them by their outcome.
@Suite(.enabled(if: CaseFolder.given != nil, "Set XFERLOG_CURL_CASES to the folder with curl's test cases"), .serialized)
struct CurlCaseTests {
  /// Placeholder ports and paths, for tests that only read cases.
  private static let variables = [
    "HOSTIP": "127.0.0.1", "HOST6IP": "[::1]", "HTTPPORT": "80", "HTTP6PORT": "86", "HTTPSPORT": "443", "LOGDIR": "log",
    "PWD": "/", "SRCDIR": ".", "VERSION": "8", "PERL": "perl", "RESOLVE": "resolve", "PROXYPORT": "47",
  ]

  @Test
  func `Every case can be read and has a command, a server and an expected outcome`() throws {
    let folder = try #require(CaseFolder.given)
    #expect(!folder.numbers.isEmpty)
    for number in folder.numbers {
      let curlCase = try folder.load(number, Self.variables)
      #expect(!curlCase.name.isEmpty && !curlCase.client.command.isEmpty, "\(number)")
      #expect(!curlCase.servers.isEmpty, "\(number)")
      let outcome = curlCase.expected
      #expect(
        outcome.exitCodes != [0] || outcome.received != nil || outcome.standardOutput != nil || !outcome.files.isEmpty
          // A request to a server without a reply fails.
          || outcome.asksServer || curlCase.service.replies.isEmpty, "case \(number) has nothing to check")
      #expect(!outcome.asksServer || !curlCase.service.replies.isEmpty || NotRun.reasons[number] != nil, "\(number)")
      let texts = curlCase.client.command + curlCase.client.files.map(\.path) + outcome.files.map(\.path)
      #expect(!texts.contains { $0.contains("%LOGDIR") || $0.contains("%HTTP") || $0.contains("%TESTNUMBER") }, "\(number)")
    }
  }

  @Test
  func `xfer passes curl's cases, except for known disagreements`() throws {
    let suite = try CaseSuite(#require(CaseFolder.given), .xfer, notRun: NotRun.reasons)
    print("curl's cases with xfer: \(suite.summary(known: KnownDisagreements.xfer))")
    #expect(suite.disagreeing.filter { KnownDisagreements.xfer[$0] == nil } == [], "add these to KnownDisagreements.xfer")
    #expect(suite.agreeing.filter { KnownDisagreements.xfer[$0] != nil } == [], "remove these from KnownDisagreements.xfer")
    #expect(NotRun.reasons.count <= 20)
  }

  /// Checks the server and the judge themselves, with the program for which the cases were written: once with curl's own
  /// command line, and once with bodies only, as other programs are judged.
  @Test(
    .enabled(if: testVariable("XFERLOG_CURL_REFERENCE") != nil, "XFERLOG_CURL_REFERENCE is not set"),
    arguments: [CaseProgram.Dialect.curl, .bodies(subcommand: nil)])
  func `curl passes its own cases, except for those that need a newer version`(dialect: CaseProgram.Dialect) throws {
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
