import Synchronization
import XferEngine

/// The network path of the simulated device: the path set by a device command, or the machine's own path when none is set.
final class DeviceNetwork: NetworkPathSource {
  private let played = Mutex<TransferSession.NetworkPath?>(nil)
  /// Notifies observers when the simulated path changes.
  private let conditions = NetworkConditions(InterfacePath.process.path)

  func play(_ path: TransferSession.NetworkPath?) {
    played.withLock { $0 = path }
    conditions.path = path ?? InterfacePath.process.path
  }

  var path: TransferSession.NetworkPath { played.withLock { $0 } ?? InterfacePath.process.path }

  func path(to host: String) -> TransferSession.NetworkPath {
    played.withLock { $0 } ?? InterfacePath.process.path(to: host)
  }

  /// Whether a change of the path must end connections. The kernel does this itself except for a simulated path.
  var endsConnections: Bool { played.withLock { $0 } != nil }

  func onChange(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation {
    let observations = [conditions.onChange(changed), InterfacePath.process.onChange(changed)]
    return NetworkPathObservation { withExtendedLifetime(observations) {} }
  }
}
