package import XferEvents

/// The properties of a resource in a response, which show whether partial bodies belong together.
///
/// An entity never changes and several properties of a task refer to it, so it is an object that they share.
package final class Entity: Sendable {
  package let response: Fact
  package let etag: RecordedText?
  package let lastModified: RecordedText?
  /// The declared size, in bytes. `nil` if the server does not declare one.
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

  /// Returns a property that shows that the two entities differ; `nil` if none does.
  package func difference(from other: Entity) -> Difference? {
    if let size, let otherSize = other.size, size != otherSize { return .size }
    // Strong entity tags decide, because two servers may report different dates for one entity.
    if let tag = strongTag, let otherTag = other.strongTag { return tag == otherTag ? nil : .entityTag }
    if let date = lastModified?.key, let otherDate = other.lastModified?.key, date != otherDate { return .date }
    return nil
  }

  /// Returns the property that shows that this entity replaced the other; `nil` if none does.
  ///
  /// Strong entity tags decide even if the sizes differ, because a server may send a part of one entity as if it were the
  /// whole.
  package func replacement(of other: Entity) -> Difference? {
    if let tag = strongTag, let otherTag = other.strongTag { return tag == otherTag ? nil : .entityTag }
    if let date = lastModified?.key, let otherDate = other.lastModified?.key, date != otherDate { return .date }
    if let size, let otherSize = other.size, size != otherSize { return .size }
    return nil
  }

  /// The entity tag, if it is strong. A weak tag may change while the bytes stay, and stay while the bytes change.
  private var strongTag: String? { etag?.key.flatMap { $0.hasPrefix("W/") ? nil : $0 } }
}

/// The entity to which the received bytes of a task's body belong, and the mixture if the bytes belong to several entities.
package struct Pieces: Sendable {
  /// The entity of the received bytes; `nil` if unknown.
  package private(set) var entity: Entity?
  package private(set) var mixture: Mixture?

  /// Two responses whose bytes were combined into one body although their entities differ.
  package final class Mixture: Sendable {
    package let kept: Entity
    package let joined: Entity
    package let difference: Entity.Difference

    init(kept: Entity, joined: Entity, difference: Entity.Difference) {
      (self.kept, self.joined, self.difference) = (kept, joined, difference)
    }
  }

  package init() {}

  /// Creates the pieces of a task that continues an earlier task's download.
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
