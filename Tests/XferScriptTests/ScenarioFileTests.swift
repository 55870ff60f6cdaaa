import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct ScenarioFileTests {
  private static func yaml(_ twin: String) -> String {
    """
    scenario: wrong
    actors:
      reader:
        app: Reader
        on: { completed: [leave] }
    steps: [{ launch: reader }]
    expect: { findings: [a] }
    \(twin)
    """
  }

  @Test func `A twin is the scenario with one line replaced, and has an expectation of its own`() throws {
    let file = try ScenarioFile(
      yaml: Self.yaml(
        """
        twin:
          scenario: right
          replace: "{ completed: [leave] }"
          with: "{ completed: [default] }"
          expect: { findings: [], requests: 1 }
        """))
    let twin = try #require(file.twin)
    #expect(file.scenario.title == "wrong" && twin.title == "right")
    #expect(file.scenario.expectation.findings == ["a"] && twin.expectation.findings == [] && twin.expectation.requests == 1)
    #expect(file.scenario.actors[0].yaml.contains("leave") && twin.actors[0].yaml.contains("default"))
    #expect(twin.steps.map(\.action) == file.scenario.steps.map(\.action))
  }

  @Test func `A scenario without a twin has none`() throws { #expect(try ScenarioFile(yaml: Self.yaml("")).twin == nil) }

  @Test func `An actor's script keeps its lines, so that messages of the app have places of the scenario`() throws {
    let actor = try ScenarioFile(yaml: Self.yaml("")).scenario.actors[0]
    let lines = actor.yaml.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[4].contains("completed") && !lines[3].contains("completed"), "\(actor.yaml)")
    #expect(try ActorScript(yaml: actor.yaml).reactions[.completed]?[0].line == 5)
    let block = try ScenarioFile(
      yaml: "scenario: x\nsteps: []\nactors:\n  a:\n    app: A\n    launch:\n      - { note: seven }\n\n      - note: nine\n"
    ).scenario.actors[0]
    #expect(try ActorScript(yaml: block.yaml).always.map(\.line) == [7, 9], "\(block.yaml)")
  }

  @Test(arguments: [#"quoted "text" \ and $SERVER"#, "two\nlines\tand a tab", "null", "~", "", "# no comment", "ü 🐟", "a: b"])
  func `An actor's texts survive`(text: String) throws {
    let quoted = "'" + text.replacing("'", with: "''").replacing("\n", with: "\n\n") + "'"
    let actor = try ScenarioFile(
      yaml: "scenario: x\nsteps: []\nactors: { a: { app: A, launch: [{ note: \(quoted) }] } }"
    ).scenario.actors[0]
    #expect(try ActorScript(yaml: actor.yaml).always[0].arguments.text("text") == text)
  }

  @Test(arguments: [
    ("replace: nowhere\n  with: x", "s.yaml:10:12: twin.replace: the text is in no line of the scenario."),
    ("replace: reader\n  with: x", "s.yaml:10:12: twin.replace: the text is in the lines 3, 6 of the scenario."),
    ("replace: \"a\\nb\"\n  with: x", "s.yaml:10:12: twin.replace: the text has several lines."),
    ("replace: \"\"\n  with: x", "s.yaml:10:12: twin.replace: the replaced text is empty."),
    ("replace: e\n  with: x", "s.yaml:10:12: twin.replace: the text is in the lines 1, 3, 4,"),
    ("replace: \"ll\"\n  with: ll", "s.yaml:10:12: twin.replace: the text is in no line"),
    ("replace: leave\n  with: leave", "s.yaml:10:12: twin.replace: the twin does not differ."),
    ("replace: leave", "s.yaml:9:3: twin: `with` is missing."),
    ("with: leave", "s.yaml:9:3: twin: `replace` is missing."),
    ("replace: leave\n  wit: leave", "s.yaml:11:3: twin: unknown key `wit`.\nDid you mean `with`?"),
    (
      "replace: leave\n  with: leavee",
      "s.yaml:5:23: actors.reader.on.completed[0]: unknown action `leavee`.\nDid you mean `leave`?"
    ),
  ])
  func `A mistake in a twin has a place`(twin: String, message: String) {
    let yaml = Self.yaml("twin:\n  scenario: right\n  \(twin)")
    let error = #expect(throws: ScriptError.self) { try ScenarioFile(yaml: yaml, file: "s.yaml") }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: ["../reader", ".hidden", "a/b", "a b", "\"\""])
  func `The name of an actor is the name of a program`(name: String) {
    #expect(throws: ScriptError.self) { try ScenarioFile(yaml: "scenario: x\nsteps: []\nactors: { \(name): { app: A } }") }
  }
}
