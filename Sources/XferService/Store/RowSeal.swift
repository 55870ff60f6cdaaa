import Foundation
import XferCrypto

/// Encrypts the rows of the database, because requests may contain credentials.
///
/// The encryption also authenticates: a row that was changed, truncated or moved to another name cannot be decrypted.
struct RowSeal {
  private let cipher: AES256GCM

  init(_ cipher: AES256GCM) { self.cipher = cipher }

  /// Whether the key was read from the file, rather than newly created.
  private(set) var isKept = false
  /// Descriptions of problems with the key file.
  private(set) var remarks: [String] = []

  /// Reads the key of a state directory, or creates one.
  ///
  /// Throws when the file cannot be read, is not a regular file or belongs to another user. A new key would make the existing
  /// rows unreadable forever, but the old file may become readable later.
  init(file path: String) throws {
    var remarks: [String] = []
    if let contents = try StateFile.read(path, limit: AES256GCM.keySize) {
      if contents.wasOpenToOthers { remarks.append("\(path) was readable by other users; its permissions were corrected") }
      if let cipher = AES256GCM(key: Array(contents.data)) {
        self.init(cipher)
        (isKept, self.remarks) = (true, remarks)
        return
      }
      guard let aside = DamagedName.free(path), rename(path, aside) == 0 else {
        throw ServiceError(
          .cannotStore, "\(path) is not a valid key and cannot be moved aside: \(String(cString: strerror(errno)))")
      }
      remarks.append("\(path) is not a key of \(AES256GCM.keySize) bytes; moved to \(aside)")
    }
    let key = AES256GCM.randomKey()
    guard let cipher = AES256GCM(key: key) else { throw ServiceError(.cannotStore, "cannot create a key for \(path)") }
    try StateFile.write(Data(key), to: path)
    self.init(cipher)
    self.remarks = remarks
  }

  /// Encrypts a row.
  ///
  /// - Parameter name: The name of the row. The result can be decrypted only with the same name.
  func close(_ row: Data, name: String) throws -> Data {
    guard let bytes = cipher.seal(Array(row), authenticating: Array(name.utf8)) else {
      throw ServiceError(.cannotStore, "cannot encrypt the row \(name)")
    }
    return Data(bytes)
  }

  /// Decrypts a row. Returns `nil` when the row was changed or belongs to another name.
  func open(_ bytes: Data, name: String) -> Data? {
    cipher.open(Array(bytes), authenticating: Array(name.utf8)).map { Data($0) }
  }
}
