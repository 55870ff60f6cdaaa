import CXferPlatform
import Dispatch
import Foundation
import Synchronization
package import XferEngine
import XferEvents
import XferThreads

/// The listening socket of the daemon, which accepts connections from processes of the same user.
package final class ServiceListener: Sendable {
  private let socket: Int32
  /// Held while this daemon is serving.
  private let lock: DirectoryLock
  private let last = Atomic<UInt64>(0)

  /// Takes the lock of the directory and starts listening. Throws `alreadyServing` when another daemon has the lock.
  ///
  /// - Parameter inherited: A socket that systemd has already opened. `nil` to open one.
  package init(_ location: ServiceLocation, inherited: Int32? = nil) throws {
    lock = try DirectoryLock(
      location.lock, in: location.directory,
      refusal: "another xferd is already serving in \(location.directory). Use it, stop it, or choose another --directory.")
    if let inherited {
      socket = inherited
      return
    }
    // With the lock held, any existing socket is left over from a dead daemon.
    unlink(location.socket)
    socket = xp_local_listen(location.socket)
    guard socket >= 0 else {
      throw ServiceError(.cannotListen, "cannot listen on \(location.socket): \(String(cString: strerror(errno)))")
    }
  }

  /// Accepts connections on the calling thread until the process ends.
  ///
  /// When descriptors, threads or connection slots run out, new connections wait in the socket's backlog.
  package func run(_ service: Service) {
    let places = DispatchSemaphore(value: Self.maximumCount)
    var isShort = false
    while true {
      while places.wait(timeout: .now() + .milliseconds(50)) == .timedOut { service.endIdleLink() }
      let descriptor = xp_local_accept(socket)
      guard descriptor >= 0 else {
        if !isShort { service.noteShortage("cannot accept connections now, so they wait: \(String(cString: strerror(errno)))") }
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
        if !isShort { service.noteShortage("a connection was closed because no thread could be started for it") }
        isShort = true
        close(descriptor)
        places.signal()
        poll(nil, 0, 50)
      }
    }
  }

  /// The maximum number of simultaneous connections. Each uses up to six descriptors, and half of all descriptors are kept for
  /// transfers.
  private static var maximumCount: Int { min(1000, max(2, Int(clamping: xp_descriptor_limit()) / 12)) }
}

/// A connection from an app, served on a separate thread.
struct ServiceLink {
  private let id: LinkID
  private let descriptor: Int32

  init(_ id: LinkID, _ descriptor: Int32) { (self.id, self.descriptor) = (id, descriptor) }

  /// The limit on the memory that received but unprocessed messages of all connections use together.
  private static let budget = FrameBudget(bytes: 32 << 20)

  private static let limits = FrameChannel.Limits(
    sentFrame: testedFrame ?? BackgroundProtocol.daemonFrame, receivedFrame: BackgroundProtocol.appFrame, budget: budget,
    firstFrame: .seconds(10),
    unsent: 10_000)

  /// A smaller message size limit that tests set to provoke messages that cannot be sent.
  private static let testedFrame = ProcessInfo.processInfo.environment.withoutEmptyVariables["XFERLOG_TEST_FRAME"]
    .flatMap { Int($0) }

  func run(_ service: Service) {
    var (user, pid): (UInt32, Int32) = (.max, 0)
    let isKnown = xp_local_peer(descriptor, &user, &pid)
    let channel = FrameChannel(descriptor, Self.limits) { message, problem in service.noteUnsendable(message, problem) }
    guard let channel else { return service.noteShortage("a connection was closed because no descriptors are left") }
    service.noteArrival(id, channel)
    defer { service.noteDeparture(id) }
    guard isKnown, user == geteuid(), let program = Self.program(of: pid) else {
      return channel.send(DaemonMessage.refused("the daemon serves only processes of its own user"))
    }
    var isGreeted = false
    let ending = channel.run { frame, receipt in
      guard let message = try? JSONDecoder().decode(AppMessage.self, from: frame) else {
        channel.send(DaemonMessage.refused("the message is not valid in protocol version \(BackgroundProtocol.version)"))
        return false
      }
      if isGreeted {
        service.take([.received(id, message, file: Self.file(of: message, program))], receipt)
        return true
      }
      guard case .hello(let hello) = message else {
        channel.send(DaemonMessage.refused("the first message must be a hello message"))
        return false
      }
      guard hello.version == BackgroundProtocol.version else {
        channel.send(
          DaemonMessage.refused(
            "xferd uses protocol version \(BackgroundProtocol.version) and the app \(hello.version); "
              + "install both from the same release"))
        return false
      }
      isGreeted = true
      service.greet(id, channel, app: program, pid: pid, launch: LaunchID(hello.launch))
      return true
    }
    switch ending {
    case .closed: break
    case .badFrame: service.noteBadFrame(from: pid)
    case .stalled: service.noteStall(of: pid)
    }
    if isGreeted { service.take(.unlinked(id)) }
  }

  /// Returns the path of the executable that a process runs, as reported by the kernel, or `nil` when it is unknown.
  static func program(of pid: Int32) -> String? {
    #if os(Linux)
      return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    #else
      var path = [CChar](repeating: 0, count: 4096)
      guard proc_pidpath(pid, &path, UInt32(path.count)) > 0 else { return nil }
      return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #endif
  }

  /// Returns the identity of the program's own file for a registration message, and `nil` for any other message.
  private static func file(of message: AppMessage, _ program: String) -> ProgramFile? {
    guard case .register(let registered, _) = message, registered.executable == program else { return nil }
    var status = stat()
    guard stat(program, &status) == 0 else { return nil }
    return ProgramFile(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
