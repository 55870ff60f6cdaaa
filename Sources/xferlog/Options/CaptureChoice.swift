import ArgumentParser
import XferEvents

/// A `CaptureMode` as the value of an option.
enum CaptureChoice: String, ArgumentChoice {
  case hashed, redacted, full

  var mode: CaptureMode {
    switch self {
    case .hashed: .hashed
    case .redacted: .redacted
    case .full: .full
    }
  }
}
