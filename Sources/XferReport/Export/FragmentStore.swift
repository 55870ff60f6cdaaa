/// A place for pieces of a document whose final order is known only at the end, such as the events of each task. Its memory does not grow
/// with the size of the pieces.
package protocol FragmentStore: AnyObject {
  /// Adds a piece to a group. Groups are numbered from 0 without holes.
  ///
  /// - Parameter key: the pieces of a group are read in the order of their keys; equal keys keep the order in which they were added.
  func append(_ bytes: UnsafeRawBufferPointer, to group: Int, key: Int64) throws

  /// Moves to the first piece of a group.
  func begin(_ group: Int) throws

  /// Appends the next piece of the group to a text.
  ///
  /// - Returns: `false` behind the last piece.
  func next(into text: inout TextBuffer) throws -> Bool
}
