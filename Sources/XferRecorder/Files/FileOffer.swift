internal import XferEvents

/// A download's temporary file, for as long as the app may take it.
struct FileOffer: Sendable {
  let path: String
  /// `nil` when the file was not there.
  let file: FileFacts?
  let delivery: DeliveryID
  var isOpen = true
  /// Whether the app said that it took the file.
  var isClaimed = false
  private(set) var isReaped = false

  init(path: String, delivery: DeliveryID) {
    self.path = path
    self.delivery = delivery
    file = FileFacts(path: path)
  }

  func offered(to task: TaskIdentity) -> FileOffered {
    FileOffered(
      task: task, delivery: delivery, file: path, inode: file.map { Int64(bitPattern: $0.inode) }, size: file?.size,
      exists: file != nil)
  }

  /// What became of the file while the callback ran, which is over.
  mutating func close(for task: TaskIdentity) -> [any TransferEvent] {
    isOpen = false
    guard let file else { return [] }
    switch file.condition {
    case .gone: return isClaimed ? [] : [claim(.unknown, task)]
    case .inPlace(let links) where links > 1 && !isClaimed: return [claim(.link, task)]
    case .inPlace where isClaimed: return []
    case .inPlace:
      return [FileUnclaimed(task: task, delivery: delivery, inode: Int64(bitPattern: file.inode), size: file.size)]
    }
  }

  /// Whether URLSession has removed what was left of the file, which it does some time after the callback, or never.
  mutating func settle(for task: TaskIdentity) -> [any TransferEvent] {
    guard let file, !isOpen, !isReaped, !isClaimed, file.condition == .gone else { return [] }
    isReaped = true
    return [FileReaped(task: task, inode: Int64(bitPattern: file.inode), size: file.size)]
  }

  private mutating func claim(_ operation: ClaimOperation, _ task: TaskIdentity) -> FileClaimed {
    isClaimed = true
    return FileClaimed(task: task, delivery: delivery, operation: operation, inCallback: true, size: file?.size)
  }
}
