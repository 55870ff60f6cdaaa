import XferScript

/// One recording: its injected fault, the server's responses, and the app's actions in each of its processes.
struct Sample: Sendable {
  let name: String
  /// A one-line description of the injected fault. For a near miss, the difference from the fault.
  let fault: String
  /// The rule that reports the fault. `nil` means no finding is expected.
  let rule: String?
  let making: Making

  enum Making: Sendable {
    /// A sequence of app processes, and a server with the given routes.
    case lives([ServerScript.Route], [Life])
    /// Events that no engine emits yet, written with the log store's own API.
    case synthetic(@Sendable (_ log: String) throws -> Void)
  }

  /// One process of the app.
  struct Life: Sendable {
    let ending: Ending
    let run: @Sendable (AppLife) throws -> Void

    /// Returns a process that exits normally after closing its log.
    static func whole(_ run: @escaping @Sendable (AppLife) throws -> Void) -> Life { Life(ending: .returned, run: run) }

    /// Returns a process that is killed during its work.
    static func killed(_ run: @escaping @Sendable (AppLife) throws -> Void) -> Life { Life(ending: .killed, run: run) }

    /// Returns a process that crashes in its own code with a trap.
    static func trapped(_ run: @escaping @Sendable (AppLife) throws -> Void) -> Life { Life(ending: .trapped, run: run) }
  }

  enum Ending: Sendable, Equatable {
    case returned, killed, trapped
  }

  init(_ name: String, fault: String, rule: String? = nil, _ making: Making) {
    self.name = name
    self.fault = fault
    self.rule = rule
    self.making = making
  }
}
