import Crypto
import Foundation

/// Encrypts the database's rows: requests have credentials in them, which nobody finds in a file.
///
/// What was changed or cut, or belongs to another row, is not opened: the seal is the row's checksum, too.
struct RowSeal {
  private let key: SymmetricKey

  init(key: SymmetricKey) { self.key = key }

  /// Whether it is the key that rows were sealed with before, and not a new one.
  private(set) var isKept = false

  /// Reads the key of a state directory, or makes one.
  init(file path: String) throws {
    if let data = FileManager.default.contents(atPath: path), data.count == 32 {
      self.init(key: SymmetricKey(data: data))
      isKept = true
      return
    }
    // One that is there and cannot be read now opens the rows another time: a new one never would.
    if access(path, F_OK) == 0, FileManager.default.contents(atPath: path) == nil {
      throw ServiceError(.cannotStore, "\(path) cannot be read")
    }
    let key = SymmetricKey(size: .bits256)
    let passing = "\(path).new"
    try? FileManager.default.removeItem(atPath: passing)
    let bytes = key.withUnsafeBytes { Data($0) }
    guard FileManager.default.createFile(atPath: passing, contents: bytes, attributes: [.posixPermissions: 0o600]),
      rename(passing, path) == 0
    else { throw ServiceError(.cannotStore, "\(path) cannot be written") }
    self.init(key: key)
  }

  /// - Parameter name: of the row; what is sealed for one opens for no other.
  func close(_ row: Data, name: String) throws -> Data {
    guard let bytes = try AES.GCM.seal(row, using: key, authenticating: Data(name.utf8)).combined else {
      throw ServiceError(.cannotStore, "the row \(name) cannot be sealed")
    }
    return bytes
  }

  func open(_ bytes: Data, name: String) -> Data? {
    guard let box = try? AES.GCM.SealedBox(combined: bytes) else { return nil }
    return try? AES.GCM.open(box, using: key, authenticating: Data(name.utf8))
  }
}
