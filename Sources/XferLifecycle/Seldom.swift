/// A value that few have anything in: it takes a word until it is set, and a place of its own from then on.
@propertyWrapper
package struct Seldom<Value: StartingEmpty & Sendable>: Sendable {
  private enum Content: Sendable {
    case empty
    indirect case value(Value)
  }

  private var content = Content.empty

  package init() {}

  package var wrappedValue: Value {
    get { if case .value(let value) = content { value } else { Value() } }
    set { content = .value(newValue) }
  }
}

/// What is made without anything in it.
package protocol StartingEmpty {
  init()
}

extension Optional: StartingEmpty {
  package init() { self = nil }
}
