/// The arguments of a step's action, by key. All keys and types were checked.
package struct ActorArguments: Sendable {
  package private(set) var values: [String: Value]

  package indirect enum Value: Sendable {
    case text(String)
    /// An explicit null.
    case none
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case duration(Duration)
    case steps([ActorStep])
    case pairs([(name: String, value: String)])
    case mapping(ActorArguments)
  }

  package init(_ values: [String: Value] = [:]) { self.values = values }

  package subscript(key: String) -> Value? { values[key] }

  package func text(_ key: String) -> String? { if case .text(let text)? = values[key] { text } else { nil } }
  package func flag(_ key: String) -> Bool? { if case .flag(let flag)? = values[key] { flag } else { nil } }
  package func integer(_ key: String) -> Int? { if case .integer(let number)? = values[key] { number } else { nil } }
  package func number(_ key: String) -> Double? { if case .number(let number)? = values[key] { number } else { nil } }
  package func duration(_ key: String) -> Duration? { if case .duration(let time)? = values[key] { time } else { nil } }
  package func steps(_ key: String) -> [ActorStep] { if case .steps(let steps)? = values[key] { steps } else { [] } }
  package func mapping(_ key: String) -> ActorArguments? { if case .mapping(let inner)? = values[key] { inner } else { nil } }

  package func pairs(_ key: String) -> [(name: String, value: String)] {
    if case .pairs(let pairs)? = values[key] { pairs } else { [] }
  }

  /// Whether the key has an explicit null or the text `none`.
  package func isNone(_ key: String) -> Bool {
    switch values[key] {
    case .none?: true
    case .text("none")?: true
    default: false
    }
  }
}
