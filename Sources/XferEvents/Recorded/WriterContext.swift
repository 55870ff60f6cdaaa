/// Who wrote a segment, from its header; of a foreign log only what could be read.
public struct WriterContext: Hashable, Sendable {
  /// `nil` when the log does not tell one process life from another.
  public var launch: LaunchID?
  public var boot: BootID?
  public var pid: Int?
  public var role: WriterRole?
  /// The program's file name.
  public var executable: String?
  /// What was kept of private values.
  public var captureMode: CaptureMode?
  /// The lowest level that was written; `nil` when unknown.
  public var lowestLevel: Level?

  public init(
    launch: LaunchID? = nil, boot: BootID? = nil, pid: Int? = nil, role: WriterRole? = nil, executable: String? = nil,
    captureMode: CaptureMode? = nil, lowestLevel: Level? = nil
  ) {
    self.launch = launch
    self.boot = boot
    self.pid = pid
    self.role = role
    self.executable = executable
    self.captureMode = captureMode
    self.lowestLevel = lowestLevel
  }
}
