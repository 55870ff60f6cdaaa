import XferEvents

extension VerificationDocument {
  package func writeJSON(to json: inout JSONText) { Self.object.write(self, to: &json) }

  /// The fields of the document `xferlog.verify/1`.
  static let object = DocumentObject<VerificationDocument>(
    "verify", "The integrity of a log. `null` means unknown or unlimited."
  ) { fields in
    fields.schema("xferlog.verify/1")
    fields.choice("verdict", Verdict.allCases.map(\.rawValue), "The worst kind of problem; `whole` without problems.") {
      $0.verdict.rawValue
    }
    fields.integer("unsealed", "Number of segments that are not sealed, so that edits cannot be detected.") {
      $0.unsealed.count
    }
    fields.list("segments", segment, "The segments of the log.") { $0.segments }
    fields.list("problems", problem, "The places that differ from what was written.") { $0.problems }
    fields.list("lastLinks", link, "The last link of each writer's hash chain. Keep a copy elsewhere to detect edits.") {
      $0.lastLinks
    }
  }

  private static let segment = DocumentObject<Segment>("segment", "One segment of a log.") { fields in
    fields.integer("segment", "Number of the segment.") { $0.number }
    fields.text("name", "Name of the file.") { $0.name }
    fields.choice("form", ["live", "appended", "sealed"], "How the segment was written: mapped, appended, or sealed later.") {
      $0.form
    }
    fields.choice(
      "state", ["open", "closed", "rotated"], "How the writer left the segment; `open` also if the writer was killed."
    ) {
      $0.state
    }
    fields.flag("salvaged", "Whether the segment was salvaged from another log.") { $0.isSalvaged }
    fields.optionalText("launch", as: .uuid, "Process life that wrote the segment.") { $0.writer.launch.map { "\($0)" } }
    fields.optionalInteger("pid", "Process id of the writer.") { $0.writer.pid }
    fields.optionalText("executable", "File name of the writer's program.") { $0.writer.executable }
    fields.vocabulary("role", "WriterRole", "Role of the writer.") { $0.writer.role?.name }
    fields.integer("bytes", unit: .bytes, "Size of the file.") { $0.bytes }
    fields.integer("events", "Number of events that could be read.") { $0.events }
    fields.optionalText("lastLink", "Last link of the segment's hash chain, in hexadecimal; `null` for an unsealed segment.") {
      $0.lastLink
    }
  }

  private static let problem = DocumentObject<Problem>("problem", "A place that differs from what was written.") { fields in
    fields.choice("kind", Problem.Kind.allCases.map(\.rawValue), "Kind of the problem.") { $0.kind.rawValue }
    fields.integer("segment", "Number of the segment.") { $0.segment }
    fields.text("name", "Name of the file.") { $0.name }
    fields.text("what", "Description of the problem.") { $0.what }
    fields.flag("loss", "Whether records are lost or untrustworthy.") { $0.isLoss }
    fields.optionalText("launch", as: .uuid, "Process life whose records are affected.") { $0.launch.map { "\($0)" } }
    fields.optionalInteger("lane", "Number of the lane.") { $0.lane }
    fields.optionalObject("seqs", range, "Positions of the affected records.") { Self.ends(of: $0.sequences) }
    fields.optionalObject("bytes", range, "Affected bytes of the file.") {
      Self.ends(of: $0.bytes)
    }
    fields.optionalObject("from", moment, "The last event of the lane before the problem.") { $0.from }
    fields.optionalObject("to", moment, "The first event of the lane after the problem.") { $0.to }
    fields.flag("anyTask", "Whether any task of the process life may be affected.") { $0.concernsAnyTask }
    fields.list("tasks", SharedObjects.task, "Tasks that were open between `from` and `to` and are undecidable.") { $0.tasks }
  }

  private static func ends(of range: Range<UInt64>?) -> (first: UInt64, last: UInt64)? {
    range.flatMap { $0.isEmpty ? nil : ($0.lowerBound, $0.upperBound - 1) }
  }

  private static let range = DocumentObject<(first: UInt64, last: UInt64)>("range", "A range that includes both ends.") {
    fields in
    fields.integer("first", "First position in the range.") { $0.first }
    fields.integer("last", "Last position in the range.") { $0.last }
  }

  private static let moment = DocumentObject<Moment>("moment", "The time of an event.") { fields in
    fields.optionalText("time", as: .time, "Wall-clock time.") { $0.wall.map { "\($0)" } }
    fields.optionalText("mono", as: .nanoseconds, "Monotonic time, comparable only within one boot.") {
      $0.monotonic.map { "\($0)" }
    }
  }

  private static let link = DocumentObject<Segment>("lastLink", "The end of a writer's hash chain.") { fields in
    fields.optionalText("launch", as: .uuid, "Process life that wrote the chain.") { $0.writer.launch.map { "\($0)" } }
    fields.integer("segment", "Number of the chain's last sealed segment.") { $0.number }
    fields.optionalText("link", "The link, in hexadecimal.") { $0.lastLink }
  }
}
