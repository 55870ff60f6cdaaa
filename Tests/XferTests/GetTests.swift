import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of `xfer get`, run as a user would.
struct GetTests {
  @Test
  func `Files are downloaded under the names in their URLs, and the replay reports no findings`() async throws {
    let routes = (1...9).map { ServerScript.Route("/dir/f\($0).bin", .generated(70_000 * $0, seed: UInt64($0))) }
    try await Bench.run(routes) { bench in
      let run = try bench.get((1...9).map { bench.url("/dir/f\($0).bin?token=\($0)#part") })
      #expect(run.status == 0, "\(run.standardError)")
      #expect(run.text == "")
      #expect(run.standardError.hasPrefix("xfer: 9 files, 3 MiB in "))
      let expected = (1...9).map { ("f\($0).bin", ScriptBody.bytes(seed: UInt64($0), size: 70_000 * $0)) }
      #expect(bench.files == Dictionary(uniqueKeysWithValues: expected))
      let replay = try bench.replay()
      #expect(replay.verdict == "clean")
      #expect(replay.outcomes == ["succeeded": 9])
    }
  }

  /// The failures: a server response, the exit code of `curl --fail` for it, and a word of the error message.
  static let failures: [(name: String, response: ScriptedResponse, arguments: [String], code: Int32, word: String)] = [
    ("not found", .status(404), [], 22, "status 404"),
    ("server error", .status(500), [], 22, "status 500"),
    ("an empty answer", .raw(""), [], 52, "networkConnectionLost"),
    (
      "a body that is cut", ScriptedResponse(body: .generated(size: 9000), cut: .init(.midBody, .close)), [], 18,
      "networkConnectionLost"
    ),
    ("a reset", ScriptedResponse(body: .generated(size: 90_000), cut: .init(.midBody, .reset)), [], 56, "networkConnectionLost"),
    ("no HTTP", .raw("SSH-2.0-OpenSSH_9.2\r\n"), [], 1, "badServerResponse"),
    ("silence", .hang(.beforeStatus), ["--max-time", "0.2"], 28, "timedOut"),
    ("endless redirects", .redirect(to: "/f"), [], 47, "httpTooManyRedirects"),
    (
      "an unsolicited range",
      .raw(.text("HTTP/1.1 206 X\r\nContent-Range: bytes 0-3/10\r\nContent-Length: 4\r\n\r\nbody")), [], 8, "(206)"
    ),
    ("not changed, without a condition", .raw("HTTP/1.1 304 X\r\nETag: \"a\"\r\n\r\n"), [], 8, "304"),
  ]

  @Test(arguments: failures.indices)
  func `A failed transfer leaves no file and exits with curl's code`(index: Int) async throws {
    let failure = Self.failures[index]
    try await Bench.run([.init("/f", failure.response)]) { bench in
      let run = try bench.get([bench.url("/f")] + failure.arguments)
      #expect(run.status == failure.code, "\(failure.name): \(run.standardError)")
      #expect(run.remarks.first?.hasPrefix("xfer: (\(failure.code)) \(bench.url("/f")): ") == true)
      #expect(run.remarks.first?.contains(failure.word) == true, "\(run.standardError)")
      #expect(run.remarks.dropFirst().first == "xfer: to see the causes, run: xferlog replay \(bench.log)")
      #expect(bench.files == [:])
      let replay = try bench.replay()
      #expect(replay.outcomes == ["failed": 1])
      // The failure itself is not a finding, because the command reports it. The cause may be a finding.
      let why = [28: ["resource-timeout"], 47: ["redirect-loop"]][failure.code] ?? []
      #expect(replay.findings.map(\.rule) == why)
    }
  }

  @Test
  func `A request fails when the server sends an unsolicited 206 or 304`() async throws {
    let part = "HTTP/1.1 206 X\r\nContent-Range: bytes 0-3/10\r\nContent-Length: 4\r\n\r\nbody"
    let routes: [ServerScript.Route] = [.init("/206", .raw(.text(part))), .init("/304", .raw("HTTP/1.1 304 X\r\n\r\n"))]
    try await Bench.run(routes) { bench in
      for path in ["/206", "/304"] {
        let run = try bench.request(["-s", "-o", "f", bench.url(path)])
        #expect(run.status == 8 && bench.files == [:], "\(path): \(run.standardError)")
      }
      let run = try bench.request(["-s", "-o", "f", "-z", "Wed, 01 Jan 2020 00:00:00 GMT", bench.url("/304")])
      #expect(run.status == 0 && bench.files == [:], "\(run.standardError)")
      let asked = try bench.request(["-s", "-o", "f", "-r", "0-3", bench.url("/206")])
      #expect(asked.status == 0)
    }
  }

