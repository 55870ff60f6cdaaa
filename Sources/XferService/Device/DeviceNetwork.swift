import Synchronization
import XferEngine

/// The network path as whoever plays the device says; the machine's own as long as nobody says anything.
final class DeviceNetwork: NetworkPathSource {
  private let played = Mutex<TransferSession.NetworkPath?>(nil)
  /// Where those wait who want to hear of changes of what is played.
  private let conditions = NetworkConditions(InterfacePath.process.path)

  func play(_ path: TransferSession.NetworkPath?) {
    played.withLock { $0 = path }
    conditions.path = path ?? InterfacePath.process.path
  }

  var path: TransferSession.NetworkPath { played.withLock { $0 } ?? InterfacePath.process.path }

  func path(to host: String) -> TransferSession.NetworkPath {
    played.withLock { $0 } ?? InterfacePath.process.path(to: host)
  }

  /// What is played the kernel knows nothing of.
  var endsConnections: Bool { played.withLock { $0 } != nil }

  func onChange(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation {
    let observations = [conditions.onChange(changed), InterfacePath.process.onChange(changed)]
    return NetworkPathObservation { withExtendedLifetime(observations) {} }
  }
}
