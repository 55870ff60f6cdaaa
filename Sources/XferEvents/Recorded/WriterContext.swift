/// The writer of a segment according to its header. For a foreign log, only what could be read.
public struct WriterContext: Hashable, Sendable {
  /// The process life; `nil` if the log does not distinguish process lives.
  public var launch: LaunchID?
  public var boot: BootID?
  /// The installation; `nil` if the log does not name it.
  public var installation: InstallationID?
  public var pid: Int?
  public var role: WriterRole?
  /// The file name of the program.
  public var executable: String?
  /// The form in which private values were stored.
  public var captureMode: CaptureMode?
  /// The lowest level that was written; `nil` if unknown.
  public var lowestLevel: Level?
  /// The possible events of a foreign log; `nil` for a log that this package wrote.
  package var coverage: ImportCoverage?

  public init(
    launch: LaunchID? = nil, boot: BootID? = nil, pid: Int? = nil, role: WriterRole? = nil, executable: String? = nil,
    captureMode: CaptureMode? = nil, lowestLevel: Level? = nil, installation: InstallationID? = nil
  ) {
    self.launch = launch
    self.boot = boot
    self.pid = pid
    self.role = role
    self.executable = executable
    self.captureMode = captureMode
    self.lowestLevel = lowestLevel
    self.installation = installation
  }
}
