/// A table of values by symbol.
///
/// A source numbers its definitions from 1 without holes. Damaged or malicious logs may have holes of any size; a symbol far
/// beyond the number of definitions is stored in a dictionary, so that holes take no memory.
package struct SymbolTable<Value> {
  @usableFromInline var near: [Value?] = []
  @usableFromInline var far: [UInt32: Value] = [:]
  private var count = 0

  /// The number of unused entries that the array may have regardless of the number of definitions.
  private static var slack: Int { 1024 }

  package init() {}

  @inlinable
  package subscript(_ symbol: UInt32) -> Value? {
    @inline(__always) get {
      if Int(symbol) < near.count, let value = near[Int(symbol)] { return value }
      return far.isEmpty ? nil : far[symbol]
    }
  }

  package mutating func set(_ value: Value, at symbol: UInt32) {
    count += 1
    guard Int(symbol) < near.count || Int(symbol) <= 2 * count + Self.slack else {
      far[symbol] = value
      return
    }
    far[symbol] = nil
    while near.count <= Int(symbol) { near.append(nil) }
    near[Int(symbol)] = value
  }

  /// Frees the room for further values.
  mutating func trim() {
    // A copy of an array has the room that its elements need.
    near = near.map { $0 }
  }

  /// All values, in the order of their symbols.
  package var all: [(symbol: UInt32, value: Value)] {
    near.enumerated().compactMap { place, value in value.map { (UInt32(place), $0) } }
      + far.sorted { $0.key < $1.key }.map { (symbol: $0.key, value: $0.value) }
  }
}

extension SymbolTable: Sendable where Value: Sendable {}
