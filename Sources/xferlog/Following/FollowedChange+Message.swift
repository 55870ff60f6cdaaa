import XferEvents
import XferReading

extension FollowedChange {
  /// The change and what the follower does about it.
  var message: UserMessage {
    switch self {
    case .removed(let path): "\(path) was removed or renamed; waiting for it to be created again"
    case .appeared(let path): "\(path) exists now; following it"
    case .replaced(let path): "\(path) was replaced; following the new one"
    case .inaccessible(let path, let reason): "\(path) cannot be read any more (\(reason)); waiting for it"
    }
  }
}
