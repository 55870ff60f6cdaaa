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
  /// The version of the program and of the operating system, for a foreign log that names them outside its records.
  package var (version, osVersion): (String?, String?)
  /// The possible events of a foreign log; `nil` for a log that this package wrote.
  package var coverage: ImportCoverage?

  /// The place from which the writer's process can be looked up. A writer that opens the log records the end of each earlier writer
  /// with the same place that no longer runs. `nil` if writers of this log record no such ends.
  public var place: Place?

  /// A log's directory and a PID namespace.
  public struct Place: Hashable, Sendable {
    public var directory: String
    public var namespace: UInt64

    public init(directory: String, namespace: UInt64) { (self.directory, self.namespace) = (directory, namespace) }
  }

  public init(
    launch: LaunchID? = nil, boot: BootID? = nil, pid: Int? = nil, role: WriterRole? = nil, executable: String? = nil,
    captureMode: CaptureMode? = nil, lowestLevel: Level? = nil, installation: InstallationID? = nil, place: Place? = nil
  ) {
    self.launch = launch
    self.boot = boot
    self.pid = pid
    self.role = role
    self.executable = executable
    self.captureMode = captureMode
    self.lowestLevel = lowestLevel
    self.installation = installation
    self.place = place
  }
}
