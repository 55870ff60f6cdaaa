internal import XferEvents

/// The temporary file of a download while the app may claim it.
struct FileOffer: Sendable {
  let path: String
  /// The state of the file. `nil` when the file did not exist.
  let file: FileFacts?
  let delivery: DeliveryID
  private(set) var isOpen = true
  /// Whether the file is known to be claimed.
  private var isClaimed = false
  /// Whether the file was still in place when the callback returned and may still exist.
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

  /// Records that the app claimed the file.
  mutating func take(_ operation: ClaimOperation) {
    isClaimed = true
    if operation == .move { isLeft = false }
  }

  /// Ends the offer when the callback has returned, and returns the events about the file.
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

  /// Returns an event if URLSession has removed the unclaimed file, which it does some time after the callback or never.
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
