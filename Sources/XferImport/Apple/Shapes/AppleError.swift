package import XferEvents

/// An error as Foundation prints it: its domain, its code, and what its dictionary says about the transfer.
package struct AppleError: Hashable, Sendable {
  package var domain: ErrorDomain?
  package var code: Int?
  package var reason: CancelReason?
  /// The errno of the connection; `nil` if unknown.
  package var osError: Int?
  /// The reason why the network path could not be used; `nil` if the error does not describe the path.
  package var unsatisfied: UnsatisfiedReason?
  package var type: TaskType?
  package var sessionKind: SessionKind?

  /// - Parameter text: for example `Error Domain=NSURLErrorDomain Code=-999 "cancelled" UserInfo={…}`.
  package init(_ text: String) {
    var text = text
    text.withUTF8 { bytes in read(UnsafeRawBufferPointer(bytes)) }
  }

  package init(domain: ErrorDomain?, code: Int?) { (self.domain, self.code) = (domain, code) }

  private mutating func read(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.first("Error Domain=") {
      // A pasted line may be broken before the code.
      let name = bytes[(start + 13)...].prefix { $0 > 0x20 }
      if !name.isEmpty { domain = ErrorDomain(foundation: UnsafeRawBufferPointer(rebasing: name)) }
      var scanner = ByteScanner(bytes)
      scanner.move(to: bytes[name.endIndex...].firstIndex { $0 > 0x20 } ?? bytes.count)
      if scanner.take("Code=") { code = scanner.takeInteger().map { Int($0) } }
    } else if let found = Self.integer(bytes, "NSURLErrorDomain Code=") ?? Self.integer(bytes, "NSURLErrorDomain error ") {
      (domain, code) = (.url, Int(found))
    }
    reason = Self.integer(bytes, "NSURLErrorBackgroundTaskCancelledReasonKey=").flatMap(CancelReason.init(foundation:))
    if Self.integer(bytes, "_kCFStreamErrorDomainKey=") == 1 {
      osError = Self.integer(bytes, "_kCFStreamErrorCodeKey=").map { Int($0) }
    }
    if let key = bytes.first("_NSURLErrorNWPathKey=") {
      let path = UnsafeRawBufferPointer(rebasing: bytes[(key + 21)...].prefix(64))
      unsatisfied = UnsatisfiedReason(pathDescription: String(decoding: path, as: UTF8.self))
    }
    for (name, type) in [("DownloadTask <", TaskType.download), ("UploadTask <", .upload), ("DataTask <", .data)] {
      if bytes.first(Array("Background\(name)".utf8), from: 0) != nil {
        (self.type, sessionKind) = (type, .background)
        return
      }
      if bytes.first(Array("Local\(name)".utf8), from: 0) != nil { self.type = self.type ?? type }
    }
  }

  private static func integer(_ bytes: UnsafeRawBufferPointer, _ key: StaticString) -> Int64? {
    guard let place = bytes.first(key) else { return nil }
    var scanner = ByteScanner(bytes)
    scanner.move(to: place + key.utf8CodeUnitCount)
    return scanner.takeInteger()
  }

  package var isCancellation: Bool { code == -999 && (domain == .url || domain == nil) }
  package var isTimeout: Bool { code == -1001 && (domain == .url || domain == nil) }
}

extension ErrorDomain {
  init(foundation name: UnsafeRawBufferPointer) {
    switch true {
    case name.equals("NSURLErrorDomain"): self = .url
    case name.equals("NSPOSIXErrorDomain"): self = .posix
    case name.equals("NSCocoaErrorDomain"): self = .cocoa
    case name.equals("kCFErrorDomainCFNetwork"): self = .cfnetwork
    default: self = .other
    }
  }
}

extension CancelReason {
  /// The value of `NSURLErrorBackgroundTaskCancelledReasonKey`; `nil` for an unknown one.
  init?(foundation value: Int64) {
    switch value {
    case 0: self = .userForceQuit
    case 1: self = .backgroundUpdatesDisabled
    case 2: self = .insufficientResources
    default: return nil
    }
  }
}
