import CXferPlatform
import Dispatch
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
    do throws(PrivateDirectory.Problem) {
      try PrivateDirectory.make(location.directory)
    } catch {
      throw ServiceError(error)
    }
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
  ///
  /// When the process runs out of descriptors, threads or places, connections wait in the socket's backlog.
  package func run(_ service: Service) {
    let places = DispatchSemaphore(value: Self.greatestCount)
    var isShort = false
    while true {
      while places.wait(timeout: .now() + .milliseconds(50)) == .timedOut { service.endIdleLink() }
      let descriptor = xp_local_accept(socket)
      guard descriptor >= 0 else {
        if !isShort { service.noteShortage("connections wait: \(String(cString: strerror(errno)))") }
        isShort = true
        places.signal()
        poll(nil, 0, 50)
        continue
      }
      let number = last.add(1, ordering: .relaxed).newValue
      let isStarted = BackgroundThread.start {
        ServiceLink(LinkID(number), descriptor).run(service)
        places.signal()
      }
      if isStarted {
        isShort = false
      } else {
        if !isShort { service.noteShortage("a connection was closed, because the system has no thread for it") }
        isShort = true
        close(descriptor)
        places.signal()
        poll(nil, 0, 50)
      }
    }
  }

  /// The number of connections at a time. A connection takes up to six descriptors, and half of all are kept for transfers.
  private static var greatestCount: Int { min(1000, max(2, Int(clamping: xp_descriptor_limit()) / 12)) }
}

/// One app's connection, on a thread of its own.
struct ServiceLink {
  private let id: LinkID
  private let descriptor: Int32

  init(_ id: LinkID, _ descriptor: Int32) { (self.id, self.descriptor) = (id, descriptor) }

  /// Messages that are received and not processed take no more than this, of all connections together.
  private static let budget = FrameBudget(bytes: 32 << 20)

  private static let limits = FrameChannel.Limits(
    sentFrame: testedFrame ?? BackgroundProtocol.daemonFrame, receivedFrame: BackgroundProtocol.appFrame, budget: budget,
    firstFrame: .seconds(10),
    unsent: 10_000)

  /// A smaller limit, with which a test makes messages that cannot be sent.
  private static let testedFrame = ProcessInfo.processInfo.environment["XFERLOG_TEST_FRAME"].flatMap { Int($0) }

  func run(_ service: Service) {
    var (user, pid): (UInt32, Int32) = (.max, 0)
    let isKnown = xp_local_peer(descriptor, &user, &pid)
    let channel = FrameChannel(descriptor, Self.limits) { message, problem in service.noteUnsendable(message, problem) }
    guard let channel else { return service.noteShortage("a connection was closed, because there are no descriptors left") }
    service.noteArrival(id, channel)
    defer { service.noteDeparture(id) }
    guard isKnown, user == geteuid(), let program = Self.program(of: pid) else {
      return channel.send(DaemonMessage.refused("the daemon serves the processes of its own user"))
    }
    var isGreeted = false
    let ending = channel.run { frame, receipt in
      guard let message = try? JSONDecoder().decode(AppMessage.self, from: frame) else {
        channel.send(DaemonMessage.refused("that is no message of version \(BackgroundProtocol.version)"))
        return false
      }
      if isGreeted {
        service.take([.said(id, message, file: Self.file(of: message, program))], receipt)
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
    switch ending {
    case .closed: break
    case .badFrame: service.noteGarbage(from: pid)
    case .stalled: service.noteStall(of: pid)
    }
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
