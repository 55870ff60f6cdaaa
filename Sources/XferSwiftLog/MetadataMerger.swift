import Logging
import XferEvents

/// The metadata of one message. Values from the metadata provider override the logger's own, and values of the log call
/// override both.
struct MetadataMerger {
  let own: Logger.Metadata
  let provided: Logger.Metadata?
  let given: Logger.Metadata?

  /// The merged metadata, sorted by key so that the order is deterministic.
  var merged: [(key: String, value: Logger.MetadataValue)] {
    var all = own
    if let provided { all.merge(provided) { $1 } }
    if let given { all.merge(given) { $1 } }
    return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension LogMessage {
  /// Adds a metadata value to the message. The members of dictionaries and arrays are added under keys such as `user.name` and
  /// `files[0]`.
  mutating func attach(_ key: String, _ value: Logger.MetadataValue) {
    switch value {
    case .string(let text): attach(key, text)
    case .stringConvertible(let described):
      attach(key, described.description, privacy: value.attributes[LogPrivacy.self] ?? .auto)
    case .dictionary(let members):
      for (name, member) in members.sorted(by: { $0.key < $1.key }) { attach("\(key).\(name)", member) }
    case .array(let elements):
      for (place, element) in elements.enumerated() { attach("\(key)[\(place)]", element) }
    }
  }
}
