import Foundation

/// File systems in files, where the user may mount such.
package final class LoopDisk {
  package let path: String
  package let image: String
  private var isMounted = true

  /// - Parameters:
  ///   - image: a file; made and formatted as `type` unless `type` is `nil`.
  ///   - path: a directory to mount it at; made here.
  package init(image: String, type: String?, megabytes: Int = 0, at path: String, options: String = "loop") throws {
    self.path = path
    self.image = image
    if let type {
      try Data().write(to: URL(fileURLWithPath: image))
      truncate(image, off_t(megabytes) << 20)
      try Self.run("/sbin/mkfs.\(type)", ["-q", image])
    }
    mkdir(path, 0o700)
    try Self.run("/bin/mount", ["-o", options, image, path])
  }

  deinit { unmount() }

  /// Once: another disk may be mounted there by then.
  package func unmount() {
    guard isMounted else { return }
    isMounted = false
    #if os(Linux)
      umount2(path, 2)  // MNT_DETACH
    #endif
  }

  /// Turns it into one that nobody may write to.
  package func makeReadOnly() throws { try Self.run("/bin/mount", ["-o", "remount,ro", path]) }

  /// Lets an ext4 find an error in itself, upon which it takes no writes any more.
  package func fail() throws {
    let device = try ToolRun("/bin/findmnt", ["-no", "SOURCE", path]).lines.first ?? ""
    let name = device.split(separator: "/").last ?? ""
    try Data("1".utf8).write(to: URL(fileURLWithPath: "/sys/fs/ext4/\(name)/trigger_fs_error"))
  }

  /// Why a file system of a type cannot be mounted here; `nil` when it can.
  package static func obstacle(to type: String) -> String? {
    let temporary = TemporaryDirectory()
    do {
      _ = try LoopDisk(image: temporary.path("image"), type: type, megabytes: 128, at: temporary.path("disk"))
      return nil
    } catch {
      return "\(error)"
    }
  }

  package struct Refusal: Error { package let text: String }

  package static func run(_ program: String, _ arguments: [String]) throws {
    guard FileManager.default.isExecutableFile(atPath: program) else { throw Refusal(text: "\(program) is missing") }
    let run = try ToolRun(program, arguments)
    guard run.status == 0 else { throw Refusal(text: "\(program) \(arguments): \(run.standardError)") }
  }
}

/// A disk whose power can be cut: a file system in a file, which can be copied in one moment while it is written to.
///
/// The file is on a file system that clones, so that a copy holds all that was written before some moment and nothing that
/// was written after.
package final class CuttableDisk {
  /// Where a writer may write.
  package var path: String { disk.path }
  private let temporary: TemporaryDirectory
  private let bay: LoopDisk
  private var disk: LoopDisk
  private var cuts = 0

  package init(megabytes: Int = 64) throws {
    temporary = TemporaryDirectory()
    bay = try LoopDisk(image: temporary.path("bay"), type: "btrfs", megabytes: 8 * megabytes, at: temporary.path("in"))
    disk = try LoopDisk(image: bay.path + "/disk", type: "ext4", megabytes: megabytes, at: temporary.path("disk"))
  }

  /// The disk as it would be found after the power had been cut now; its journal is replayed.
  package func cut() throws -> LoopDisk {
    cuts += 1
    let copy = "\(bay.path)/copy \(cuts)"
    try LoopDisk.run("/bin/cp", ["--reflink=always", disk.image, copy])
    defer { unlink(copy) }
    return try LoopDisk(image: copy, type: nil, at: temporary.path("copy \(cuts)"))
  }

  /// The disk's bytes as they are now, for `restart(from:)`.
  package func image() throws -> String {
    cuts += 1
    let copy = "\(bay.path)/copy \(cuts)"
    try LoopDisk.run("/bin/cp", ["--reflink=always", disk.image, copy])
    return copy
  }

  /// Mounts an image where the disk was; its journal is replayed. Nobody may use the disk.
  package func restart(from image: String) throws {
    let path = disk.path
    disk.unmount()
    disk = try LoopDisk(image: image, type: nil, at: path)
  }

  /// Why there can be none here; `nil` when there can.
  package static let obstacle: String? = {
    do {
      _ = try CuttableDisk().cut()
      return nil
    } catch {
      return "\(error)"
    }
  }()
}
