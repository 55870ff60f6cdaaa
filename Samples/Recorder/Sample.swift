import XferScript

/// One recording: what is done to it, what the server answers, and what the app does in each of its lives.
struct Sample: Sendable {
  let name: String
  /// What was injected, in a line for people; for a near miss, what is different from its fault.
  let fault: String
  /// The rule that is to find the fault; `nil` where there is nothing to be found.
  let rule: String?
  let making: Making

  enum Making: Sendable {
    /// Process lives, one after the other, against a server that answers by these routes.
    case lives([ServerScript.Route], [Life])
    /// Events that no engine emits yet, written into a log through the store's own API.
    case synthetic(@Sendable (_ log: String) throws -> Void)
  }

  /// One process life of the app.
  struct Life: Sendable {
    let ending: Ending
    let run: @Sendable (AppLife) throws -> Void

    /// A life that ends by itself, its log closed.
    static func whole(_ run: @escaping @Sendable (AppLife) throws -> Void) -> Life { Life(ending: .returned, run: run) }

    /// A life that is to be killed on the way.
    static func killed(_ run: @escaping @Sendable (AppLife) throws -> Void) -> Life { Life(ending: .killed, run: run) }

    /// A life that its own code ends, by a trap.
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
