import Foundation

/// A file system in an image file, mounted with a loop device if the user has permission.
package final class LoopDisk {
  package let path: String
  package let image: String
  private var isMounted = true

  /// - Parameters:
  ///   - image: The image file, which is created and formatted as `type` unless `type` is `nil`.
  ///   - path: The mount point, which is created.
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

  /// Unmounts the disk. Only the first call has an effect, because another disk may use the mount point later.
  package func unmount() {
    guard isMounted else { return }
    isMounted = false
    #if os(Linux)
      umount2(path, 2)  // MNT_DETACH
    #endif
  }

  /// Remounts the disk read-only.
  package func makeReadOnly() throws { try Self.run("/bin/mount", ["-o", "remount,ro", path]) }

  /// Makes an ext4 file system detect an internal error, after which it rejects all writes.
  package func fail() throws {
    let device = try ToolRun("/bin/findmnt", ["-no", "SOURCE", path]).lines.first ?? ""
    let name = device.split(separator: "/").last ?? ""
    try Data("1".utf8).write(to: URL(fileURLWithPath: "/sys/fs/ext4/\(name)/trigger_fs_error"))
  }

  /// Returns why a file system of a type cannot be mounted on this machine, or `nil` when it can.
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

/// A disk for power-cut tests: a file system in an image file that can be copied atomically while it is written to.
///
/// The image file is on a file system that supports cloning. A copy therefore contains all writes before one moment and no
/// later writes.
package final class CuttableDisk {
  /// The directory in which a writer may write.
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

  /// Returns the disk as found after a power cut at this moment. Mounting it replays its journal.
  package func cut() throws -> LoopDisk {
    cuts += 1
    let copy = "\(bay.path)/copy \(cuts)"
    try LoopDisk.run("/bin/cp", ["--reflink=always", disk.image, copy])
    defer { unlink(copy) }
    return try LoopDisk(image: copy, type: nil, at: temporary.path("copy \(cuts)"))
  }

  /// Copies the disk's current bytes and returns the path of the copy, for `restart(from:)`.
  package func image() throws -> String {
    cuts += 1
    let copy = "\(bay.path)/copy \(cuts)"
    try LoopDisk.run("/bin/cp", ["--reflink=always", disk.image, copy])
    return copy
  }

  /// Mounts an image in place of the disk, which replays its journal. The disk must not be in use.
  package func restart(from image: String) throws {
    let path = disk.path
    disk.unmount()
    disk = try LoopDisk(image: image, type: nil, at: path)
  }

  /// Why such a disk cannot be created on this machine. `nil` when it can.
  package static let obstacle: String? = {
    do {
      _ = try CuttableDisk().cut()
      return nil
    } catch {
      return "\(error)"
    }
  }()
}
