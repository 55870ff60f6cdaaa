/// A segment that a reader left out without opening its index, because it has no wanted event.
struct LeftOutSegment {
  let path: String
  let input: Int
  /// The number in the name of the file, or in the header.
  let number: UInt32
  let header: SegmentHeader
}
