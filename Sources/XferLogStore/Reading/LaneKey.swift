import XferEvents

/// A lane of one process life.
struct LaneKey: Hashable {
  let launch: LaunchID
  let number: UInt32
}
