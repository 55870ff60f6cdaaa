import Testing
import XferScript

/// An invalid script and its expected error message.
struct ScriptMistake: Sendable, CustomTestStringConvertible {
  var yaml: String
  var message: String
  var code = ScriptError.Code.badValue

  var testDescription: String { yaml }

  /// Creates a script whose fourth line is the given response.
  private static func response(_ line: String, _ problem: String, _ advice: String, at key: String = "") -> ScriptMistake {
    ScriptMistake(
      yaml: "routes:\n  - path: /\n    respond:\n      - {\(line)}\n",
      message: "s.yaml:4: routes[0].respond[0]\(key): \(problem)\n\(advice)")
  }

  private static let known = """
    Known keys: status, reason, headers, body, contentLength, chunked, pieces, delay, rate, cut, hang, ranges, ifRange, \
    redirect, raw, keepAlive, informational, continue100, headerFlood.
    """

  private static func unknown(_ line: String, _ problem: String, _ advice: String, at key: String = "") -> ScriptMistake {
    var mistake = response(line, problem, advice, at: key)
    mistake.code = .unknownKey
    return mistake
  }

  static let all: [ScriptMistake] = [
    unknown("boddy: x", "unknown key `boddy`.", "Did you mean `body`? " + known),
    unknown("colour: red", "unknown key `colour`.", known),
    unknown(
      "chunked: { malformd: x }", "unknown key `malformd`.",
      "Did you mean `malformed`? Known keys: size, delay, trailers, malformed.", at: ".chunked"),
    ScriptMistake(
      yaml: "routs: []", message: "s.yaml:1: unknown key `routs`.\nDid you mean `routes`? Known keys: server, routes.",
      code: .unknownKey),
    response(
      "body: { size: 4KB }", "`4KB` is not a size.",
      "Write a whole number of bytes, or one with kB, MB, GB, KiB, MiB or GiB: 4KiB.", at: ".body.size"),
    response(
      "body: { size: 99999999999GiB }", "`99999999999GiB` is not a size.",
      "Write a whole number of bytes, or one with kB, MB, GB, KiB, MiB or GiB: 4KiB.", at: ".body.size"),
    response(
      "delay: { beforeStatus: 200 }", "`200` is not a duration.", "Write a whole number with us, ms, s, m or h: 250ms.",
      at: ".delay.beforeStatus"),
    response("rate: 4KiB", "`4KiB` is not a rate.", "Write a size per second, such as 256KiB/s.", at: ".rate"),
    response("rate: 0/s", "a rate of zero would send nothing.", "Write 1B/s or more, or use `hang`.", at: ".rate"),
    response("status: ok", "`ok` is not a whole number.", "Write digits only, such as 206.", at: ".status"),
    response("status: 1000", "1000 does not have three digits.", "Write 100 to 999, or use `raw`.", at: ".status"),
    response("keepAlive: yes", "`yes` is neither true nor false.", "Write `true` or `false`.", at: ".keepAlive"),
    response(
      "contentLength: automatic", "`automatic` is not a length.", "Write `auto`, `none` or a number, correct or not.",
      at: ".contentLength"),
    response(
      "ranges: honor", "unknown value `honor`.",
      """
      Did you mean `honour`? Write one of: ignore, honour, early-start, wrong-start, lying-start, short-slice, \
      slice-as-200, no-content-range, wrong-total, 416.
      """, at: ".ranges"),
    response(
      "body: { size: 10 }, cut: { afterBodyBytes: 11 }", "the cut is after 11 body bytes, but the body has only 10.",
      "Cut at 10 or before, or give the body more bytes.", at: ".cut"),
    response(
      "cut: { how: reset }", "the cut has no place.", "Write `at: mid-body`, or `afterBodyBytes: 400000`.", at: ".cut"),
    response(
      "cut: { at: mid-body, afterBodyBytes: 1 }", "`at` and `afterBodyBytes` cannot be combined.",
      "A response is cut only once. Remove one of the two.", at: ".cut.afterBodyBytes"),
    response(
      "cut: { at: mid-body }, hang: mid-body", "`cut` and `hang` cannot be combined.",
      "A response is cut only once. Remove one of the two.", at: ".hang"),
    response(
      "cut: { at: middle }", "unknown value `middle`.",
      "Write one of: before-status, mid-headers, after-headers, mid-body, after-body.", at: ".cut.at"),
    response("body: {}", "the body has no source.", "Write one of: text, size, hex, base64, file.", at: ".body"),
    response(
      "body: { text: x, hex: 00 }", "`text` and `hex` cannot be combined.",
      "A body has one source. Remove one of the two.", at: ".body.hex"),
    response(
      "body: { hex: 0 }", "the value is not made of pairs of hexadecimal digits.", "Write them as `48 65 6c`.", at: ".body.hex"),
    response("body: { base64: '?' }", "the value is not valid Base64.", "Write the output of `base64`.", at: ".body.base64"),
    response(
      "body: { file: /nowhere }", "the file `/nowhere` cannot be read.", "Write its path relative to the script's folder.",
      at: ".body.file"),
    response("body: { text: x, seed: 1 }", "`seed` applies only to a body with a `size`.", "Remove `seed`.", at: ".body.seed"),
    response(
      "raw: x, status: 200", "`status` conflicts with `raw`.", "Remove `status`, or write it into the bytes of `raw`.",
      at: ".status"),
    response(
      "status: 301, redirect: { to: / }", "`status` conflicts with `redirect`.", "Put it in `redirect`.", at: ".status"),
    response("redirect: { status: 301 }", "`to` is missing.", "Write `redirect: { to: /other }`.", at: ".redirect"),
    response(
      "chunked: {}, pieces: { size: 1 }", "`pieces` cannot be combined with `chunked`.", "Remove one of the two.", at: ".pieces"),
    response("chunked: { size: 0 }", "the chunk size is not positive.", "Write a `size` of 1 or more.", at: ".chunked"),
    response(
      #"headers: { A: "x\r\ny" }"#, "`A` contains a line end or a NUL.", "Send exactly these bytes with `raw`.",
      at: ".headers"),
    response("headers: { 'A B': x }", "`A B` is not a valid field name.", "Send exactly these bytes with `raw`.", at: ".headers"),
    response("informational: [200]", "200 is not an interim status.", "Write numbers from 100 to 199.", at: ".informational"),
    response("informational: [[1]]", "a single value is expected.", "Write one text or number.", at: ".informational[0]"),
    ScriptMistake(
      yaml: "routes:\n  - path: file\n    respond: {}",
      message: """
        s.yaml:2: routes[0].path: `file` is not a path.
        Begin it with `/`; write `{name}` for one whole segment, and `*` only as its last character.
        """),
    ScriptMistake(
      yaml: "routes:\n  - path: /a{b}\n    respond: {}",
      message: """
        s.yaml:2: routes[0].path: `/a{b}` is not a path.
        Begin it with `/`; write `{name}` for one whole segment, and `*` only as its last character.
        """),
    ScriptMistake(
      yaml: "routes: [{ path: /, respond: [] }]",
      message: "s.yaml:1: routes[0].respond: the route has no response.\nWrite at least `- status: 200`."),
    ScriptMistake(
      yaml: "routes: [{ respond: {} }]", message: "s.yaml:1: routes[0]: `path` is missing.\nWrite `path: /file`."),
    ScriptMistake(
      yaml: "server: {}",
      message: "s.yaml:1: `routes` is missing.\nList them: `routes: [{ path: /, respond: { status: 200 } }]`."),
    ScriptMistake(
      yaml: "",
      message: "s.yaml:1: the file is empty.\nWrite at least `routes:`; in a scenario, `scenario:` and `steps:`.", code: .syntax),
    ScriptMistake(
      yaml: "routes: [\n  {",
      message: """
        s.yaml:3: invalid YAML: did not find expected node content.
        Indent with spaces, and quote values that contain `: ` or begin with a special character.
        """, code: .syntax),
    ScriptMistake(
      yaml: "routes: [{ path: /, path: /b, respond: {} }]",
      message: """
        s.yaml:1: duplicate key `path`, first in line 1.
        Keep one. To repeat a header field, give it a list of values.
        """, code: .syntax),
    ScriptMistake(
      yaml: "routes: &all [*all]",
      message: """
        s.yaml:1: the value is nested too deeply.
        Do not let a value contain a reference to itself.
        """, code: .syntax),
    ScriptMistake(
      yaml: "routes: []\n---\nroutes: []",
      message: "s.yaml:3: the file has a second YAML document.\nWrite one document per file.", code: .syntax),
  ]
}
