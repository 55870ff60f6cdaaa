import ArgumentParser
import XferEvents

/// `CaptureMode` as an option's value.
enum CaptureChoice: String, ExpressibleByArgument, CaseIterable {
  case hashed, redacted, full

  var mode: CaptureMode {
    switch self {
    case .hashed: .hashed
    case .redacted: .redacted
    case .full: .full
    }
  }
}
