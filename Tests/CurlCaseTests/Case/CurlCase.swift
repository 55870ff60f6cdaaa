import Foundation

/// One of curl's test cases, ready to be run: what a server sends, what a client is asked for, and what must come of it.
struct CurlCase {
  let number: Int
  let name: String
  /// The kinds of server that it needs, such as `http` and `https`.
  let servers: [String]
  /// What a program has to be able to do for the case to mean anything, in the words of curl's test-suite.
  let features: Set<String>
  let service: Service
  let client: Client
  let expected: Expected

  /// What the server does.
  struct Service: Sendable {
    /// By the names of their parts: `data`, `data2`, `connect`.
    var replies: [String: [UInt8]]
    var orders = ServerOrders()
    /// How long it waits after each reply before it does anything else.
    var pauseAfterReply: Duration = .zero
  }

  /// What the client is asked for.
  struct Client {
    /// The command line without the program.
    let command: [String]
    /// `no-output`, `no-include` and others: what is not to be added to the command line.
    let manner: Set<String>
    let files: [File]
    let standardInput: [UInt8]?
    /// `nil` for a variable that must not be there.
    let environment: [(name: String, value: String?)]
    /// For the shell, before the command: the case does not run when it fails.
    let precheck: String?
  }

  struct File {
    let path: String
    let contents: [UInt8]
  }

  /// What must come of it.
  struct Expected {
    /// Any of these.
    let exitCodes: [Int32]
    /// What has to be received; `nil` when the case does not check that.
    let received: Contents?
    let standardOutput: Contents?
    let files: [(path: String, contents: Contents)]
    let absentPaths: [String]
    /// Whether the server is to be asked for anything.
    let asksServer: Bool
    /// For the shell, after the command.
    let postcheck: String?
  }

  struct Contents {
    let bytes: [UInt8]
    /// Whether the line ends are the system's.
    let isText: Bool
    /// Whether the case's own text is not all there, so that nothing can be said of it.
    let isUnknown: Bool
    /// What is replaced in what was received before the two are compared.
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
        throw CaseProblem("the server does not know `\(line)`")
      }
      pauseAfterReply += .seconds(seconds)
    }
  }
}

extension CurlCase.Client {
  fileprivate init(_ document: CaseDocument) throws(CaseProblem) {
    guard let part = document.part("client", "command") else { throw CaseProblem("there is no command") }
    guard part.attributes["type"] == nil, document.part("client", "tool") == nil else {
      throw CaseProblem("the command is not one for curl")
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

  /// The parts that say what is to be received, or what was sent, unless that is not checked.
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
