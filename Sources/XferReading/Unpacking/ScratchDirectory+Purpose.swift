package import XferLogStore

extension ScratchDirectory {
  /// Creates a directory for temporary files.
  ///
  /// - Parameter purpose: The beginning of the directory's name.
  package convenience init(_ purpose: String) throws {
    do throws(SystemError) {
      try self.init(prefix: "\(Self.parent)/\(purpose)-")
    } catch {
      throw CommandExit(.failed, "a temporary directory in \(Self.parent) cannot be created: \(systemText(error.number))")
    }
  }
}
