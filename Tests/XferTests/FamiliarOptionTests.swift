import LogTestSupport
import Testing
import XferScript

/// Tests of options that people know from curl, wget and aria2.
struct FamiliarOptionTests {
  /// The arguments before or after the URL, and the file with the body, or `-` for standard output.
  static let accepted: [(before: [String], after: [String], file: String)] = [
    (["-O"], [], "f"), (["-LO"], [], "f"), (["-fsSLO"], [], "f"), ([], ["-O"], "f"), (["-Z"], [], "f"),
    (["--parallel"], [], "f"), (["--parallel", "3"], [], "f"), (["--parallel=3"], [], "f"), (["-Z", "3"], [], "f"),
    (["-j", "3"], [], "f"), (["-j3"], [], "f"), (["--max-concurrent-downloads=3"], [], "f"), (["-P", "sub"], [], "sub/f"),
    (["-Psub"], [], "sub/f"), (["--directory-prefix=sub"], [], "sub/f"), (["--output-document", "g"], [], "g"),
    (["--continue"], [], "f"), (["-O", "-"], [], "-"), (["-qO-"], [], "-"),
  ]

  @Test(arguments: accepted.indices)
  func `An option of another program is accepted where it has one meaning`(index: Int) async throws {
    let (before, after, file) = Self.accepted[index]
    try await Bench.run([.init("/f", ScriptedResponse(body: "body"))]) { bench in
      let run = try bench.get(before + [bench.url("/f")] + after)
      #expect(run.status == 0, "\(before): \(run.standardError)")
      #expect(bench.server.requests.count == 1)
      #expect(run.text == (file == "-" ? "body" : ""))
      if file != "-" { #expect(try ToolRun("/bin/cat", [bench.path("work/\(file)")]).text == "body", "\(before)") }
    }
  }

  @Test(arguments: [["-q"], ["--quiet"]])
  func `A quiet download prints no summary`(arguments: [String]) async throws {
    try await Bench.run([.init("/f", ScriptedResponse(body: "body"))]) { bench in
      let run = try bench.get(arguments + [bench.url("/f")])
      #expect(run.status == 0 && run.standardError == "", "\(run.standardError)")
      // In curl, -q is about a settings file.
      #expect(try bench.request(["-q", bench.url("/f")]).text == "body")
    }
  }

  @Test(arguments: [["--parallel", "1"], ["-j", "1"]])
  func `A number after an option for parallel transfers is their limit and no URL`(arguments: [String]) async throws {
    let slow = ScriptedResponse(body: .generated(size: 2000), delay: .init(beforeStatus: .milliseconds(30)))
    try await Bench.run([.init("/*", slow)]) { bench in
      let run = try bench.get(arguments + (1...4).map { bench.url("/f\($0)") })
      #expect(run.status == 0 && bench.files.count == 4, "\(run.standardError)")
      let requests = bench.server.requests
      let most = requests.map { request in
        requests.count { $0.received <= request.received && request.received < $0.ended ?? .zero }
      }.max()
      #expect(most == 1)
    }
  }

  @Test(arguments: ["--limit-rate", "--max-filesize"])
  func `A limit of zero bytes means no limit, as in curl`(option: String) async throws {
    try await Bench.run([.init("/f", ScriptedResponse(body: .generated(size: 64 << 20)))]) { bench in
      let run = try bench.get(option, "0", bench.url("/f"), "--max-time", "30")
      #expect(run.status == 0, "\(run.standardError)")
    }
  }

  @Test
  func `An option with two meanings is rejected with a suggestion`() async throws {
    try await Bench.run([]) { bench in
      let run = try bench.get("-O", "map.zip", "127.0.0.1/f")
      #expect(run.status == 2)
      #expect(run.standardError.contains("'-O map.zip' is ambiguous") && run.standardError.contains("use -o map.zip"))
    }
  }

  @Test(arguments: ["get", "put"])
  func `The help lists --no-fail where failing is the default`(verb: String) throws {
    let help = try ToolRun("xfer", [verb, "--help"]).text
    #expect(help.contains("-f, --fail, --no-fail\n"))
    let other = try ToolRun("xfer", ["request", "--help"]).text
    #expect(!other.contains("--no-fail"))
  }

  @Test
  func `Advice about TLS fits its cause`() async throws {
    try await Bench.run([.init("/f", ScriptedResponse(body: "body"))]) { bench in
      let plain = bench.url("/f")
      let secure = "https" + plain.dropFirst(4)
      let spoken = try bench.get(secure)
      #expect(spoken.status == 35)
      #expect(spoken.standardError.contains("does not seem to speak TLS on this port"), "\(spoken.standardError)")
      let missing = try bench.get("--cacert", "/nope", secure)
      #expect(missing.status == 77)
      #expect(
        missing.standardError.contains("Check that the file with the certificate authorities exists"), "\(missing.standardError)")
      #expect(!missing.standardError.contains("Install"))
    }
  }
}
