// The Swift part of Apple's Foundation that the package uses.
@_exported import Foundation
@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC

public typealias TimeInterval = Double

// MARK: Bridging

extension String: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { fatalError() }
}
extension Array: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> [Element] { fatalError() }
}
extension Set: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSSet { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSSet, result: inout Set?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSSet, result: inout Set?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSSet?) -> Set { fatalError() }
}
extension Dictionary: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout [Key: Value]?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout [Key: Value]?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> [Key: Value] { fatalError() }
}
public protocol _StubNumber: _ObjectiveCBridgeable where _ObjectiveCType == NSNumber {}
extension _StubNumber {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}
extension Int: _StubNumber {}
extension UInt: _StubNumber {}
extension Int32: _StubNumber {}
extension Int64: _StubNumber {}
extension UInt32: _StubNumber {}
extension UInt64: _StubNumber {}
extension Double: _StubNumber {}
extension Float: _StubNumber {}
extension Bool: _StubNumber {}

// MARK: Values

public protocol ContiguousBytes { func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R }
public protocol DataProtocol: RandomAccessCollection, ContiguousBytes where Element == UInt8 {}
extension DataProtocol {
  @discardableResult public func copyBytes(to buffer: UnsafeMutableRawBufferPointer) -> Int { fatalError() }
  @discardableResult public func copyBytes<R: RangeExpression>(to buffer: UnsafeMutableRawBufferPointer, from range: R) -> Int
  where R.Bound == Index { fatalError() }
}
public protocol MutableDataProtocol: DataProtocol, MutableCollection, RangeReplaceableCollection {}
extension Array: ContiguousBytes where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
extension UnsafeRawBufferPointer: ContiguousBytes {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(self) }
}
extension UnsafeRawBufferPointer: DataProtocol {}

@frozen public struct Data: MutableDataProtocol, Hashable, Sendable, Codable, _ObjectiveCBridgeable {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let mappedIfSafe = Self(rawValue: 1)
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = Self(rawValue: 1)
    public static let withoutOverwriting = Self(rawValue: 2)
    @available(macOS, unavailable) public static let completeFileProtectionUntilFirstUserAuthentication = Self(rawValue: 4)
  }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let ignoreUnknownCharacters = Self(rawValue: 1)
  }
  public typealias Index = Int
  public typealias SubSequence = Data
  public typealias Indices = Range<Int>
  public init() { fatalError() }
  public init(count: Int) { fatalError() }
  public init(capacity: Int) { fatalError() }
  public init(bytes: UnsafeRawPointer, count: Int) { fatalError() }
  public init(repeating: UInt8, count: Int) { fatalError() }
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
  public init(contentsOf url: URL, options: ReadingOptions = []) throws { fatalError() }
  public init?(base64Encoded: String, options: Base64DecodingOptions = []) { fatalError() }
  public init(from decoder: any Decoder) throws { fatalError() }
  public func encode(to encoder: any Encoder) throws { fatalError() }
  public func write(to url: URL, options: WritingOptions = []) throws { fatalError() }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { fatalError() }
  public func base64EncodedData(options: Base64EncodingOptions = []) -> Data { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 {
    get { fatalError() }
    set { fatalError() }
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { fatalError() }
    set { fatalError() }
  }
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C) where C.Element == UInt8 {}
  public mutating func append(_ other: Data) {}
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {}
  public mutating func append(contentsOf bytes: [UInt8]) {}
  public func subdata(in range: Range<Int>) -> Data { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
  public static func == (left: Data, right: Data) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) {}
  public func _bridgeToObjectiveC() -> NSData { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Data?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Data?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data { fatalError() }
}

