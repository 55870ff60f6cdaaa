/// Memory that recorded events lie in, and the source that says what they mean.
///
/// Every event keeps its page. What was decompressed for reading goes when the last of its events does; a page of a file
/// that is mapped owns nothing itself.
package final class RecordPage {
  package let source: RecordSource
  private let bytes: AnyObject?

  /// - Parameter bytes: whatever keeps the memory alive beyond what the source keeps.
  package init(source: RecordSource, bytes: AnyObject? = nil) {
    self.source = source
    self.bytes = bytes
  }
}
