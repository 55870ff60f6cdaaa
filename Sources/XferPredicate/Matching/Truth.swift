/// The answer to a condition. It is unknown if the log does not hold a value that decides.
package enum Truth: UInt8, Sendable {
  case no, unknown, yes

  @inline(__always)
  package init(_ holds: Bool) { self = holds ? .yes : .no }

  package var negated: Truth {
    switch self {
    case .no: .yes
    case .unknown: .unknown
    case .yes: .no
    }
  }
}