public struct Date: Hashable, Comparable, Sendable, Codable, _ObjectiveCBridgeable {
  public init() { fatalError() }
  public init(timeIntervalSince1970: TimeInterval) { fatalError() }
  public init(timeIntervalSinceNow: TimeInterval) { fatalError() }
  public var timeIntervalSince1970: TimeInterval { fatalError() }
  public var timeIntervalSinceNow: TimeInterval { fatalError() }
  public static var now: Date { fatalError() }
  public static let distantPast = Date()
  public static let distantFuture = Date()
  public init(from decoder: any Decoder) throws { fatalError() }
  public func encode(to encoder: any Encoder) throws { fatalError() }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { fatalError() }
  public static func + (left: Date, right: TimeInterval) -> Date { fatalError() }
  public static func < (left: Date, right: Date) -> Bool { fatalError() }
  public func _bridgeToObjectiveC() -> NSDate { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Date { fatalError() }
}
public struct DateInterval: Hashable, Sendable, _ObjectiveCBridgeable {
  public var start: Date
  public var duration: TimeInterval
  public func _bridgeToObjectiveC() -> NSDateInterval { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDateInterval, result: inout DateInterval?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDateInterval, result: inout DateInterval?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDateInterval?) -> DateInterval { fatalError() }
}
public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible, _ObjectiveCBridgeable {
  public init() { fatalError() }
  public init?(uuidString: String) { fatalError() }
  public init(from decoder: any Decoder) throws { fatalError() }
  public func encode(to encoder: any Encoder) throws { fatalError() }
  public var uuidString: String { fatalError() }
  public var description: String { fatalError() }
  public func _bridgeToObjectiveC() -> NSUUID { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSUUID, result: inout UUID?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSUUID, result: inout UUID?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSUUID?) -> UUID { fatalError() }
}
public struct URL: Hashable, Sendable, Codable, CustomStringConvertible, _ObjectiveCBridgeable {
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
  public init?(string: String) { fatalError() }
  public init?(string: String, relativeTo url: URL?) { fatalError() }
  public init(fileURLWithPath: String) { fatalError() }
  public init(fileURLWithPath: String, isDirectory: Bool) { fatalError() }
  public init(filePath: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo base: URL? = nil) { fatalError() }
  public init(from decoder: any Decoder) throws { fatalError() }
  public func encode(to encoder: any Encoder) throws { fatalError() }
  public var absoluteString: String { fatalError() }
  public var absoluteURL: URL { fatalError() }
  public var scheme: String? { fatalError() }
  public var host: String? { fatalError() }
  public func host(percentEncoded: Bool = true) -> String? { fatalError() }
  public var port: Int? { fatalError() }
  public var user: String? { fatalError() }
  public var password: String? { fatalError() }
  public var path: String { fatalError() }
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
  public var query: String? { fatalError() }
  public func query(percentEncoded: Bool = true) -> String? { fatalError() }
  public var fragment: String? { fatalError() }
  public func fragment(percentEncoded: Bool = true) -> String? { fatalError() }
  public var isFileURL: Bool { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public var pathExtension: String { fatalError() }
  public var pathComponents: [String] { fatalError() }
  public var standardized: URL { fatalError() }
  public var standardizedFileURL: URL { fatalError() }
  public func appendingPathComponent(_ component: String) -> URL { fatalError() }
  public func appendingPathComponent(_ component: String, isDirectory: Bool) -> URL { fatalError() }
  public func appending<S: StringProtocol>(path: S, directoryHint: DirectoryHint = .inferFromPath) -> URL { fatalError() }
  public func appending<S: StringProtocol>(component: S, directoryHint: DirectoryHint = .inferFromPath) -> URL { fatalError() }
  public func deletingLastPathComponent() -> URL { fatalError() }
  public func resolvingSymlinksInPath() -> URL { fatalError() }
  public static var applicationSupportDirectory: URL { fatalError() }
  public static var temporaryDirectory: URL { fatalError() }
  public mutating func setResourceValues(_ values: URLResourceValues) throws { fatalError() }
  public var description: String { fatalError() }
  public func _bridgeToObjectiveC() -> NSURL { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL { fatalError() }
}
public struct URLResourceValues: Sendable {
  public init() { fatalError() }
  public var isExcludedFromBackup: Bool? {
    get { fatalError() }
    set {}
  }
}
public struct URLQueryItem: Hashable, Sendable {
  public init(name: String, value: String?) { fatalError() }
  public var name: String {
    get { fatalError() }
    set {}
  }
  public var value: String? {
    get { fatalError() }
    set {}
  }
}
public struct URLComponents: Hashable, Sendable {
  public init() { fatalError() }
  public init?(url: URL, resolvingAgainstBaseURL: Bool) { fatalError() }
  public init?(string: String) { fatalError() }
  public init?(string: String, encodingInvalidCharacters: Bool) { fatalError() }
  public var url: URL? { fatalError() }
  public func url(relativeTo base: URL?) -> URL? { fatalError() }
  public var string: String? { fatalError() }
  public var scheme: String? {
    get { fatalError() }
    set {}
  }
  public var user: String? {
    get { fatalError() }
    set {}
  }
  public var password: String? {
    get { fatalError() }
    set {}
  }
  public var host: String? {
    get { fatalError() }
    set {}
  }
  public var encodedHost: String? {
    get { fatalError() }
    set {}
  }
  public var port: Int? {
    get { fatalError() }
    set {}
  }
  public var path: String {
    get { fatalError() }
    set {}
  }
  public var query: String? {
    get { fatalError() }
    set {}
  }
  public var fragment: String? {
    get { fatalError() }
    set {}
  }
  public var percentEncodedHost: String? {
    get { fatalError() }
    set {}
  }
  public var percentEncodedUser: String? {
    get { fatalError() }
    set {}
  }
  public var percentEncodedPassword: String? {
    get { fatalError() }
    set {}
  }
  public var percentEncodedPath: String {
    get { fatalError() }
    set {}
  }
  public var percentEncodedQuery: String? {
    get { fatalError() }
    set {}
  }
  public var percentEncodedFragment: String? {
    get { fatalError() }
    set {}
  }
  public var queryItems: [URLQueryItem]? {
    get { fatalError() }
    set {}
  }
  public var percentEncodedQueryItems: [URLQueryItem]? {
    get { fatalError() }
    set {}
  }
}
public struct CharacterSet: Hashable, Sendable {
  public static var alphanumerics: CharacterSet { fatalError() }
  public static var whitespaces: CharacterSet { fatalError() }
  public static var whitespacesAndNewlines: CharacterSet { fatalError() }
  public static var urlPathAllowed: CharacterSet { fatalError() }
  public static var urlQueryAllowed: CharacterSet { fatalError() }
}
extension StringProtocol {
  public func addingPercentEncoding(withAllowedCharacters: CharacterSet) -> String? { fatalError() }
  public var removingPercentEncoding: String? { fatalError() }
  public func components<T: StringProtocol>(separatedBy: T) -> [String] { fatalError() }
  public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
}
public struct URLRequest: Hashable, Sendable, _ObjectiveCBridgeable {
  public typealias CachePolicy = NSURLRequest.CachePolicy
  public typealias NetworkServiceType = NSURLRequest.NetworkServiceType
  public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0) { fatalError() }
  public var url: URL? {
    get { fatalError() }
    set {}
  }
  public var cachePolicy: CachePolicy {
    get { fatalError() }
    set {}
  }
  public var timeoutInterval: TimeInterval {
    get { fatalError() }
    set {}
  }
  public var allowsCellularAccess: Bool {
    get { fatalError() }
    set {}
  }
  public var httpMethod: String? {
    get { fatalError() }
    set {}
  }
  public var allHTTPHeaderFields: [String: String]? {
    get { fatalError() }
    set {}
  }
  public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
  public var httpBody: Data? {
    get { fatalError() }
    set {}
  }
  public func _bridgeToObjectiveC() -> NSURLRequest { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest { fatalError() }
}
extension URLSessionTaskTransactionMetrics {
  public var localPort: Int? { fatalError() }
  public var remotePort: Int? { fatalError() }
}

// MARK: Coding

open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = Self(rawValue: 1)
    public static let sortedKeys = Self(rawValue: 2)
    public static let withoutEscapingSlashes = Self(rawValue: 8)
  }
  public init() {}
  open var outputFormatting: OutputFormatting {
    get { [] }
    set {}
  }
  open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
open class JSONDecoder: @unchecked Sendable {
  public init() {}
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

// MARK: Errors

extension NSError: @unchecked Sendable {}
extension NSError: Error {
  @nonobjc public var _domain: String { fatalError() }
  @nonobjc public var _code: Int { code }
  @nonobjc public var _userInfo: AnyObject? { nil }
}
public func _bridgeErrorToNSError(_ error: __owned any Error) -> NSError { fatalError() }
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
public let _nilObjCError: any Error = CocoaError(.fileNoSuchFile)
extension Error { public var localizedDescription: String { fatalError() } }
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
}
extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
}
public protocol CustomNSError: Error {}

public struct CocoaError: Error, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var fileNoSuchFile: Code { Code(rawValue: 4) }
    public static var fileReadNoPermission: Code { Code(rawValue: 257) }
    public static var fileReadNoSuchFile: Code { Code(rawValue: 260) }
    public static var fileWriteNoPermission: Code { Code(rawValue: 513) }
    public static var fileWriteFileExists: Code { Code(rawValue: 516) }
    public static var fileWriteOutOfSpace: Code { Code(rawValue: 640) }
    public static var fileWriteVolumeReadOnly: Code { Code(rawValue: 642) }
  }
  public let code: Code
  public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
}
public struct URLError: Error, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var cancelled: Code { Code(rawValue: -999) }
    public static var timedOut: Code { Code(rawValue: -1001) }
    public static var badServerResponse: Code { Code(rawValue: -1011) }
  }
  public let code: Code
  public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
}

// MARK: Scoped locking

extension NSLocking {
  public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}

extension String {
  public struct Encoding: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let ascii = Self(rawValue: 1), utf8 = Self(rawValue: 4), isoLatin1 = Self(rawValue: 5)
  }
  public init?(data: Data, encoding: Encoding) { fatalError() }
  public init(contentsOf url: URL, encoding: Encoding) throws { fatalError() }
}

extension StringProtocol {
  public func write(to url: URL, atomically useAuxiliaryFile: Bool, encoding: String.Encoding) throws { fatalError() }
}
