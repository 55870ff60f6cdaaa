/// A number of bytes that is shown as `512 B` or `33.2 MiB`, truncated to one digit after the point.
package struct ByteCount: Hashable, Sendable, CustomStringConvertible {
  package let bytes: Int64

  package init(_ bytes: Int64) { self.bytes = bytes }

  private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  package var description: String {
    if bytes.magnitude < 1024 { return "\(bytes) B" }
    var scale: UInt64 = 1024
    var place = 0
    while place + 1 < Self.units.count, bytes.magnitude / scale >= 1024 {
      scale *= 1024
      place += 1
    }
    let (whole, rest) = bytes.magnitude.quotientAndRemainder(dividingBy: scale)
    // Computes tenths without overflow: the remainder is below the scale, which is at most 2^60.
    let tenths = rest / (scale / 16) * 10 / 16
    let exact = scale <= 1 << 50 ? rest * 10 / scale : tenths
    let number = exact == 0 ? "\(whole)" : "\(whole).\(exact)"
    return "\(bytes < 0 ? "-" : "")\(number) \(Self.units[place])"
  }
}
