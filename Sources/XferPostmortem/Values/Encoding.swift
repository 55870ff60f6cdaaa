/// Documents contain a member for each field of an object. A value that is missing is `null`, where Swift's own functions of these names
/// leave the member out.
extension KeyedEncodingContainer {
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encode(value, forKey: key) }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encode(value, forKey: key) }
  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try encode(value, forKey: key) }
}
