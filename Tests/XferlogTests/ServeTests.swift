import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `xferlog serve` as curl and scripts see it.
@Suite struct ServeTests {
  private let directory = TemporaryDirectory()
  private static let sample = ToolRun.checkout + "/Samples/killed-before-delivery/log.xlog"

  /// A running server.
  private final class Server {
    let follower: Follower
    let url: String
    let port: Int
    var token: String { String(url.suffix(32)) }
    var cookie: String { "xferlog-\(port)=\(token)" }

    init(_ arguments: String..., environment: [String: String] = [:]) throws {
      follower = try Follower(["serve"] + arguments, environment: environment)
      url = try #require(follower.lines { !$0.isEmpty }.first)
      port = try #require(Int(url.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }))
    }

    /// Returns the status, the header fields and the body of an answer.
    func curl(arguments: [String], path: String) throws -> (status: Int, head: String, body: String) {
      let run = try ToolRun(
        "/usr/bin/curl",
        ["-s", "-m", "20", "-D", "/dev/stderr", "-H", "Expect:"] + arguments + ["http://127.0.0.1:\(port)\(path)"])
      let status = run.standardError.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return (status, run.standardError, run.text)
    }
  }

  /// Returns the addresses on which a port is listened to. The kernel's table is read again while it lacks the port, because a reading may
  /// miss lines while other programs open and close connections.
  private static func listeners(port: Int) throws -> [String] {
    let suffix = ":" + String(port, radix: 16, uppercase: true)
    for _ in 0..<100 {
      let tables = try ["tcp", "tcp6"].map { try String(contentsOfFile: "/proc/net/\($0)", encoding: .utf8) }
      let lines = tables.flatMap { $0.split(separator: "\n") }.map { $0.split(separator: " ") }
      let fields = lines.filter { $0.count > 3 && $0[3] == "0A" && $0[1].hasSuffix(suffix) }
      if !fields.isEmpty { return fields.map { String($0[1]) } }
    }
    return []
  }

