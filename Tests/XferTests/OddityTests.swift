import Foundation
import LogTestSupport
import Testing
import XferScript

/// Odd responses of servers and odd arguments of users, which `xfer` treats as curl does.
struct OddityTests {
  @Test(arguments: ["", " ", " \t "])
  func `A blank Location ends a redirect chain with the response that has it`(blank: String) async throws {
    let last = "HTTP/1.1 302 Found\r\nLocation:\(blank)\r\nContent-Length: 4\r\n\r\nlast"
    let routes = [
      ServerScript.Route("/first", ScriptedResponse(status: 302, redirect: "/last")),
      .init("/last", ScriptedResponse(raw: .text(last))),
    ]
    try await Bench.run(routes) { bench in
      let run = try bench.request(["-L", "-w", " %{http_code}", bench.url("/first")])
      #expect(run.status == 0 && run.text == "last 302", "\(run.text) \(run.standardError)")
      #expect(bench.server.requests.map(\.target) == ["/first", "/last"])
    }
  }

  @Test
  func `A Content-Length beyond 64 bits is read to the end, or fails with 63 under a size limit`() async throws {
    let huge = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\nConnection: close\r\n\r\nabcdef"
    let unclear = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999, 99999999999999999999998\r\n\r\nabcdef"
    let routes = [
      ServerScript.Route("/huge", ScriptedResponse(raw: .text(huge))), .init("/unclear", ScriptedResponse(raw: .text(unclear))),
    ]
    try await Bench.run(routes) { bench in
      let run = try bench.request([bench.url("/huge")])
      #expect(run.status == 0 && run.text == "abcdef", "\(run.standardError)")
      let limited = try bench.request(["--max-filesize", "100", bench.url("/huge")])
      #expect(limited.status == 63 && limited.text.isEmpty, "\(limited.standardError)")
      #expect(try bench.get(bench.url("/huge")).status == 0)
      #expect(bench.files["huge"] == Array("abcdef".utf8))
      #expect(try bench.request([bench.url("/unclear")]).status == 8)
    }
  }

