import Foundation
import LogTestSupport
import Testing
import XferScript

/// `xfer get` as its users run it.
struct GetTests {
  @Test
  func `Files come whole under the names of their URLs, and the log tells of nothing wrong`() async throws {
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

  /// What the server does, the code that `curl --fail` ends with, and a word of the remark.
  static let failures: [(name: String, response: ScriptedResponse, arguments: [String], code: Int32, word: String)] = [
    ("not found", .status(404), [], 22, "answered 404"),
    ("its own error", .status(500), [], 22, "answered 500"),
    ("an empty answer", .raw(""), [], 52, "networkConnectionLost"),
    (
      "a body that is cut", ScriptedResponse(body: .generated(size: 9000), cut: .init(.midBody, .close)), [], 18,
      "networkConnectionLost"
    ),
    ("a reset", ScriptedResponse(body: .generated(size: 90_000), cut: .init(.midBody, .reset)), [], 56, "networkConnectionLost"),
    ("no HTTP", .raw("SSH-2.0-OpenSSH_9.2\r\n"), [], 1, "badServerResponse"),
    ("silence", .hang(.beforeStatus), ["--max-time", "0.2"], 28, "timedOut"),
    ("redirects for ever", .redirect(to: "/f"), [], 47, "httpTooManyRedirects"),
    (
      "a part that nobody asked for",
      .raw(.text("HTTP/1.1 206 X\r\nContent-Range: bytes 0-3/10\r\nContent-Length: 4\r\n\r\nbody")), [], 8, "a part (206)"
    ),
    ("not changed, without a condition", .raw("HTTP/1.1 304 X\r\nETag: \"a\"\r\n\r\n"), [], 8, "not changed (304)"),
  ]

  @Test(arguments: failures.indices)
  func `A transfer that fails leaves no file, and ends with curl's code`(index: Int) async throws {
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
      // That it failed is no finding: the command says so. Why may be one.
      let why = [28: ["resource-timeout"], 47: ["redirect-loop"]][failure.code] ?? []
      #expect(replay.findings.map(\.rule) == why)
    }
  }

  @Test
  func `A request for a file fails where the server answers what was not asked for`() async throws {
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
  func `Chunks decide where a body ends, whatever Content-Length says`() async throws {
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
  func `Whatever stands for a URL, the command ends with an error and no trap`(text: String) async throws {
    try await Bench.run([]) { bench in
      let run = try bench.get("--connect-timeout", "1", "-o", "f", text)
      #expect(1..<128 ~= run.status, "\(run.status): \(run.standardError)")
    }
  }

  @Test
  func `Where nothing listens and what cannot be asked for end with curl's codes`() async throws {
    try await Bench.run([]) { bench in
      let urls = ["http://127.0.0.1:1/f", "ftp://127.0.0.1/f", "http://exa mple/f", "http://host.invalid/f"]
      let codes = try urls.map { try bench.get($0, "--max-time", "20").status }
      #expect(codes == [7, 1, 3, 6])
      #expect(bench.files == [:])
    }
  }

  @Test
  func `Of several the first failure decides the code, and the others come nevertheless`() async throws {
    try await Bench.run([.init("/a", .generated(10)), .init("/cut", .raw("")), .init("/b", .generated(20))]) { bench in
      let run = try bench.get(bench.url("/a"), bench.url("/cut"), bench.url("/none"), bench.url("/b"))
      #expect(run.status == 52)
      #expect(run.standardError.contains("xfer: 2 files, ") && run.standardError.contains(", 2 failed"))
      #expect(bench.files.mapValues(\.count) == ["a": 10, "b": 20])
    }
  }

  @Test(arguments: [1, 3])
  func `As many transfers as --parallel-max says are under way at a time, and no more`(parallel: Int) async throws {
    let slow = ScriptedResponse(body: .generated(size: 2000), delay: .init(beforeStatus: .milliseconds(30)))
    try await Bench.run([.init("/*", slow)]) { bench in
      let run = try bench.get((1...9).map { bench.url("/f\($0)") } + ["--parallel-max", "\(parallel)"])
      #expect(run.status == 0 && bench.files.count == 9, "\(run.standardError)")
      let requests = bench.server.requests
      // Each request's beginning is a moment at which others may run.
      let most = requests.map { request in
        requests.count { $0.received <= request.received && request.received < $0.ended ?? .zero }
      }.max()
      #expect(most == parallel)
    }
  }

  @Test
  func `With --no-fail an error page is the file, which the replay calls by its name`() async throws {
    try await Bench.run([.init("/f", ScriptedResponse(status: 404, body: "gone"))]) { bench in
      let run = try bench.get("--no-fail", bench.url("/f"))
      #expect(run.status == 0)
      #expect(bench.files == ["f": Array("gone".utf8)])
      let replay = try bench.replay()
      #expect(replay.findings.map(\.rule) == ["http-error-as-success"])
    }
  }

  @Test
  func `Outputs are named one for each URL, directories are made, and - is standard output`() async throws {
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
  func `A list gives URLs with names and directories, also on standard input`() async throws {
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
  func `A file is replaced at once and keeps its permissions; a new one has the user's`() async throws {
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
  func `A place that cannot be written is curl's 23`() async throws {
    try await Bench.run([.init("/f", .generated(5))]) { bench in
      try Data().write(to: URL(fileURLWithPath: bench.path("work/file")))
      let run = try bench.get("-o", "file/below", bench.url("/f"))
      #expect(run.status == 23)
      #expect(run.remarks.first?.contains("the directory file cannot be made") == true, "\(run.standardError)")
      try FileManager.default.createDirectory(atPath: bench.path("work/taken/x"), withIntermediateDirectories: true)
      let other = try bench.get("-o", "taken", bench.url("/f"))
      #expect(other.status == 23)
      #expect(Set(bench.files.keys) == ["file", "taken"], "no temporary file is left")
    }
  }

  static let misuses: [(arguments: [String], input: String?, words: String)] = [
    ([], nil, "no URL given"),
    (["--output", "a", "-o", "b", "u"], nil, "2 options -o or -O for 1 URL"),
    (["h/f", "h/g/f"], nil, "h/f and http://h/g/f would both be written to f"),
    (["--parallel-max", "0", "u"], nil, "--parallel-max takes a number from 1 to 1000, not '0'"),
    (["--max-time", "-1", "u"], nil, "--max-time takes a number of seconds"),
    (["--nonsense"], nil, "Unknown option '--nonsense'"),
    (["-i", "-"], " out=x\n", "- line 1: an option appears before the first URL"),
    (["-i", "-"], "u\n split=4\n", "- line 2: 'split=4' is none of out=NAME"),
    (["-i", "-"], "u\tv\n", "- line 1: several addresses"),
  ]

  @Test(arguments: misuses.indices)
  func `Wrong usage ends with 2, says what is wrong, and transfers nothing`(index: Int) async throws {
    let misuse = Self.misuses[index]
    try await Bench.run([]) { bench in
      let run = try bench.get(misuse.arguments, input: misuse.input.map { Array($0.utf8) })
      #expect(run.status == 2)
      #expect(run.standardError.contains(misuse.words), "\(run.standardError)")
      #expect(!FileManager.default.fileExists(atPath: bench.log))
    }
  }

  @Test
  func `A list that is not there is curl's 26`() async throws {
    try await Bench.run([]) { bench in
      let run = try bench.get("-i", "missing.txt")
      #expect(run.status == 26)
      #expect(run.standardError.contains("missing.txt cannot be read"))
    }
  }
}
