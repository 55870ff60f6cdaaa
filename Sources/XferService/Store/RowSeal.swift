import Crypto
import Foundation

/// Encrypts the rows of the database, because requests may contain credentials.
///
/// The encryption also authenticates: a row that was changed, truncated or moved to another name cannot be decrypted.
struct RowSeal {
  private let key: SymmetricKey

  init(key: SymmetricKey) { self.key = key }

  /// Whether the key was read from the file, rather than newly created.
  private(set) var isKept = false
  /// Descriptions of problems with the key file.
  private(set) var remarks: [String] = []

  private static let size = 32

  /// Reads the key of a state directory, or creates one.
  ///
  /// Throws when the file cannot be read, is not a regular file or belongs to another user. A new key would make the existing
  /// rows unreadable forever, but the old file may become readable later.
  init(file path: String) throws {
    var remarks: [String] = []
    if let contents = try StateFile.read(path, limit: Self.size) {
      if contents.wasOpenToOthers { remarks.append("\(path) was readable by other users; its permissions were corrected") }
      if contents.data.count == Self.size {
        self.init(key: SymmetricKey(data: contents.data))
        (isKept, self.remarks) = (true, remarks)
        return
      }
      guard let aside = DamagedName.free(path), rename(path, aside) == 0 else {
        throw ServiceError(
          .cannotStore, "\(path) is not a valid key and cannot be moved aside: \(String(cString: strerror(errno)))")
      }
      remarks.append("\(path) is not a key of \(Self.size) bytes; moved to \(aside)")
    }
    let key = SymmetricKey(size: .bits256)
    try StateFile.write(key.withUnsafeBytes { Data($0) }, to: path)
    self.init(key: key)
    self.remarks = remarks
  }

  /// Encrypts a row.
  ///
  /// - Parameter name: The name of the row. The result can be decrypted only with the same name.
  func close(_ row: Data, name: String) throws -> Data {
    guard let bytes = try AES.GCM.seal(row, using: key, authenticating: Data(name.utf8)).combined else {
      throw ServiceError(.cannotStore, "cannot encrypt the row \(name)")
    }
    return bytes
  }

  /// Decrypts a row. Returns `nil` when the row was changed or belongs to another name.
  func open(_ bytes: Data, name: String) -> Data? {
    guard let box = try? AES.GCM.SealedBox(combined: bytes) else { return nil }
    return try? AES.GCM.open(box, using: key, authenticating: Data(name.utf8))
  }
}
