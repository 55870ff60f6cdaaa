import Synchronization
import XferService

/// Has the service say again what a log without its beginning would not tell, in each segment of its log.
final class SegmentWatch: Sendable {
  private let service = Mutex<Service?>(nil)

  func begin(_ service: Service) { self.service.withLock { $0 = service } }
  func noteSegment() { service.withLock { $0 }?.listTasks() }
}