  @Test
  func `Chunked coding determines the end of a body despite Content-Length`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
    let routes: [ServerScript.Route] = [
      .init("/whole", .raw(.text(head + "4\r\nbody\r\n0\r\n\r\n"))), .init("/cut", .raw(.text(head + "4\r\nbo"))),
    ]
    try await Bench.run(routes) { bench in
      let (whole, cut) = (try bench.get(bench.url("/whole")), try bench.get(bench.url("/cut")))
      #expect(whole.status == 0 && cut.status == 18)
      #expect(bench.files == ["whole": Array("body".utf8)])
    }
  }

  @Test(arguments: ["\u{301}x", "a:/\u{301}/b", "/\u{301}", "://", "http:///\u{301}@", "\u{FEFF}"])
  func `A malformed URL ends the command with an error and not with a crash`(text: String) async throws {
    try await Bench.run([]) { bench in
      let run = try bench.get("--connect-timeout", "1", "-o", "f", text)
      #expect(1..<128 ~= run.status, "\(run.status): \(run.standardError)")
    }
  }

  @Test
  func `Unreachable hosts and unsupported URLs end with curl's exit codes`() async throws {
    try await Bench.run([]) { bench in
      let urls = ["http://127.0.0.1:1/f", "ftp://127.0.0.1/f", "http://exa mple/f", "http://host.invalid/f"]
      let codes = try urls.map { try bench.get($0, "--max-time", "20").status }
      #expect(codes == [7, 1, 3, 6])
      #expect(bench.files == [:])
    }
  }

  @Test
  func `The first failure sets the exit code, and the other transfers continue`() async throws {
    try await Bench.run([.init("/a", .generated(10)), .init("/cut", .raw("")), .init("/b", .generated(20))]) { bench in
      let run = try bench.get(bench.url("/a"), bench.url("/cut"), bench.url("/none"), bench.url("/b"))
      #expect(run.status == 52)
      #expect(run.standardError.contains("xfer: 2 files, ") && run.standardError.contains(", 2 failed"))
      #expect(bench.files.mapValues(\.count) == ["a": 10, "b": 20])
    }
  }

  @Test(arguments: [1, 3])
  func `The number of simultaneous transfers equals --parallel-max`(parallel: Int) async throws {
    let slow = ScriptedResponse(body: .generated(size: 2000), delay: .init(beforeStatus: .milliseconds(30)))
    try await Bench.run([.init("/*", slow)]) { bench in
      let run = try bench.get((1...9).map { bench.url("/f\($0)") } + ["--parallel-max", "\(parallel)"])
      #expect(run.status == 0 && bench.files.count == 9, "\(run.standardError)")
      let requests = bench.server.requests
      // Count the requests that were open at the start of each request.
      let most = requests.map { request in
        requests.count { $0.received <= request.received && request.received < $0.ended ?? .zero }
      }.max()
      #expect(most == parallel)
    }
  }

  @Test
  func `With --no-fail, an error page is saved, and the replay names its status but no fault`() async throws {
    try await Bench.run([.init("/f", ScriptedResponse(status: 404, body: "gone"))]) { bench in
      let run = try bench.get("--no-fail", bench.url("/f"))
      #expect(run.status == 0)
      #expect(bench.files == ["f": Array("gone".utf8)])
      let replay = try bench.replay()
      #expect(replay.findings.isEmpty && replay.verdict == "clean" && replay.outcomes == ["succeeded": 1])
      let text = try ToolRun("xferlog", ["replay", bench.log]).text
      #expect(text.contains("accepted: get/1: status 404, which the app accepts on purpose"), "\(text)")
    }
  }

  @Test
  func `Each URL has its own output, directories are created, and - is standard output`() async throws {
    try await Bench.run([.init("/a", .generated(10)), .init("/b/", .generated(20)), .init("/c", ScriptedResponse(body: "body"))])
    { bench in
      let run = try bench.get(
        "--output-dir", "new/deep", "-o", "first", "-o", bench.path("work/absolute"), "-o", "-", bench.url("/a"),
        bench.url("/b/"),
        bench.url("/c"), bench.url("/b/"))
      #expect(run.status == 0, "\(run.standardError)")
      #expect(run.text == "body")
      #expect(bench.files["absolute"]?.count == 20)
      let deep = try FileManager.default.contentsOfDirectory(atPath: bench.path("work/new/deep"))
      #expect(Set(deep) == ["first", "index.html"])
    }
  }

  @Test
  func `A list of URLs with names and directories is read from a file or standard input`() async throws {
    try await Bench.run([.init("/a", .generated(10)), .init("/b", .generated(20)), .init("/c", .generated(30))]) { bench in
      let list = """
        # what is wanted
        \(bench.url("/a"))
          out=first
          dir=sub

        \(bench.url("/b"))
        """
      let run = try bench.get("-i", "-", "-s", bench.url("/c"), input: Array(list.utf8))
      #expect(run.status == 0)
      #expect(run.standardError == "")
      #expect(bench.files.filter { $0.key != "sub" }.mapValues(\.count) == ["b": 20, "c": 30])
      #expect(FileManager.default.contents(atPath: bench.path("work/sub/first"))?.count == 10)
    }
  }

  @Test
  func `A name from a URL is decoded and never leaves its directory`() async throws {
    try await Bench.run([.init("/*", .generated(5))]) { bench in
      let run = try bench.get(["/d/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7.bin", "/d/..%2Fup", "/d/a%0Ab", "/d/%FF"].map(bench.url))
      #expect(run.status == 0, "\(run.standardError)")
      #expect(Set(bench.files.keys) == ["مرحبا.bin", "up", "a_b", "%FF"])
    }
  }

  @Test
  func `A replaced file keeps its permissions, and a new file has the default permissions`() async throws {
    try await Bench.run([.init("/old", .generated(5)), .init("/new", .generated(5))]) { bench in
      let old = bench.path("work/old")
      try Data("before".utf8).write(to: URL(fileURLWithPath: old))
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: old)
      let run = try bench.get(bench.url("/old"), bench.url("/new"))
      #expect(run.status == 0)
      #expect(bench.files["old"]?.count == 5)
      func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: bench.path("work/\(name)"))[.posixPermissions] as? Int
      }
      let mask = umask(0)
      umask(mask)
      let modes = try (mode("old"), mode("new"))
      #expect(modes == (0o640, Int(0o666 & ~mask)))
    }
  }

  @Test
  func `An output that cannot be written exits with curl's code 23`() async throws {
    try await Bench.run([.init("/f", .generated(5))]) { bench in
      try Data().write(to: URL(fileURLWithPath: bench.path("work/file")))
      let run = try bench.get("-o", "file/below", bench.url("/f"))
      #expect(run.status == 23)
      #expect(run.remarks.first?.contains("the directory file cannot be created") == true, "\(run.standardError)")
      try FileManager.default.createDirectory(atPath: bench.path("work/taken/x"), withIntermediateDirectories: true)
      let other = try bench.get("-o", "taken", bench.url("/f"))
      #expect(other.status == 23)
      #expect(Set(bench.files.keys) == ["file", "taken"], "no temporary file remains")
    }
  }

  static let misuses: [(arguments: [String], input: String?, words: String)] = [
    ([], nil, "no URL given"),
    (["--output", "a", "-o", "b", "u"], nil, "2 options -o or -O for 1 URL"),
    (["h/f", "h/g/f"], nil, "h/f and http://h/g/f would both be written to f"),
    (["--parallel-max", "0", "u"], nil, "--parallel-max expects a number from 1 to 1000, not '0'"),
    (["--max-time", "-1", "u"], nil, "--max-time expects a number of seconds"),
    (["--nonsense"], nil, "Unknown option '--nonsense'"),
    (["-i", "-"], " out=x\n", "- line 1: an option appears before the first URL"),
    (["-i", "-"], "u\n split=4\n", "- line 2: unknown option 'split=4'; expected out=NAME"),
    (["-i", "-"], "u\tv\n", "- line 1: several URLs"),
  ]

  @Test(arguments: misuses.indices)
  func `Invalid usage exits with 2, reports the error and transfers nothing`(index: Int) async throws {
    let misuse = Self.misuses[index]
    try await Bench.run([]) { bench in
      let run = try bench.get(misuse.arguments, input: misuse.input.map { Array($0.utf8) })
      #expect(run.status == 2)
      #expect(run.standardError.contains(misuse.words), "\(run.standardError)")
      #expect(!FileManager.default.fileExists(atPath: bench.log))
    }
  }

  @Test
  func `A missing list file exits with curl's code 26`() async throws {
    try await Bench.run([]) { bench in
      let run = try bench.get("-i", "missing.txt")
      #expect(run.status == 26)
      #expect(run.standardError.contains("missing.txt cannot be read"))
    }
  }
}
