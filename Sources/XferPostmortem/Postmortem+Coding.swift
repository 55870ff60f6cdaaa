import XferDiagnosis

extension Postmortem {
  /// The name and version of the document.
  private static let schema = "xferlog.replay/1"

  private enum CodingKeys: String, CodingKey {
    case schema, tasks, verdict, complete, incompleteBecause, exitCode, events, unmodelled, late, inversions, userRules, limits
    case window, acceptance, inputs, processes, sessions, wakes, findings, groups, undecided
  }

  /// Decodes a document that `xferlog replay -o json` printed. The groups of `--group-by` are left out.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let schema = try container.decode(String.self, forKey: .schema)
    guard schema == Self.schema else {
      throw DecodingError.dataCorruptedError(
        forKey: .schema, in: container,
        debugDescription: "the document is '\(schema)' instead of '\(Self.schema)', which `xferlog replay -o json` prints")
    }
    tasks = try container.decode([TransferTask].self, forKey: .tasks)
    verdict = try container.decode(Verdict.self, forKey: .verdict)
    isComplete = try container.decode(Bool.self, forKey: .complete)
    incompleteBecause = try container.decode([String].self, forKey: .incompleteBecause)
    exitCode = try container.decode(Int.self, forKey: .exitCode)
    events = try container.decode(Int.self, forKey: .events)
    unmodelled = try container.decode(Int.self, forKey: .unmodelled)
    late = try container.decode(Int.self, forKey: .late)
    inversions = try container.decode(Int.self, forKey: .inversions)
    userRules = try container.decode([UserRule].self, forKey: .userRules)
    limits = try container.decode([Limit].self, forKey: .limits)
    window = try container.decodeIfPresent(Window.self, forKey: .window)
    acceptance = try container.decodeIfPresent(Acceptance.self, forKey: .acceptance)
    inputs = try container.decode([Input].self, forKey: .inputs)
    processes = try container.decode([ProcessLife].self, forKey: .processes)
    sessions = try container.decode([Session].self, forKey: .sessions)
    wakes = try container.decode([Wake].self, forKey: .wakes)
    findings = try container.decode([Finding].self, forKey: .findings)
    undecided = try container.decode([Undecided].self, forKey: .undecided)
    explain(with: .catalogue)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.schema, forKey: .schema)
    try container.encode(tasks, forKey: .tasks)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(isComplete, forKey: .complete)
    try container.encode(incompleteBecause, forKey: .incompleteBecause)
    try container.encode(exitCode, forKey: .exitCode)
    try container.encode(events, forKey: .events)
    try container.encode(unmodelled, forKey: .unmodelled)
    try container.encode(late, forKey: .late)
    try container.encode(inversions, forKey: .inversions)
    try container.encode(userRules, forKey: .userRules)
    try container.encode(limits, forKey: .limits)
    try container.encode(window, forKey: .window)
    try container.encode(acceptance, forKey: .acceptance)
    try container.encode(inputs, forKey: .inputs)
    try container.encode(processes, forKey: .processes)
    try container.encode(sessions, forKey: .sessions)
    try container.encode(wakes, forKey: .wakes)
    try container.encode(findings, forKey: .findings)
    try container.encode([String](), forKey: .groups)
    try container.encode(undecided, forKey: .undecided)
  }
}
