import XferEvents
import XferLifecycle

/// Finds the multipart upload of an event.
struct MultipartTable: Sendable {
  private var places: [CorrelationID: Int] = [:]
  /// The uploads that have ended, oldest first.
  private var ended = Ring<CorrelationID>()

  /// The maximum number of ended uploads that are kept, so that a late event is not taken for a new upload.
  private static let limit = 256

  mutating func apply(_ kind: EventModel.Upload, _ event: EventView, _ fact: Fact, process: Int, in world: inout World) -> Int? {
    guard let id = event.upload else { return nil }
    let place = places[id] ?? world.uploads.insert(MultipartLifecycle(id: id, process: process))
    places[id] = place
    let wasOpen = world.uploads[place].isOpen
    world.uploads[place].apply(kind, event, fact, process: process)
    if wasOpen, !world.uploads[place].isOpen { end(id, in: &world) }
    return place
  }

  /// Notes that a program was started again. Its open uploads belong to the new life.
  func noteLife(_ process: Int, in world: inout World) {
    guard !places.isEmpty, world.processes[process].earlierLife != nil else { return }
    for place in world.uploads.indexes
    where world.uploads[place].isOpen
      && world.processes[world.uploads[place].process].executable == world.processes[process].executable
    {
      world.uploads[place].process = process
      world.touched.append(.upload(place))
    }
  }

  private mutating func end(_ id: CorrelationID, in world: inout World) {
    ended.append(id)
    guard ended.count > Self.limit, let oldest = ended.popFirst(), let place = places.removeValue(forKey: oldest) else { return }
    world.uploads.remove(place)
  }
}
