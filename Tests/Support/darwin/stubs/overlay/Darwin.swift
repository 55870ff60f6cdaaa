// The Swift part of Apple's Darwin module: macros and variadic functions that Swift cannot import from C.
@_exported import Darwin

public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { fatalError() }
public func ioctl(_ fd: CInt, _ request: UInt, _ value: CInt) -> CInt { fatalError() }
public func ioctl(_ fd: CInt, _ request: UInt, _ ptr: UnsafeMutableRawPointer) -> CInt { fatalError() }
public func ioctl(_ fd: CInt, _ request: UInt) -> CInt { fatalError() }

public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFBLK: mode_t { 0o060000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }
public var S_IRWXU: mode_t { 0o000700 }
public var S_IRUSR: mode_t { 0o000400 }
public var S_IWUSR: mode_t { 0o000200 }
public var S_IXUSR: mode_t { 0o000100 }
public var S_IRWXG: mode_t { 0o000070 }
public var S_IRGRP: mode_t { 0o000040 }
public var S_IWGRP: mode_t { 0o000020 }
public var S_IXGRP: mode_t { 0o000010 }
public var S_IRWXO: mode_t { 0o000007 }
public var S_IROTH: mode_t { 0o000004 }
public var S_IWOTH: mode_t { 0o000002 }
public var S_IXOTH: mode_t { 0o000001 }
public var S_ISUID: mode_t { 0o004000 }
public var S_ISGID: mode_t { 0o002000 }
public var S_ISVTX: mode_t { 0o001000 }

public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }
public var SIG_ERR: sig_t { unsafeBitCast(-1, to: sig_t.self) }

public let MAP_FAILED: UnsafeMutableRawPointer! = UnsafeMutableRawPointer(bitPattern: -1)

@frozen public struct DarwinBoolean: ExpressibleByBooleanLiteral, Sendable {
  var value: UInt8
  public init(_ value: Bool) { self.value = value ? 1 : 0 }
  public var boolValue: Bool { value != 0 }
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension timespec { public init(_ duration: Duration) { fatalError() } }
extension timeval { public init(_ duration: Duration) { fatalError() } }

public var stdin: UnsafeMutablePointer<FILE> {
  get { __stdinp }
  set { __stdinp = newValue }
}
public var stdout: UnsafeMutablePointer<FILE> {
  get { __stdoutp }
  set { __stdoutp = newValue }
}
public var stderr: UnsafeMutablePointer<FILE> {
  get { __stderrp }
  set { __stderrp = newValue }
}

public var TIOCGWINSZ: UInt { 0x4008_7468 }
public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { _NSGetEnviron().pointee! }
