/// Names that an app uses in each of its launches.
enum ProgramName {
  /// Returns the FNV-1a hash of this program and a name. Later launches of a program get the same number, and other programs get a
  /// different one.
  static func number(of name: String) -> UInt64 {
    "\(BackgroundLink.executablePath)\n\(name)".utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
