// The Swift part of Apple's ObjectiveC module that the package uses.
@_exported import ObjectiveC

@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
  var value: Bool
  public init(_ value: Bool) { self.value = value }
  public var boolValue: Bool { value }
  public init(booleanLiteral value: Bool) { self.init(value) }
}
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(x) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.boolValue }

// Not Sendable: Apple's documentation does not list this conformance.
@frozen public struct Selector: ExpressibleByStringLiteral, Hashable, CustomStringConvertible {
  var ptr: OpaquePointer
  public init(_ string: String) { fatalError() }
  public init(unicodeScalarLiteral value: String) { self.init(value) }
  public init(extendedGraphemeClusterLiteral value: String) { self.init(value) }
  public init(stringLiteral value: String) { self.init(value) }
  public var description: String { fatalError() }
}
extension String { public init(_sel: Selector) { fatalError() } }

public struct NSZone { var pointer: OpaquePointer }

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension NSObject: Equatable, Hashable {
  open var hashValue: Int { fatalError() }
  public static func == (left: NSObject, right: NSObject) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) {}
}
extension NSObject: CVarArg {
  public var _cVarArgEncoding: [Int] { fatalError() }
}
