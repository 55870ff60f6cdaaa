/// Stores a value that is usually empty out of line: one word while it is empty, and its own allocation afterwards.
@propertyWrapper
package struct OutOfLine<Value: EmptyInitializable & Sendable>: Sendable {
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

/// A type with an empty initial value.
package protocol EmptyInitializable {
  init()
}

extension Optional: EmptyInitializable {
  package init() { self = nil }
}
