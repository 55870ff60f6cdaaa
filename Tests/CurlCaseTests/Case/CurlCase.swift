import Foundation

/// One of curl's test cases: the server's replies, the client's command and the expected outcome.
struct CurlCase {
  let number: Int
  let name: String
  /// The kinds of server that the case needs, such as `http` and `https`.
  let servers: [String]
  /// The features that the program must have to run the case, in the terms of curl's test suite.
  let features: Set<String>
  let service: Service
  let client: Client
  let expected: Expected

  /// The server's behaviour.
  struct Service: Sendable {
    /// The replies by part name, such as `data`, `data2` or `connect`.
    var replies: [String: [UInt8]]
    var orders = ServerOrders()
    /// The time that the server waits after each reply.
    var pauseAfterReply: Duration = .zero
  }

  /// The client's command and its environment.
  struct Client {
    /// The arguments of the command line.
    let command: [String]
    /// Options such as `no-output` and `no-include`, which keep the test suite from adding arguments to the command line.
    let manner: Set<String>
    let files: [File]
    let standardInput: [UInt8]?
    /// The environment variables to set. A `nil` value unsets the variable.
    let environment: [(name: String, value: String?)]
    /// A shell command that runs first. The case is skipped when it fails.
    let precheck: String?
  }

  struct File {
    let path: String
    let contents: [UInt8]
  }

  /// The expected outcome.
  struct Expected {
    /// The accepted exit codes.
    let exitCodes: [Int32]
    /// The bytes that must be received. `nil` when the case does not check them.
    let received: Contents?
    let standardOutput: Contents?
    let files: [(path: String, contents: Contents)]
    let absentPaths: [String]
    /// Whether the server must receive a request.
    let asksServer: Bool
    /// A shell command that checks the result after the run.
    let postcheck: String?
  }

  struct Contents {
    let bytes: [UInt8]
    /// Whether the bytes are text, for which line endings are ignored.
    let isText: Bool
    /// Whether the expected text is incomplete, because an included file is missing. It is then not compared.
    let isUnknown: Bool
    /// The replacements made in the received bytes before they are compared.
    let substitutions: [Substitution]
  }
}

extension CurlCase {
  init(number: Int, _ document: CaseDocument) throws(CaseProblem) {
    self.number = number
    name = document.list("client", "name").first ?? ""
    servers = document.list("client", "server")
    features = Set(document.list("client", "features"))
    service = try Service(document)
    client = try Client(document)
    expected = try Expected(document)
  }
}

extension CurlCase.Service {
  fileprivate init(_ document: CaseDocument) throws(CaseProblem) {
    replies = [:]
    for part in document.parts("reply", "data") + document.parts("reply", "connect") { replies[part.name] = part.contents }
    orders = try ServerOrders(document.list("reply", "servercmd"))
    for line in document.list("reply", "postcmd") {
      let words = line.split(separator: " ")
      guard words.count == 2, words[0] == "wait", let seconds = Int(words[1]) else {
        throw CaseProblem("unsupported server command `\(line)`")
      }
      pauseAfterReply += .seconds(seconds)
    }
  }
}

extension CurlCase.Client {
  fileprivate init(_ document: CaseDocument) throws(CaseProblem) {
    guard let part = document.part("client", "command") else { throw CaseProblem("the case has no command") }
    guard part.attributes["type"] == nil, document.part("client", "tool") == nil else {
      throw CaseProblem("the command does not run curl")
    }
    command = try ShellWords.split(String(decoding: part.contents, as: UTF8.self))
    manner = Set((part.attributes["option"] ?? "").split { ",/ ".contains($0) }.map(String.init))
    files = document.parts("client", "file").map { .init(path: $0.attributes["name"] ?? "", contents: $0.contents) }
    standardInput = document.part("client", "stdin")?.contents
    environment = document.list("client", "setenv").map { line in
      guard let equals = line.firstIndex(of: "=") else { return (line, nil) }
      return (String(line[..<equals]), String(line[line.index(after: equals)...]))
    }
    precheck = document.text("client", "precheck")
  }
}

extension CurlCase.Expected {
  fileprivate init(_ document: CaseDocument) throws(CaseProblem) {
    let codes = document.list("verify", "errorcode").flatMap { $0.split(separator: ",") }.compactMap { Int32($0.trimmingSpaces) }
    exitCodes = codes.isEmpty ? [0] : codes
    let substitutions = try Substitution.list(document.list("verify", "stripfile"))
    received = Self.received(document)
    standardOutput = document.part("verify", "stdout").map { CurlCase.Contents($0, substitutions) }
    var files: [(String, CurlCase.Contents)] = []
    for part in document.parts("verify", "file") {
      let number = part.name.dropFirst(4)
      let own = number.isEmpty ? substitutions : try Substitution.list(document.list("verify", "stripfile\(number)"))
      files.append((part.attributes["name"] ?? "", CurlCase.Contents(part, own)))
    }
    self.files = files
    absentPaths = document.list("verify", "notexists")
    asksServer = !document.list("verify", "protocol").isEmpty
    postcheck = document.text("verify", "postcheck")
  }

  /// Returns the expected received bytes: the `datacheck` parts, or else the reply itself, unless it is not checked.
  private static func received(_ document: CaseDocument) -> CurlCase.Contents? {
    let checks = document.parts("reply", "datacheck")
    guard checks.isEmpty else {
      return CurlCase.Contents(
        bytes: checks.flatMap(\.contents), isText: checks[0].attributes["mode"] == "text",
        isUnknown: checks.contains(where: \.isIncomplete), substitutions: [])
    }
    guard let data = document.part("reply", "data"), data.name == "data", data.attributes["nocheck"] != "yes",
      !data.contents.isEmpty
    else { return nil }
    return CurlCase.Contents(data, [])
  }
}

extension CurlCase.Contents {
  fileprivate init(_ part: CaseDocument.Part, _ substitutions: [Substitution]) {
    self.init(
      bytes: part.contents, isText: part.attributes["mode"] == "text", isUnknown: part.isIncomplete,
      substitutions: substitutions)
  }
}
