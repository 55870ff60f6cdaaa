import XferEvents

extension VerificationDocument {
  package static let schema: StaticString = "xferlog.verify/1"

  /// The document `xferlog.verify/1`; `null` where something is not known or nothing limits it.
  package func writeJSON(to json: inout JSONText) {
    json.beginObject()
    json.key("schema")
    json.string(Self.schema)
    json.member("verdict", verdict.rawValue)
    json.member("unsealed", unsealed.count)
    json.array("segments", segments) { Self.write($0, to: &$1) }
    json.array("problems", problems) { Self.write($0, to: &$1) }
    json.array("lastLinks", lastLinks) { segment, json in
      json.beginObject()
      json.member("launch", segment.writer.launch.map { "\($0)" })
      json.member("segment", segment.number)
      json.member("link", segment.lastLink)
      json.endObject()
    }
    json.endObject()
  }

  private static func write(_ segment: Segment, to json: inout JSONText) {
    json.beginObject()
    json.member("segment", segment.number)
    json.member("name", segment.name)
    json.member("form", segment.form)
    json.member("state", segment.state)
    json.member("salvaged", segment.isSalvaged)
    json.member("launch", segment.writer.launch.map { "\($0)" })
    json.member("pid", segment.writer.pid)
    json.member("executable", segment.writer.executable)
    json.member("role", segment.writer.role.map { "\($0.name)" })
    json.member("bytes", segment.bytes)
    json.member("events", segment.events)
    json.member("lastLink", segment.lastLink)
    json.endObject()
  }

  private static func write(_ problem: Problem, to json: inout JSONText) {
    json.beginObject()
    json.member("kind", problem.kind.rawValue)
    json.member("segment", problem.segment)
    json.member("name", problem.name)
    json.member("what", problem.what)
    json.member("loss", problem.isLoss)
    json.member("launch", problem.launch.map { "\($0)" })
    json.member("lane", problem.lane)
    write("seqs", problem.sequences, to: &json)
    write("bytes", problem.bytes, to: &json)
    write("from", problem.from, to: &json)
    write("to", problem.to, to: &json)
    json.member("anyTask", problem.concernsAnyTask)
    json.array("tasks", problem.tasks) { task, json in
      json.beginObject()
      json.member("uid", "\(task.uid)")
      json.member("session", task.session)
      json.member("number", task.number)
      json.endObject()
    }
    json.endObject()
  }

  /// The first and the last.
  private static func write(_ name: StaticString, _ range: Range<UInt64>?, to json: inout JSONText) {
    json.key(name)
    guard let range, !range.isEmpty else { return json.null() }
    json.beginObject()
    json.member("first", range.lowerBound)
    json.member("last", range.upperBound - 1)
    json.endObject()
  }

  private static func write(_ name: StaticString, _ moment: Moment?, to json: inout JSONText) {
    json.key(name)
    guard let moment else { return json.null() }
    json.beginObject()
    json.member("time", moment.wall.map { "\($0)" })
    json.member("mono", moment.monotonic.map { "\($0)" })
    json.endObject()
  }
}
