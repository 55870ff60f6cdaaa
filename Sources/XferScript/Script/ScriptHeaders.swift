/// A list of header fields that keeps their order and repetitions.
public struct ScriptHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public var fields: [Field]

  public init(_ fields: [Field] = []) { self.fields = fields }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }

  /// Returns the first value of a field, ignoring the case of its name.
  public subscript(name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }

  /// Returns all values of a field in order, ignoring the case of its name.
  public func values(_ name: String) -> [String] {
    let wanted = name.lowercased()
    return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
  }

  mutating func append(_ name: String, _ value: String) { fields.append(Field(name, value)) }
}