  @Test func `Each attack gets a refusal, and each answer forbids what the page does not need`() throws {
    let server = try Server(Self.sample)
    #expect(server.url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{32}/) != nil)
    let (cookie, token) = (["-b", server.cookie], "?token=\(server.token)")
    let wrong = "xferlog-\(server.port)=" + String(repeating: "0", count: 32)
    let rows: [(arguments: [String], path: String, status: Int, text: String)] = [
      (cookie, "/", 200, "<!DOCTYPE html>"), (cookie + ["-H", "Host: localhost:\(server.port)"], "/", 200, "<!DOCTYPE html>"),
      (cookie + ["-H", "Host: [::1]:\(server.port)"], "/", 200, "<!DOCTYPE html>"), (cookie, "/events", 200, "{\"number\":\""),
      ([], "/\(token)", 303, "The page is at /"), (["-L", "-c", directory.path("jar")], "/\(token)", 200, "<!DOCTYPE html>"),
      // The cookie is not sent to other folders, and not to the folders of servers on other ports.
      (["-b", directory.path("jar")], "/", 403, "The token is missing."),
      ([], "/", 403, "The token is missing."), (["-b", wrong], "/", 403, "The token is missing."),
      (["-b", wrong], "/data", 403, "The token is missing."), (["-b", wrong], "/events", 403, "The token is missing."),
      (cookie, "/?token=0", 403, "The token is wrong."),
      (cookie + ["-H", "Host: attacker.example"], "/", 421, "This server answers only to"),
      (cookie + ["-H", "Host: attacker.example:\(server.port)"], "/", 421, "This server answers only to"),
      (cookie + ["-H", "Host:"], "/", 421, "This server answers only to"),
      (["-H", "Host: attacker.example"], "/\(token)", 421, "This server answers only to"),
      (cookie + ["-X", "POST"], "/", 405, "This server only answers GET and HEAD."),
      (cookie + ["-X", "DELETE"], "/data", 405, "This server only answers GET and HEAD."),
      (cookie + ["-X", "GET", "-d", "x"], "/", 413, "This server accepts no request bodies."),
      (cookie + ["-H", "Sec-Fetch-Site: cross-site"], "/", 403, "Another site made this request."),
      (["-H", "Sec-Fetch-Site: cross-site"], "/\(token)", 403, "Another site made this request."),
      (cookie, "/nothing", 404, "There is nothing at this address."), (cookie + ["--path-as-is"], "//", 404, "There is nothing"),
      (cookie, "/?" + String(repeating: "x", count: 40_000), 0, ""),
      (cookie + ["-H", "X: " + String(repeating: "x", count: 40_000)], "/", 0, ""),
    ]
    for row in rows {
      let answer = try server.curl(arguments: row.arguments, path: row.path)
      let name = "\(row.arguments) \(row.path.prefix(60))"
      #expect(answer.status == row.status || row.arguments.first == "-L", "\(name)")
      #expect(answer.body.hasPrefix(row.text), "\(name): \(answer.body.prefix(200))")
      if row.status == 0 { continue }
      #expect(row.text == "<!DOCTYPE html>" || answer.body.split(separator: "\n").count == 1, "\(name)")
      for field in [
        "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
        "Content-Security-Policy: default-src 'none';", "frame-ancestors 'none'",
      ] { #expect(answer.head.contains(field), "\(name): \(field)") }
      #expect(answer.head.contains("Set-Cookie") == (row.path.hasPrefix("/\(token)") && row.status < 400), "\(name)")
    }
    let admitted = try server.curl(arguments: [], path: "/events\(token)&after=1")
    // The cookie is sent only to the folder of the page, whose name no server on another port knows.
    let folder = try #require(admitted.head.firstMatch(of: /Location: (\/[0-9a-f]{32}\/)events\?after=1\r\n/)?.1)
    #expect(admitted.head.contains("Set-Cookie: \(server.cookie); Path=\(folder); HttpOnly; SameSite=Strict\r\n"))
    #expect(try server.curl(arguments: cookie, path: String(folder)).body.hasPrefix("<!DOCTYPE html>"))
    let refused = try server.curl(arguments: cookie + ["-X", "POST"], path: "/")
    #expect(refused.head.contains("Allow: GET, HEAD\r\n"))
    // HEAD has the fields of GET, and no body.
    let (whole, head) = (try server.curl(arguments: cookie, path: "/"), try server.curl(arguments: cookie + ["-I"], path: "/"))
    #expect(head.head.contains("Content-Length: \(whole.body.utf8.count)\r\n"))
    #expect(whole.head.contains("connect-src 'self'") && whole.head.contains("script-src 'sha256-"))
    #expect(!whole.body.contains(server.token) && whole.body.contains("Verdict: findings. Exit code 1 (findings)."))
    // No other interface is bound.
    #expect(try Self.listeners(port: server.port) == ["0100007F:\(String(server.port, radix: 16, uppercase: true))"])
    server.follower.end()
    #expect(server.follower.status == 128 + SIGTERM)
  }

  @Test func `The data is that of a report file, and private values are hashed`() throws {
    let secret = "top-secret-path"
    let log = try RecordedLog(in: directory, mode: .full)
    log.emit(
      at: 1,
      TaskCreated(task: RecordedLog.task, type: .download, method: "GET", scheme: "https", host: "h.example", path: "/\(secret)"))
    log.emit(at: 2, TaskResumed(task: RecordedLog.task, by: .app))
    log.close()
    let server = try Server(log.path)
    let news = try server.curl(arguments: ["-b", server.cookie], path: "/events")
    #expect(news.body.contains("\"problem\":null"))
    let path = directory.path("data")
    _ = try server.curl(arguments: ["-b", server.cookie, "-o", path], path: "/data")
    let text = try ToolRun(
      "/usr/bin/python3", ["-c", "import sys, zlib; print(zlib.decompress(open(sys.argv[1], 'rb').read()).decode())", path]
    ).text
    let data = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(data["schema"] as? String == "xferlog.report/1")
    #expect((data["report"] as? [String: Any])?["events"] as? Int ?? 0 > 2)
    #expect(text.contains("h.example") && text.contains("\"hash\":"))
    #expect(!text.contains(secret))
  }

  @Test func `A port that is in use or not permitted and arguments without a log are explained`() throws {
    let taken = try RefusingPort()
    let rows: [([String], Int32, String)] = [
      (
        ["--port", "\(taken.number)", Self.sample], 2,
        "xferlog: exit 2 (failed): port \(taken.number) of 127.0.0.1 cannot be used: another program uses it. Choose another port, or leave out --port for a free one.\n"
      ),
      (
        ["--port", "70000", Self.sample], 2,
        "xferlog: exit 2 (wrong usage): --port 70000 is not a port; choose one from 1024 to 65535, or 0 for a free one\n"
      ),
      ([directory.path("no*.xlog")], 3, "xferlog: exit 3 (nothing analysed): \(directory.path("no*.xlog")) matches no file\n"),
      (["-"], 2, "xferlog: exit 2 (wrong usage): standard input cannot be followed; name the log\n"),
      (
        ["--against", directory.path("none.xlog"), Self.sample], 3,
        "xferlog: exit 3 (nothing analysed): \(directory.path("none.xlog")) does not exist\n"
      ),
    ]
    for (arguments, status, text) in rows {
      let run = try ToolRun.xferlog(["serve"] + arguments)
      #expect(run.status == status && run.standardError == text, "\(arguments): \(run.standardError)")
      #expect(run.text == "")
    }
  }

  @Test func `A user without permission for a low port is told so`() throws {
    // The system may permit low ports to all users. The tests may run as root, from whom setpriv takes the permission.
    let least = (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8)) ?? "1024"
    guard (Int(least.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 81 else { return }
    let command = [ToolRun.tool, "serve", "--port", "81", Self.sample]
    let withoutPermission = ["/usr/bin/setpriv", "--bounding-set=-net_bind_service", "--inh-caps=-net_bind_service"]
    let run = try ToolRun("/usr/bin/env", geteuid() == 0 ? withoutPermission + command : command)
    #expect(run.status == 2)
    #expect(
      run.standardError
        == "xferlog: exit 2 (failed): port 81 of 127.0.0.1 cannot be used: this user may not listen on it. Choose a port from 1024 on, or leave out --port for a free one.\n"
    )
  }

  @Test func `JSON names the port and the process, Ctrl-C ends with 130, and a closed output does not end the server`() throws {
    let script = """
      exec 3< <(exec "$xferlog" serve -o json '\(Self.sample)')
      read -r line <&3
      exec 3<&-
      pid=$(grep -o '"pid":[0-9]*' <<<"$line" | cut -d: -f2)
      url=$(grep -o 'http[^"]*' <<<"$line")
      curl -s -L -c '\(directory.path("jar"))' "$url" | head -c 15
      echo; echo "$line"; readlink "/proc/$pid/exe"
      kill -INT $pid; wait $pid; echo $?
      """
    let lines = try ToolRun.bash(script).lines
    try #require(lines.count == 4, "\(lines)")
    #expect(lines[0] == "<!DOCTYPE html>")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "xferlog.serve/1")
    #expect((document["url"] as? String)?.hasPrefix("http://127.0.0.1:\(document["port"] as? Int ?? 0)/?token=") == true)
    #expect(lines[2].hasSuffix("/xferlog") && lines[3] == "130")
  }

  @Test func `The token of a named port is kept, unless another user could know it`() throws {
    let port = try LoopbackPort.free()
    let state = ["XDG_STATE_HOME": directory.path("state")]
    let path = directory.path("state/xferlog/serve-\(port).token")
    func token() throws -> String {
      let server = try Server("--port", "\(port)", Self.sample, environment: state)
      defer {
        server.follower.end()
        // The port is free only after the server has ended.
        _ = server.follower.status
      }
      #expect(server.port == port)
      return server.token
    }
    let first = try token()
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try token() == first)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let second = try token()
    #expect(second != first)
    try "short\n".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try token() != second)
    #expect(try String(contentsOfFile: path, encoding: .utf8).utf8.count == 33)
    // A free port has a new token each time, which is not stored.
    let one = try Server(Self.sample, environment: state)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("state/xferlog")).count == 1)
    one.follower.end()
  }

  @Test func `Silent, endless and many clients neither stop others nor use up memory`() throws {
    let seen = try ServedReport.watch("crowd", in: directory)
    #expect(seen["alone"] as? [String] == ["200", "200"])
    #expect(seen["among400"] as? String == "200")
    // The limit, and the socket that listens.
    #expect(seen["sockets"] as? Int ?? .max <= 129)
    #expect(seen["amongAll"] as? [String] == ["200", "200"])
    #expect(seen["endlessBytes"] as? Int ?? .max < 8 << 20)
    #expect((seen["garbage"] as? String)?.hasPrefix("HTTP/1.1 400 ") == true)
    #expect(seen["firstSilent"] as? String == "")
    #expect(seen["news"] as? String == "HTTP/1.1 200 OK")
    #expect(seen["grown"] as? Int ?? .max < 30_000)
  }
}
