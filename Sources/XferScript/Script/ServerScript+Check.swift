/// A part of a script that cannot be served as written.
struct ScriptProblem: Equatable {
  /// The key that contains the problem, such as `cut`.
  var key: String
  var problem: String
  var advice: String
}

extension ServerScript {
  /// Throws the first problem of a script that was built in code. A YAML script is checked while it is parsed.
  func check() throws(ScriptError) {
    for (index, route) in routes.enumerated() {
      for problem in route.problems() {
        throw ScriptError(
          code: .badValue, place: "routes[\(index)].\(problem.key)", problem: problem.problem, advice: problem.advice)
      }
      for (turn, response) in route.responses.enumerated() {
        for problem in response.problems() {
          throw ScriptError(
            code: .badValue, place: "routes[\(index)].respond[\(turn)].\(problem.key)", problem: problem.problem,
            advice: problem.advice)
        }
      }
    }
  }
}

extension ServerScript.Route {
  func problems() -> [ScriptProblem] {
    var problems: [ScriptProblem] = []
    if PathPattern(path) == nil {
      problems.append(
        ScriptProblem(
          key: "path", problem: "`\(path)` is not a path",
          advice: "Begin it with `/`; write `{name}` for one whole segment, and `*` only as its last character."))
    }
    if responses.isEmpty {
      problems.append(
        ScriptProblem(key: "respond", problem: "the route has no response", advice: "Write at least `- status: 200`."))
    }
    return problems
  }
}

extension ScriptedResponse {
  func problems() -> [ScriptProblem] {
    numberProblems() + headerProblems() + cutProblems()
  }

  private func numberProblems() -> [ScriptProblem] {
    var problems: [ScriptProblem] = []
    func require(_ holds: Bool, _ key: String, _ problem: String, _ advice: String) {
      if !holds { problems.append(ScriptProblem(key: key, problem: problem, advice: advice)) }
    }
    require((100...999).contains(status), "status", "\(status) does not have three digits", "Write 100 to 999, or use `raw`.")
    for status in informational where !(100...199).contains(status) {
      require(false, "informational", "\(status) is not an interim status", "Write numbers from 100 to 199.")
    }
    require(chunked == nil || pieces == nil, "pieces", "`pieces` cannot be combined with `chunked`", "Remove one of the two.")
    require(chunked.map { $0.size > 0 } ?? true, "chunked", "the chunk size is not positive", "Write a `size` of 1 or more.")
    require(pieces.map { $0.size > 0 } ?? true, "pieces", "the piece size is not positive", "Write a `size` of 1 or more.")
    require(rate.map { $0 > 0 } ?? true, "rate", "a rate of zero would send nothing", "Write 1B/s or more, or use `hang`.")
    if case .generated(let size, _) = body {
      require(size >= 0, "body", "the body's size is \(size)", "Write a size of 0 or more.")
    }
    return problems
  }

  private func headerProblems() -> [ScriptProblem] {
    let fields = headers.fields + (chunked?.trailers.fields ?? []) + (redirect.map { [.init("Location", $0)] } ?? [])
    let texts = fields.map { (key: $0.name, text: $0.value) } + [("reason", reason ?? "")]
    for (key, text) in texts where text.utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 }) {
      let problem = "`\(key)` contains a line end or a NUL"
      return [ScriptProblem(key: "headers", problem: problem, advice: "Send exactly these bytes with `raw`.")]
    }
    for field in fields where field.name.isEmpty || !field.name.utf8.allSatisfy(RequestHead.isTokenByte) {
      let problem = "`\(field.name)` is not a valid field name"
      return [ScriptProblem(key: "headers", problem: problem, advice: "Send exactly these bytes with `raw`.")]
    }
    return []
  }

  private func cutProblems() -> [ScriptProblem] {
    let (count, size): (Int, Int?)
    switch cut?.place {
    case .afterBodyBytes(let bytes): (count, size) = (bytes, (raw ?? body).knownSize)
    case .afterRequestBytes(let bytes): (count, size) = (bytes, nil)
    default: return []
    }
    if count < 0 {
      return [ScriptProblem(key: "cut", problem: "\(count) is not a number of bytes", advice: "Write 0 or more.")]
    }
    guard let size, count > size else { return [] }
    return [
      ScriptProblem(
        key: "cut", problem: "the cut is after \(count) body bytes, but the body has only \(size)",
        advice: "Cut at \(size) or before, or give the body more bytes.")
    ]
  }
}
