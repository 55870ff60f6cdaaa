import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of `xfer request` as used by people who know curl. Most options are covered by curl's own test cases.
struct RequestTests {
  @Test
  func `Requests contain the data and fields given by the options`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(body: "ok"))]) { bench in
      try Data("line one\r\nline two\n".utf8).write(to: URL(fileURLWithPath: bench.path("work/data")))
      try Data("X-From-File: 1\nX-Also: 2\n".utf8).write(to: URL(fileURLWithPath: bench.path("work/fields")))
      let run = try bench.request([
        "-d", "a=1", "--data-urlencode", "b=x y&z", "-d", "@data", "-H", "X-Own: yes", "-H", "X-Empty;", "-H", "@fields", "-A",
        "agent/1", "-e", "http://before.example/", bench.url("/form"), "--next", "-G", "-d", "q=1", "-r", "0-9",
        bench.url("/query?p=0"), "--next", "--json", "{\"a\":1}", bench.url("/json"), "--next", "-X", "PATCH", "-d", "x",
        bench.url("/patch"), "--next", "-I", bench.url("/head"),
      ])
      #expect(run.status == 0, "\(run.standardError)")
      let requests = bench.server.requests
      #expect(requests.map(\.method) == ["POST", "GET", "POST", "PATCH", "HEAD"])
      #expect(requests.map(\.target) == ["/form", "/query?p=0&q=1", "/json", "/patch", "/head"])
      let form = requests[0]
      #expect(form.headers["Content-Type"] == "application/x-www-form-urlencoded")
      #expect(form.requestBodyBytes == "a=1&b=x%20y%26z&line oneline two".utf8.count)
      #expect(["X-Own", "X-Empty", "X-From-File", "X-Also"].map { form.headers[$0] } == ["yes", "", "1", "2"])
      #expect(form.headers["User-Agent"] == "agent/1" && form.headers["Referer"] == "http://before.example/")
      #expect(requests[1].headers["Range"] == "bytes=0-9")
      #expect(requests[2].headers["Content-Type"] == "application/json" && requests[2].headers["Accept"] == "application/json")
    }
  }

  @Test
  func `A multipart form contains the parts with their names and types`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(body: "ok"))]) { bench in
      try Data("contents".utf8).write(to: URL(fileURLWithPath: bench.path("work/a.txt")))
      let run = try bench.request([
        "-F", "field=value", "-F", "file=@a.txt;type=text/plain;filename=b\"c.txt", "-F", "text=<a.txt", bench.url("/f"),
      ])
      #expect(run.status == 0, "\(run.standardError)")
      let request = try #require(bench.server.requests.first)
      let boundary = try #require(request.headers["Content-Type"]?.firstMatch(of: /boundary=(.*)/)?.1)
      let body = [
        "--\(boundary)", "Content-Disposition: form-data; name=\"field\"", "", "value", "--\(boundary)",
        "Content-Disposition: form-data; name=\"file\"; filename=\"b%22c.txt\"", "Content-Type: text/plain", "", "contents",
        "--\(boundary)", "Content-Disposition: form-data; name=\"text\"", "", "contents", "--\(boundary)--", "",
      ].joined(separator: "\r\n")
      #expect(request.requestBodyBytes == body.utf8.count)
      #expect(request.requestBodyCRC32 == CRC32(Array(body.utf8)).value)
    }
  }

  @Test
  func `Options come from a settings file, in curl's notations`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(body: "ok"))]) { bench in
      let settings = """
        # a remark
        url = "\(bench.url("/one"))"
        --header "X-Quoted: a \\"b\\"\\t."
        -H X-Short:1
        silent
        output: "out one"
        next
        url=\(bench.url("/two"))
        """
      try Data(settings.utf8).write(to: URL(fileURLWithPath: bench.path("work/settings")))
      let run = try bench.request(["-K", "settings"])
      #expect(run.status == 0, "\(run.standardError)")
      #expect(run.text == "ok")
      #expect(bench.files["out one"] == Array("ok".utf8))
      #expect(bench.server.requests.map(\.target) == ["/one", "/two"])
      #expect(bench.server.requests[0].headers["X-Quoted"] == "a \"b\"\t.")
      #expect(bench.server.requests[0].headers["X-Short"] == "1")
      let loop = try bench.request(["-K", "-"], input: Array("config = loop\n".utf8))
      #expect(loop.status == 26 && loop.standardError.contains("loop cannot be read"))
      try Data("config = self\n".utf8).write(to: URL(fileURLWithPath: bench.path("work/self")))
      #expect(try bench.request(["-K", "self"]).status == 2)
    }
  }

  static let misuses: [(arguments: [String], status: Int32, words: String)] = [
    ([], 2, "no URL given"),
    (["--nosuch", "u"], 2, "Unknown option '--nosuch'"),
    (["--compresed", "u"], 2, "Did you mean '--compressed'?"),
    (["-H"], 2, "option '-H' needs a value: LINE"),
    (["-H", "nonsense", "u"], 2, "the header field 'nonsense' has neither"),
    (["--compressed=yes", "u"], 2, "does not take a value"),
    (["-d", "a", "-T", "b", "u"], 2, "cannot be combined"),
    (["-d", "@missing", "u"], 26, "missing cannot be read"),
    (["-K", "/dev/null"], 2, "no URL given"),
    (["-d", "@.", "u"], 26, ". cannot be read: Is a directory"),
    (["-m", "soon", "u"], 2, "--max-time expects a number of seconds"),
    (["--max-filesize", "1X", "u"], 2, "--max-filesize expects a number of bytes"),
    (["-z", "no date at all", "u"], 2, "--time-cond expects a date"),
    (["http://h/{a", "-s"], 3, "unmatched {"),
    (["http://h/[5-1]"], 3, "[5-1] is not a range"),
    (["http://h/[1-99999999]"], 3, "more than 1000000 URLs"),
    (["--next", "u"], 2, "a URL is missing before --next"),
    (["-C", "x", "u"], 2, "--continue-at expects a number of bytes"),
    (["--checksum", "sha-256=0", "u"], 2, "Unknown option '--checksum'"),
  ]

  @Test(arguments: misuses.indices)
  func `Invalid usage is reported with curl's exit code, and nothing is transferred`(index: Int) async throws {
    let misuse = Self.misuses[index]
    try await Bench.run([]) { bench in
      let run = try bench.request(misuse.arguments)
      #expect(run.status == misuse.status)
      #expect(run.standardError.contains(misuse.words), "\(run.standardError)")
      #expect(!FileManager.default.fileExists(atPath: bench.log))
    }
  }

  @Test
  func `The values of a response are printed in the requested format`() async throws {
    let answer = ScriptedResponse(headers: ["Content-Type": "text/plain", "X-A": "1"], body: "12345")
    try await Bench.run([.init("/f", answer), .init("/r", ScriptedResponse(status: 302, redirect: "/f"))]) { bench in
      let format = "%{http_code} %{size_download} %{num_redirects} %{url_effective} %header{x-a} %{nothing}%%\\n%{stderr}err"
      let run = try bench.request(["-L", "-s", "-o", "f", "-w", format, bench.url("/r")])
      #expect(run.text == "200 5 1 \(bench.url("/f")) 1 %\n")
      #expect(run.standardError == "err")
      let json = try bench.request(["-o", "/dev/null", "-w", "%{json}", bench.url("/f")])
      let values = try #require(try JSONSerialization.jsonObject(with: Data(json.standardOutput)) as? [String: Any])
      #expect(values["http_code"] as? Int == 200 && values["content_type"] as? String == "text/plain")
      #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    }
  }

  @Test
  func `Credentials are sent only to the URL's own server`() async throws {
    try await Bench.run([.init("/f", ScriptedResponse(body: "there"))]) { other in
      try await Bench.run([.init("/*", ScriptedResponse(status: 302, redirect: other.url("/f")))]) { bench in
        let run = try bench.request([
          "-sL", "-u", "me:secret", "-b", "session=secret", "-H", "X-Api-Key: secret", bench.url("/a"),
        ])
        #expect(run.text == "there", "\(run.standardError)")
        let own = try #require(bench.server.requests.first).headers
        #expect(own["Authorization"] == "Basic bWU6c2VjcmV0" && own["Cookie"] == "session=secret" && own["X-Api-Key"] == "secret")
        let foreign = try #require(other.server.requests.first).headers
        #expect(["Authorization", "Cookie", "X-Api-Key"].allSatisfy { foreign[$0] == nil })
      }
    }
  }

  @Test
  func `A failed download keeps the existing file`() async throws {
    let cut = ScriptedResponse(body: .generated(size: 5000), cut: .init(.afterBodyBytes(100), .close))
    try await Bench.run([.init("/cut", cut)]) { bench in
      for arguments in [["-o", "f"], ["-i", "-o", "f"], ["-d", "x", "-o", "f"]] {
        try Data("before".utf8).write(to: URL(fileURLWithPath: bench.path("work/f")))
        let run = try bench.request(arguments + ["--remove-on-error", bench.url("/cut")])
        #expect(run.status == 18, "\(arguments)")
        #expect(bench.files == ["f": Array("before".utf8)], "\(arguments)")
      }
    }
  }

  @Test
  func `Devices and pipes are written to and not replaced`() async throws {
    try await Bench.run([.init("/f", .generated(1000))]) { bench in
      #expect(mkfifo(bench.path("work/pipe"), 0o600) == 0)
      let run = try ToolRun(
        "/bin/sh", ["-c", "\"$0\" request -s -o pipe \"$1\" & cat pipe; wait $!", "\(ToolRun.directory)/xfer", bench.url("/f")],
        environment: bench.environment, in: bench.path("work"))
      #expect(run.status == 0 && run.standardOutput == ScriptBody.bytes(seed: 1, size: 1000), "\(run.standardError)")
    }
  }

  @Test
  func `A directory is rejected as an input or output file`() async throws {
    try await Bench.run([.init("/*", .generated(10))]) { bench in
      let written = try bench.request(["-o", ".", bench.url("/f")])
      #expect(written.status == 23 && written.standardError.contains(". is a directory"), "\(written.standardError)")
      let read = try bench.request(["-T", ".", bench.url("/f")])
      #expect(read.status == 0, "a period means standard input, as in curl")
      #expect(try bench.request(["-T", "/", bench.url("/f")]).status == 26)
    }
  }

  @Test(arguments: ["get", "put", "request"])
  func `The help lists the options of its subcommand`(verb: String) throws {
    let run = try ToolRun("xfer", [verb, "--help"])
    #expect(run.status == 0 && run.standardError == "")
    #expect(run.text.contains("xfer \(verb) [OPTION…]"))
    for option in ["-m, --max-time SECONDS", "-k, --insecure", "-K, --config FILE"] { #expect(run.text.contains(option)) }
    #expect(run.text.contains("--checksum") == (verb == "get"))
    #expect(run.text.contains("-I, --head") == (verb == "request"))
  }
}
