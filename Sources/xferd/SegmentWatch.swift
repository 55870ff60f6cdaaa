import Synchronization
import XferService

/// Makes the service list its tasks at the start of each log segment, because retention may remove earlier segments.
final class SegmentWatch: Sendable {
  private let service = Mutex<Service?>(nil)

  func begin(_ service: Service) { self.service.withLock { $0 = service } }
  func noteSegment() { service.withLock { $0 }?.listTasks() }
}
