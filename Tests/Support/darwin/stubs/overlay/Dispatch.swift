// The part of Apple's Dispatch that the package uses. Zig's headers of Dispatch are for C only, so everything is declared here.
import ObjectiveC

open class DispatchObject: NSObject, @unchecked Sendable {
  open func activate() {}
  open func suspend() {}
  open func resume() {}
}
public struct DispatchTime: Comparable, Sendable {
  public static func now() -> DispatchTime { fatalError() }
  public static let distantFuture = DispatchTime.now()
  public init(uptimeNanoseconds: UInt64) {}
  public var uptimeNanoseconds: UInt64 { fatalError() }
  public static func < (left: DispatchTime, right: DispatchTime) -> Bool { fatalError() }
  public static func + (left: DispatchTime, right: DispatchTimeInterval) -> DispatchTime { fatalError() }
  public static func + (left: DispatchTime, right: Double) -> DispatchTime { fatalError() }
}
public struct DispatchWallTime: Comparable, Sendable {
  public static func now() -> DispatchWallTime { fatalError() }
  public static func < (left: DispatchWallTime, right: DispatchWallTime) -> Bool { fatalError() }
}
public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}
public enum DispatchTimeoutResult: Sendable { case success, timedOut }
public struct DispatchQoS: Equatable, Sendable {
  public static let background = DispatchQoS(), utility = DispatchQoS(), `default` = DispatchQoS()
  public static let userInitiated = DispatchQoS(), userInteractive = DispatchQoS(), unspecified = DispatchQoS()
  public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
  public init() {}
}
public struct DispatchWorkItemFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let barrier = Self(rawValue: 1)
}
public class DispatchWorkItem: @unchecked Sendable {
  public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], block: @escaping @convention(block) () -> Void)
  {}
  public func cancel() {}
  public func perform() {}
  public var isCancelled: Bool { fatalError() }
}
public class DispatchGroup: DispatchObject, @unchecked Sendable {
  public func enter() {}
  public func leave() {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}
public class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) {}
  @available(*, noasync) public func wait() {}
  @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
  @discardableResult public func signal() -> Int { fatalError() }
}
public class DispatchQueue: DispatchObject, @unchecked Sendable {
  public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Self(rawValue: 1), initiallyInactive = Self(rawValue: 2)
  }
  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) { self.init() }
  public class var main: DispatchQueue { fatalError() }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  public var label: String { fatalError() }
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func async(execute item: DispatchWorkItem) {}
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
}
public final class DispatchSpecificKey<T>: Sendable { public init() {} }

public protocol DispatchSourceProtocol: NSObjectProtocol {
  func setEventHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (@convention(block) () -> Void)?)
  func setCancelHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (@convention(block) () -> Void)?)
  func cancel()
  func resume()
  func suspend()
  func activate()
  var data: UInt { get }
  var handle: UInt { get }
  var isCancelled: Bool { get }
}
extension DispatchSourceProtocol {
  public func setEventHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: (@convention(block) () -> Void)?
  ) {}
  public func setCancelHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: (@convention(block) () -> Void)?
  ) {}
  public func cancel() {}
  public func resume() {}
  public func suspend() {}
  public func activate() {}
  public var data: UInt { 0 }
  public var handle: UInt { 0 }
  public var isCancelled: Bool { false }
}
public protocol DispatchSourceRead: DispatchSourceProtocol {}
public protocol DispatchSourceWrite: DispatchSourceProtocol {}
public protocol DispatchSourceTimer: DispatchSourceProtocol {
  func schedule(deadline: DispatchTime, repeating: DispatchTimeInterval, leeway: DispatchTimeInterval)
}
extension DispatchSourceTimer {
  public func schedule(
    deadline: DispatchTime, repeating: DispatchTimeInterval = .never, leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {}
}
public protocol DispatchSourceSignal: DispatchSourceProtocol {}
public protocol DispatchSourceProcess: DispatchSourceProtocol {}
public class DispatchSource: DispatchObject, @unchecked Sendable {
  public struct TimerFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public class func makeReadSource(fileDescriptor: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceRead { fatalError() }
  public class func makeWriteSource(fileDescriptor: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceWrite {
    fatalError()
  }
  public class func makeTimerSource(flags: TimerFlags = [], queue: DispatchQueue? = nil) -> any DispatchSourceTimer {
    fatalError()
  }
  public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal { fatalError() }
}
