import Logging
import XferEvents

/// One message's metadata: the logger's own, replaced by its provider's, replaced by what the call gives.
struct MetadataMerger {
  let own: Logger.Metadata
  let provided: Logger.Metadata?
  let given: Logger.Metadata?

  /// In the order of their keys, since a dictionary has none.
  var merged: [(key: String, value: Logger.MetadataValue)] {
    var all = own
    if let provided { all.merge(provided) { $1 } }
    if let given { all.merge(given) { $1 } }
    return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension LogMessage {
  /// A value and, of a dictionary or an array, each within it: `user.name`, `files[0]`.
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
