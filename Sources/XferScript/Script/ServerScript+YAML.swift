extension ServerScript {
  /// Reads a script from a file. File paths in the script are relative to the script's folder.
  package init(contentsOf path: String) throws(ScriptError) {
    try self.init(ScriptNode(contentsOf: path))
  }

  /// Reads a script from its text. Errors name `file` as the source, and file paths are relative to the folder of `file`.
  ///
  /// Only `routes`, `path` and `respond` are required:
  /// ```yaml
  /// server: { seed: 7, headLimit: 64KiB, beforeAccept: 10ms, idleTimeout: 5s }
  /// routes:
  ///   - path: /file/{n}               # exact, {name} for a segment, or a trailing *
  ///     method: GET
  ///     repeat: last                  # or cycle, hang-up: what to send after the last response
  ///     count: route                  # or path: count requests per path
  ///     respond:                      # one response, or a list with one response per request
  ///       - status: 200
  ///         reason: OK
  ///         headers: { ETag: '"a1"', Set-Cookie: [a=1, b=2] }
  ///         body: { size: 1MiB, seed: 3 }     # seed: path; or a plain text, { text: }, { hex: }, { base64: }, { file: }
  ///         contentLength: auto               # or none, or a number, correct or not
  ///         chunked: { size: 4KiB, delay: 10ms, trailers: { X-Sum: 1 }, malformed: missing-final }
  ///         pieces: { size: 100, delay: 10ms }          # without chunked
  ///         delay: { beforeStatus: 200ms, beforeBody: 1s }
  ///         rate: 256KiB/s
  ///         cut: { afterBodyBytes: 400000, how: reset } # or at: mid-body, or afterRequestBytes; close, reset, hang
  ///         hang: mid-body                              # short for cut: { at: mid-body, how: hang }
  ///         ranges: honour                    # or another case of RangePolicy
  ///         ifRange: honour                   # or ignore
  ///         redirect: { to: "/other/{n}", status: 302 }
  ///         keepAlive: false
  ///         informational: [103]
  ///         continue100: send                 # or ignore, answer
  ///         headerFlood: { count: 5000, size: 100 }
  ///       - raw: "HTTP/1.1 200 OK\r\n\r\n"    # or a body mapping; replaces all keys that describe the head
  /// ```
  package init(yaml: String, file: String = "script") throws(ScriptError) {
    try self.init(ScriptNode(yaml: yaml, file: file))
  }

  private init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields(["server", "routes"])
    let routes = try fields.required("routes", "List them: `routes: [{ path: /, respond: { status: 200 } }]`.")
    try self.init(server: fields["server"], routes: routes)
  }

  init(server: ScriptNode?, routes: ScriptNode?) throws(ScriptError) {
    self.init([])
    if let server = try server?.fields(["seed", "headLimit", "beforeAccept", "idleTimeout"]) {
      seed = try server["seed"]?.seed() ?? seed
      headLimit = try server["headLimit"]?.size() ?? headLimit
      beforeAccept = try server["beforeAccept"]?.duration() ?? beforeAccept
      idleTimeout = try server["idleTimeout"]?.duration()
    }
    for route in routes?.list() ?? [] { self.routes.append(try Route(route)) }
  }
}

extension ServerScript.Route {
  fileprivate init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields(["path", "method", "respond", "repeat", "count"])
    let path = try fields.required("path", "Write `path: /file`.").text()
    self.init(path, [])
    method = try fields["method"]?.text()
    repeats = try fields["repeat"]?.choice(ServerScript.Repetition.self) ?? .last
    counts = try fields["count"]?.choice(ServerScript.Counting.self) ?? .route
    for response in try fields.required("respond", "Write `respond: { status: 200 }`.").list() {
      responses.append(try ScriptedResponse(response))
    }
    for problem in problems() {
      throw (fields[problem.key] ?? node).failure(problem.problem, problem.advice)
    }
  }
}
