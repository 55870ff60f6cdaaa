import LogTestSupport
import NIOCore
import Testing

/// Tests of the case server, without curl's cases.
struct CaseServerTests {
  static let targets: [(target: String, part: Int)] = [
    ("/7", 0), ("/70002", 2), ("/a/70002.upload2", 2), ("/a/b70013?x", 13), ("/?x=/70001", 1), ("/", 0), ("/80002", 0),
    ("/9", 0), ("*", 0),
  ]

  @Test(arguments: targets.indices)
  func `The number in the target's last component selects the reply`(index: Int) {
    #expect(ReplyChoice.part(in: Self.targets[index].target[...], of: 7) == Self.targets[index].part)
  }

  private static func request(_ target: String, _ field: String = "A: b", method: String = "GET") -> CaseRequest {
    CaseRequest(head: "\(method) \(target) HTTP/1.1\r\n\(field)\r\n\r\n")
  }

  @Test
  func `Credentials increase the reply number, and CONNECT has separate replies`() {
    let requests = [
      Self.request("/7", "authorization: Digest a"), Self.request("/70003", "Authorization: Digest a"),
      Self.request("/7", "Authorization: Basic a"), Self.request("/71000", "Authorization: Basic a"),
      Self.request("/7", "Authorization: NTLM TlRMTVNTUAABAAAA"), Self.request("/7", "Authorization: NTLM TlRMTVNTUAADAAAA"),
      Self.request("/7", "Proxy-Authorization: Digest a"), Self.request("a:80", method: "CONNECT"),
    ]
    var choice = ReplyChoice(caseNumber: 7)
    let parts = requests.map { choice.part(for: $0, among: [:]) }
    #expect(parts == ["data1000", "data1003", "data", "data1001", "data1001", "data1002", "data", "connect"])
  }

  @Test
  func `A reply with swsbounce selects the following reply for the next request`() {
    let bouncing = Array("a swsbounce".utf8)
    var choice = ReplyChoice(caseNumber: 7)
    let parts = (0..<4).map { _ in choice.part(for: Self.request("/7"), among: ["data": bouncing, "data1": bouncing]) }
    #expect(parts == ["data", "data1", "data2", "data"])
  }

  /// Reads requests from bytes that arrive one at a time.
  private static func read(_ text: String, _ orders: ServerOrders = ServerOrders()) -> [CaseRequest] {
    var reader = CaseRequestReader(orders: orders)
    var unread = ByteBuffer()
    return text.utf8.flatMap { byte -> [CaseRequest] in
      unread.writeInteger(byte)
      return reader.next(&unread).map { [$0] } ?? []
    }
  }

  static let bodies: [(fields: String, body: String)] = [
    ("Content-Length: 3", "abc"), ("Content-Length: 0", ""), ("Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n"),
    ("Transfer-Encoding: chunked", "0\r\n\r\n"), ("Transfer-Encoding: chunked", "a;b=c\r\n0\r\n\r\n12345\r\n0\r\nD: e\r\n\r\n"),
    ("Transfer-Encoding: chunked\r\nContent-Length: 1", "2\r\nab\r\n0\r\n\r\n"),
  ]

  @Test(arguments: bodies.indices)
  func `A request ends after its body, and the next request is read`(index: Int) {
    let (fields, body) = Self.bodies[index]
    let head = "PUT /7 HTTP/1.1\r\n\(fields)\r\n\r\n"
    let requests = Self.read(head + body + "GET /8 HTTP/1.1\r\n\r\n")
    #expect(requests.map(\.head) == [head, "GET /8 HTTP/1.1\r\n\r\n"])
    #expect(requests.first?.body == Array(body.utf8))
  }

  @Test
  func `A body for which the server does not wait is not read as a request`() throws {
    let put = "PUT /7 HTTP/1.1\r\nContent-Length: 4\r\n\r\n"
    let next = "GET /8 HTTP/1.1\r\n\r\n"
    for (orders, body) in try [(ServerOrders(["skip: 3"]), "a"), (ServerOrders(["auth_required"]), "")] {
      let requests = Self.read(put + "abcd" + next, orders)
      #expect(requests.map(\.head) == [put, next])
      #expect(requests.first?.body == Array(body.utf8))
    }
  }

  /// Runs curl against a server over a real connection.
  private static func ask(
    _ service: CurlCase.Service, _ arguments: String...
  ) throws -> (run: ToolRun, record: CaseService.Record) {
    let server = try CaseServer()
    defer { server.stop() }
    server.service.serve(
      CurlCase(
        number: 7, name: "", servers: [], features: [], service: service,
        client: .init(command: [], manner: [], files: [], standardInput: nil, environment: [], precheck: nil),
        expected: .init(
          exitCodes: [0], received: nil, standardOutput: nil, files: [], absentPaths: [], asksServer: true, postcheck: nil)))
    let run = try ToolRun("/usr/bin/curl", ["-qsi", "-m5", "http://127.0.0.1:\(server.port)/7"] + arguments)
    return (run, server.service.record)
  }

  @Test
  func `A reply is sent unchanged, swsclose closes the connection, and the request is recorded`() throws {
    let reply = "HTTP/1.1 200 OK\nX: swsclose \u{1}\r\n\r\n\r\nany\n"
    let (run, record) = try Self.ask(.init(replies: ["data": Array(reply.utf8)]), "-d", "abc")
    #expect(run.text == reply)
    #expect(record.parts == ["data"])
    #expect(record.requests.map(\.body) == [Array("abc".utf8)])
    #expect(record.requests.map(\.connection) == [1])
    #expect(record.connections == 1)
  }

  @Test
  func `A reply in pieces arrives complete, and an empty one makes curl exit with 52`() throws {
    let reply = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + String(repeating: "0123456789", count: 10)
    let (run, _) = try Self.ask(.init(replies: ["data": Array(reply.utf8)], orders: ServerOrders(["writedelay: 1"])))
    #expect(run.text == reply)
    #expect(try Self.ask(.init(replies: [:])).run.status == 52)
  }

  @Test(arguments: ["idle", "stream"])
  func `A server that is idle or streams forever makes the client time out`(order: String) throws {
    let (run, _) = try Self.ask(.init(replies: ["data": [65]], orders: ServerOrders([order])), "-m1", "--http0.9")
    #expect(run.status == 28)
    #expect(run.standardOutput.isEmpty == (order == "idle"))
  }
}