  @Test
  func `A chunked upload over HTTP/1.0 fails with 25 before anything is sent`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(body: "ok"))]) { bench in
      let run = try bench.request(["-0", "-T", "-", bench.url("/up")], input: Array("data".utf8))
      #expect(run.status == 25 && run.text.isEmpty)
      #expect(run.standardError.contains("HTTP/1.0 needs the length of the body"), "\(run.standardError)")
      #expect(bench.server.requests.isEmpty)
    }
  }

  @Test
  func `A failure of one URL of a glob does not end the others`() async throws {
    let routes = [ServerScript.Route("/a", .status(404)), .init("/b", ScriptedResponse(body: "b"))]
    try await Bench.run(routes) { bench in
      let run = try bench.request(["-f", bench.url("/{a,b}")])
      #expect(run.status == 22 && run.text == "b", "\(run.standardError)")
    }
  }

  @Test(arguments: [[], ["--fail-with-body"]])
  func `Standard output gets the body of every attempt, and a file that of the last one`(options: [String]) async throws {
    func busy(_ body: String) -> ScriptedResponse {
      ScriptedResponse(status: 503, headers: ["Retry-After": "0"], body: .text(body))
    }
    let routes = [
      ServerScript.Route("/out", [busy("one "), busy("two "), ScriptedResponse(body: "three")]),
      .init("/file", [busy("one "), busy("two "), ScriptedResponse(body: "three")]),
      .init("/failed", [busy("one "), busy("two "), busy("three")]),
      .init("/quiet", [busy("one "), ScriptedResponse(body: "two")]),
    ]
    try await Bench.run(routes) { bench in
      let options = options + ["--retry", "2", "--retry-delay", "1"]
      #expect(try bench.request(options + [bench.url("/out")]).text == "one two three")
      #expect(try bench.request(options + ["-o", "file", bench.url("/file")]).status == 0)
      #expect(bench.files["file"] == Array("three".utf8))
      let failed = try bench.request(options + [bench.url("/failed")])
      #expect(failed.text == "one two three" && failed.status == (options.contains("--fail-with-body") ? 22 : 0))
      #expect(try bench.request(["--retry", "1", "--retry-delay", "1", "-f", bench.url("/quiet")]).text == "two")
    }
  }

  @Test(arguments: [#"attachment; filename="odd.txt"#, #"attachment; filename=odd.txt""#, #"attachment; filename='odd.txt"#])
  func `A name with uneven quotes is a name`(disposition: String) async throws {
    let answer = ScriptedResponse(headers: ["Content-Disposition": disposition], body: "x")
    try await Bench.run([.init("/f", answer)]) { bench in
      let run = try bench.request(["-O", "-J", bench.url("/f")])
      #expect(run.status == 0, "\(run.standardError)")
      #expect(
        Set(bench.files.keys).isSubset(of: ["odd.txt", "'odd.txt", "odd.txt\""]) && bench.files.count == 1, "\(bench.files)")
    }
  }

  @Test
  func `Fields may have blanks around their names, come from files and remove default fields`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(body: "ok"))]) { bench in
      try Data("X-A: 1\r\n\r\n   \r\nX-Empty ;\r\nAccept:\r\n".utf8).write(to: URL(fileURLWithPath: bench.path("work/fields")))
      let run = try bench.request(["-H", "@fields", "-H", "X-B ;", "-H", " X-C;  ", "-H", "X-D : 4", bench.url("/f")])
      #expect(run.status == 0, "\(run.standardError)")
      let fields = try #require(bench.server.requests.first).headers
      #expect(["X-A", "X-Empty", "X-B", "X-C", "X-D"].map { fields[$0] } == ["1", "", "", "", "4"])
      #expect(fields["Accept"] == nil)
      let standardInput = try bench.request(["-H", "@-", bench.url("/g")], input: Array("X-In: 1\nUser-Agent:\n".utf8))
      #expect(standardInput.status == 0, "\(standardInput.standardError)")
      #expect(bench.server.requests.last?.headers["X-In"] == "1" && bench.server.requests.last?.headers["User-Agent"] == nil)
    }
  }

  @Test
  func `A URL may have one slash after its scheme, and another URL in its query`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(body: "ok"))]) { bench in
      let place = bench.url("/f").dropFirst("http://".count)
      for url in ["http:/\(place)", "HTTP:/\(place)", "\(place)?u=http://x.example/", "http:/\(place)?u=http://x.example/"] {
        let run = try bench.request([url])
        #expect(run.status == 0 && run.text == "ok", "\(url): \(run.standardError)")
      }
      #expect(bench.server.requests.map(\.target) == ["/f", "/f", "/f?u=http://x.example/", "/f?u=http://x.example/"])
    }
  }

  @Test
  func `A typographic quotation mark is reported, and is no error of its own`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(body: "ok"))]) { bench in
      let run = try bench.request(["-H", "\u{201C}X-A:", "-d", "\u{2018}a=1\u{2019}", bench.url("/f")])
      #expect(run.status == 0 && run.text == "ok", "\(run.standardError)")
      #expect(
        run.remarks.prefix(2) == [
          "xfer: the value of --header begins with the typographic quotation mark \u{201C}, which does not quote: use \" or ' instead",
          "xfer: the value of --data begins with the typographic quotation mark \u{2018}, which does not quote: use \" or ' instead",
        ])
      let url = try bench.request(["\u{201C}\(bench.url("/f"))\u{201D}"])
      #expect(
        url.status == 3 && url.remarks.first?.hasPrefix("xfer: a URL begins with the typographic") == true, "\(url.remarks)")
    }
  }

  @Test
  func `Neither a head that never ends nor a rejected expectation outlasts --max-time`() async throws {
    let endless = ScriptedResponse(body: "ok", cut: .init(.midHeaders, .hang))
    let rejected = ScriptedResponse(status: 417, body: "no", continue100: .answer)
    try await Bench.run([.init("/endless", endless), .init("/rejected", rejected)]) { bench in
      try Data(count: 2 << 20).write(to: URL(fileURLWithPath: bench.path("work/body")))
      let start = ContinuousClock.now
      #expect(try bench.request(["-m", "1", bench.url("/endless")]).status == 28)
      let upload = ["-m", "5", "-T", "body", "-H", "Expect: 100-continue"]
      let run = try bench.request(upload + [bench.url("/rejected")])
      #expect(run.status == 0 && run.text == "no", "\(run.standardError)")
      #expect(try bench.request(upload + [bench.url("/endless")]).status == 28)
      // The limits add up to 11 s. The rest is for a busy machine.
      #expect(ContinuousClock.now - start < .seconds(35))
    }
  }
}
