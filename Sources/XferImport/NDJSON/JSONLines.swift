import XferEvents

/// The objects of a log with one JSON object per line.
struct JSONLines {
  private let source: LineSource
  private var places: LinePlaces
  private let tree = JSONTree()
  /// The last line if it ends within its object, which is a fault only if another line follows.
  private var cut: (line: UInt64, problem: String)?

  enum Step {
    /// The object is valid until the next step.
    case object(JSONNode, line: UInt64)
    /// A line without an object. It was reported as a gap unless it is blank.
    case nothing
    case end
  }

  /// - Returns: `nil` if the file cannot be read.
  init?(path: String) {
    guard let source = LineSource(path: path) else { return nil }
    self.source = source
    places = LinePlaces(path: path)
  }

  /// Returns the text of a line; `nil` if it cannot be read.
  func original(_ line: UInt64) -> String? { places.text(ofLine: line) }

  /// Reads the next line, and reports a damaged one as a gap.
  mutating func next(_ output: ForeignOutput) -> Step {
    guard let line = source.next() else {
      if let cut { output.gap(.truncated, positions: cut.line...cut.line) }
      return .end
    }
    places.note(line)
    output.lines = source.lineCount
    if line.bytes.isBlank { return .nothing }
    if let cut {
      output.gap(.damaged(problem: cut.problem), positions: cut.line...cut.line)
      self.cut = nil
    }
    output.records += 1
    if let object = tree.read(line.bytes), object.isObject { return .object(object, line: line.number) }
    let json = JSONReader(line.bytes)
    _ = json.value()
    let problem =
      json.flaw.map { "\($0.problem) (line \(line.number), column \($0.column))" }
      ?? "the line is not one JSON object (line \(line.number))"
    if json.flaw?.isCut ?? false {
      cut = (line.number, problem)
    } else {
      output.gap(.damaged(problem: problem), positions: line.number...line.number)
    }
    return .nothing
  }

  /// Notes the figures of the whole file.
  func noteEnd(_ output: ForeignOutput) { output.noteEnd(of: source) }
}
