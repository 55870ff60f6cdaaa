import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct ActorTests {
  @Test(arguments: ActorMistake.all)
  func `A mistake in an app's script is reported with its line and column, and with what to write`(_ mistake: ActorMistake) {
    let error = #expect(throws: ScriptError.self) { try ActorScript(yaml: mistake.yaml, file: "a.yaml") }
    #expect(error?.description.hasPrefix(mistake.message) == true, "\(error?.description ?? "")")
  }

  @Test func `A script is parsed into its steps, with their conditions, delays and queues`() throws {
    let script = try ActorScript(
      yaml: """
        app: Reader
        suspendable: false
        launch:
          always: [{ session: com.example.reader }]
          events: [{ note: woken }]
        on:
          finished:
            - move: { to: $FILES/pot, replacing: false }
              on: global
              after: 100ms
              when: { task: pot, status: ok, nth: 2 }
              otherwise: [crash]
            - { note: again, times: 3, every: 1s }
          handle-events:
        """)
    #expect(script.title == "Reader" && !script.isSuspendable)
    #expect(script.always.map(\.verb) == ["session"] && script.always[0].arguments.text("identifier") == "com.example.reader")
    #expect(script.launches[.events]?.map(\.verb) == ["note"])
    let finished = try #require(script.reactions[.finished])
    #expect(finished[0].arguments.text("to") == "$FILES/pot" && finished[0].arguments.flag("replacing") == false)
    #expect(finished[0].queue == .global && finished[0].delay == .milliseconds(100))
    #expect(finished[0].condition?.task == "pot" && finished[0].condition?.status == "ok" && finished[0].condition?.nth == 2)
    #expect(finished[0].otherwise.map(\.verb) == ["crash"])
    #expect(finished[1].times == 3 && finished[1].interval == .seconds(1))
    #expect(script.reactions[.handleEvents]?.isEmpty == true)
    #expect(script.reactions[.completed] == nil)
  }

  @Test func `A deeply nested script is an error`() {
    let nested = String(repeating: "[{ do: ", count: 30) + "leave" + String(repeating: "}]", count: 30)
    let error = #expect(throws: ScriptError.self) { try ActorScript(yaml: "app: A\nlaunch: \(nested)", file: "a.yaml") }
    #expect(error?.problem == "the value is nested too deeply")
  }
}
