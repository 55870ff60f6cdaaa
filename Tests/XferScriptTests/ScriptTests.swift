import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct ScriptTests {
  @Test func `Every key of a script is parsed into its property`() throws {
    let yaml = """
      server: { seed: 7, headLimit: 8KiB, beforeAccept: 250us, idleTimeout: 5s }
      routes:
        - path: /file/{n}
          method: GET
          repeat: hang-up
          count: path
          respond:
            - status: 203
              reason: Fine
              headers: { Content-Type: text/plain, Set-Cookie: [a, b] }
              body: { size: 1MiB, seed: 3 }
              contentLength: 12345
              chunked: { size: 4KiB, delay: 10ms, trailers: { X-Sum: 1 }, malformed: bad-size }
              delay: { beforeStatus: 200ms, beforeBody: 1s }
              rate: 256KiB/s
              cut: { afterBodyBytes: 400000, how: reset }
              ranges: wrong-start
              ifRange: ignore
              keepAlive: true
              informational: [100, 103]
              continue100: answer
              headerFlood: { count: 10, size: 1kB }
            - { redirect: { to: '/other/{n}', status: 307 }, pieces: { size: 10, delay: 2m }, contentLength: none }
        - path: /bodies
          respond:
            - body: plain text
            - body: { text: "two\\r\\n" }
            - body: { hex: "48 65 6C 6c6F" }
            - body: { base64: aGVsbG8= }
            - body: { size: 10, seed: path }
            - body: { size: 10 }
            - raw: "HTTP/1.1 200 OK\\r\\n"
        - path: /cuts
          respond: [{ hang: before-status }, { cut: { at: mid-headers } }, { cut: { at: after-body, how: hang } },
                    { cut: { afterRequestBytes: 1kB, how: close } }, { hang: mid-body }, { hang: after-headers }]
      """
    let first = ScriptedResponse(
      status: 203, reason: "Fine", headers: ["Content-Type": "text/plain", "Set-Cookie": "a", "Set-Cookie": "b"],
      body: .generated(size: 1 << 20, seed: 3), contentLength: .value(12345),
      chunked: .init(size: 4096, delay: .milliseconds(10), trailers: ["X-Sum": "1"], malformed: .badSize),
      delay: .init(beforeStatus: .milliseconds(200), beforeBody: .seconds(1)), rate: 262_144,
      cut: .init(.afterBodyBytes(400_000), .reset), ranges: .wrongStart, ifRange: .ignore, keepAlive: true,
      informational: [100, 103], continue100: .answer, headerFlood: .init(count: 10, size: 1000))
    let second = ScriptedResponse(
      status: 307, contentLength: .none, pieces: .init(size: 10, delay: .seconds(120)), redirect: "/other/{n}")
    let bodies: [ScriptedResponse] = [
      .init(body: "plain text"), .init(body: "two\r\n"), .init(body: "Hello"), .init(body: "hello"),
      .init(body: .generated(size: 10, seed: .path)), .init(body: .generated(size: 10, seed: .script)),
      .raw("HTTP/1.1 200 OK\r\n"),
    ]
    let cuts: [ScriptedResponse] = [
      .hang(.beforeStatus), .init(cut: .init(.midHeaders, .close)), .init(cut: .init(.afterBody, .hang)),
      .init(cut: .init(.afterRequestBytes(1000))), .hang(.midBody), .hang(.afterHeaders),
    ]
    let expected = ServerScript(
      seed: 7, headLimit: 8192, beforeAccept: .microseconds(250), idleTimeout: .seconds(5),
      [
        .init("/file/{n}", method: "GET", [first, second], repeats: .hangUp, counts: .path), .init("/bodies", bodies),
        .init("/cuts", cuts),
      ])
    #expect(try ServerScript(yaml: yaml) == expected)
  }

  @Test func `File paths in a script are relative to the script's folder`() throws {
    let body = try TemporaryFile([1])
    let (folder, name) = (body.path.split(separator: "/").dropLast(), body.path.split(separator: "/").last!)
    let script = try ServerScript(
      yaml: "routes: [{ path: /, respond: { body: { file: \(name) } } }]", file: "/\(folder.joined(separator: "/"))/s.yaml")
    #expect(script.routes[0].responses[0].body == .file(path: body.path))
  }

  @Test func `A script is read from a file`() throws {
    let file = try TemporaryFile(Array("routes: [{ path: /x, respond: { status: 204 } }]".utf8))
    #expect(try ServerScript(contentsOf: file.path) == ServerScript([.init("/x", .status(204))]))
    let error = #expect(throws: ScriptError.self) { try ServerScript(contentsOf: "/nowhere/script.yaml") }
    #expect(error?.code == .unreadable)
    #expect(error?.place == "/nowhere/script.yaml")
  }

  @Test(arguments: ScriptMistake.all)
  func `An error in a script names its position and its remedy`(_ mistake: ScriptMistake) {
    let error = #expect(throws: ScriptError.self) { try ServerScript(yaml: mistake.yaml, file: "s.yaml") }
    // Columns are tested with the scripts of apps.
    #expect(error?.description.replacing(/^(s\.yaml:\d+):\d+/) { String($0.1) } == mistake.message)
    #expect(error?.code == mistake.code)
  }

  @Test func `A script built in code is validated when the server starts`() async {
    let script = ServerScript([
      .init("/", .status(200)), .init("/b", [.status(200), .init(body: "four", cut: .init(.afterBodyBytes(5)))]),
    ])
    let error = await #expect(throws: ScriptError.self) { try await ScriptedServer.start(script) }
    #expect(
      error?.description == """
        routes[1].respond[1].cut: the cut is after 5 body bytes, but the body has only 4.
        Cut at 4 or before, or give the body more bytes.
        """)
  }
}
