import CXferPlatform
import Foundation
import Synchronization
package import XferEngine
import XferEvents

/// Takes connections of the user's own processes.
package final class ServiceListener: Sendable {
  private let socket: Int32
  /// Held for as long as this daemon serves.
  private let lock: Int32
  private let last = Atomic<UInt64>(0)

  /// Listens, as the only one.
  ///
  /// - Parameter inherited: a socket that listens already, of systemd.
  package init(_ location: ServiceLocation, inherited: Int32? = nil) throws {
    try PrivateDirectory.make(location.directory)
    lock = open(location.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      throw ServiceError(.cannotListen, "\(location.lock) cannot be opened: \(String(cString: strerror(errno)))")
    }
    guard xp_try_lock_file(lock) else {
      close(lock)
      throw ServiceError(.alreadyServing, "another xferd serves in \(location.directory)")
    }
    if let inherited {
      socket = inherited
      return
    }
    // Whoever has the lock may clear away what a dead daemon left.
    unlink(location.socket)
    socket = xp_local_listen(location.socket)
    guard socket >= 0 else {
      let problem = errno
      close(lock)
      throw ServiceError(.cannotListen, "\(location.socket) cannot be listened at: \(String(cString: strerror(problem)))")
    }
  }

  /// Takes connections until the process ends, on the calling thread.
  package func run(_ service: Service) {
    while true {
      let descriptor = xp_local_accept(socket)
      guard descriptor >= 0 else {
        // Without descriptors nothing can be taken until some connection ends.
        poll(nil, 0, 50)
        continue
      }
      let number = last.add(1, ordering: .relaxed).newValue
      BackgroundThread.start { ServiceLink(LinkID(number), descriptor).run(service) }
    }
  }
}

/// One app's connection, on a thread of its own.
struct ServiceLink {
  private let id: LinkID
  private let descriptor: Int32

  init(_ id: LinkID, _ descriptor: Int32) { (self.id, self.descriptor) = (id, descriptor) }

  func run(_ service: Service) {
    var (user, pid): (UInt32, Int32) = (.max, 0)
    let isKnown = xp_local_peer(descriptor, &user, &pid)
    let channel = FrameChannel(descriptor)
    guard isKnown, user == getuid(), let program = Self.program(of: pid) else {
      return channel.send(DaemonMessage.refused("the daemon serves the processes of its own user"))
    }
    var isGreeted = false
    let ending = channel.run { frame in
      guard let message = try? JSONDecoder().decode(AppMessage.self, from: frame) else {
        channel.send(DaemonMessage.refused("that is no message of version \(BackgroundProtocol.version)"))
        return false
      }
      if isGreeted {
        service.take(.said(id, message, file: Self.file(of: message, program)))
        return true
      }
      guard case .hello(let hello) = message else {
        channel.send(DaemonMessage.refused("the first message has to say who speaks"))
        return false
      }
      guard hello.version == BackgroundProtocol.version else {
        channel.send(
          DaemonMessage.refused(
            "xferd speaks version \(BackgroundProtocol.version) and the app \(hello.version): install both from one release"))
        return false
      }
      isGreeted = true
      service.greet(id, channel, app: program, pid: pid, launch: LaunchID(hello.launch))
      return true
    }
    if ending == .noFrame { service.noteGarbage(from: pid) }
    if isGreeted { service.take(.unlinked(id)) }
  }

  /// By the kernel's word, not by the app's.
  static func program(of pid: Int32) -> String? {
    #if os(Linux)
      return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    #else
      var path = [CChar](repeating: 0, count: 4096)
      return proc_pidpath(pid, &path, UInt32(path.count)) > 0 ? String(cString: path) : nil
    #endif
  }

  /// The file that a program registers: itself.
  private static func file(of message: AppMessage, _ program: String) -> ProgramFile? {
    guard case .register(let registered, _) = message, registered.executable == program else { return nil }
    var status = stat()
    guard stat(program, &status) == 0 else { return nil }
    return ProgramFile(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
