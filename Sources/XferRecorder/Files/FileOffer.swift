internal import XferEvents

/// A download's temporary file, for as long as the app may take it.
struct FileOffer: Sendable {
  let path: String
  /// `nil` when the file was not there.
  let file: FileFacts?
  let delivery: DeliveryID
  private(set) var isOpen = true
  /// Whether somebody is known to have taken the file.
  private var isClaimed = false
  /// Whether the file was in its place when the callback had returned, and may still be.
  private var isLeft = false

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

  /// The app says that it took the file.
  mutating func take(_ operation: ClaimOperation) {
    isClaimed = true
    if operation == .move { isLeft = false }
  }

  /// What became of the file while the callback ran, which is over.
  mutating func close(for task: TaskIdentity) -> [any TransferEvent] {
    isOpen = false
    guard let file else { return [] }
    isLeft = file.condition != .gone
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
    guard let file, isLeft, file.condition == .gone else { return [] }
    isLeft = false
    return [FileReaped(task: task, inode: Int64(bitPattern: file.inode), size: file.size)]
  }

  private mutating func claim(_ operation: ClaimOperation, _ task: TaskIdentity) -> FileClaimed {
    isClaimed = true
    return FileClaimed(task: task, delivery: delivery, operation: operation, inCallback: true, size: file?.size)
  }
}
