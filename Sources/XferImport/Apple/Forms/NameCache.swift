/// Strings for the names that recur in a log, so that the same name does not need memory for each record.
struct NameCache {
  private let known = ByteCache<String>(places: 128)

  /// Returns a name as a string; `nil` if it is empty.
  func name(_ bytes: UnsafeRawBufferPointer) -> String? { bytes.isEmpty ? nil : known.value(for: bytes) { $0.text } }
}
