package import XferEvents

/// What a response says of the whole resource, by which parts of it are known to belong together.
///
/// It never changes, and a task holds several: so each holder has a reference only.
package final class Entity: Sendable {
  package let response: Fact
  package let etag: RecordedText?
  package let lastModified: RecordedText?
  /// In bytes; `nil` when the server does not say.
  package let size: Int64?

  package enum Difference: String, Sendable {
    case entityTag = "entity tag"
    case date, size
  }

  init(_ event: EventView, _ fact: Fact) {
    response = fact
    etag = event.etag
    lastModified = event.lastModified
    let status = event.status
    size = status == 206 || status == 416 ? event.rangeTotal : event.expected
  }

  /// What shows that the other is not the same entity; `nil` when nothing does.
  package func difference(from other: Entity) -> Difference? {
    if let size, let otherSize = other.size, size != otherSize { return .size }
    // Strong tags decide: of one entity, two servers may have two dates.
    if let tag = strongTag, let otherTag = other.strongTag { return tag == otherTag ? nil : .entityTag }
    if let date = lastModified?.key, let otherDate = other.lastModified?.key, date != otherDate { return .date }
    return nil
  }

  /// What shows that this is a whole that took another's place; `nil` when nothing does.
  ///
  /// Here strong tags decide even where sizes differ: of one entity, an answer may be a part that is passed off as the whole.
  package func replacement(of other: Entity) -> Difference? {
    if let tag = strongTag, let otherTag = other.strongTag { return tag == otherTag ? nil : .entityTag }
    if let date = lastModified?.key, let otherDate = other.lastModified?.key, date != otherDate { return .date }
    if let size, let otherSize = other.size, size != otherSize { return .size }
    return nil
  }

  /// A weak tag may change while the bytes stay, and stay while they change.
  private var strongTag: String? { etag?.key.flatMap { $0.hasPrefix("W/") ? nil : $0 } }
}

/// The pieces that a task's body was put together from, when more than one attempt brought some.
package struct Pieces: Sendable {
  /// Of which the bytes are that the task has.
  package private(set) var entity: Entity?
  package private(set) var mixture: Mixture?

  /// Two responses whose bytes became one body, although they are not of one entity.
  package final class Mixture: Sendable {
    package let kept: Entity
    package let joined: Entity
    package let difference: Entity.Difference

    init(kept: Entity, joined: Entity, difference: Entity.Difference) {
      (self.kept, self.joined, self.difference) = (kept, joined, difference)
    }
  }

  package init() {}

  /// Begins with what an earlier task had of the resource.
  package init(entity: Entity?) { self.entity = entity }

  mutating func receive(_ next: Entity, status: Int, offset: Int64) {
    switch status {
    case 206 where offset > 0:
      guard let entity else { return self.entity = next }
      if let difference = next.difference(from: entity) {
        mixture = mixture ?? Mixture(kept: entity, joined: next, difference: difference)
      }
    case 200..<300:
      entity = next
      mixture = nil
    default: break
    }
  }
}
