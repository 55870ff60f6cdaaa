import Crypto
import Foundation

/// Encrypts the database's rows: requests have credentials in them, which nobody finds in a file.
///
/// A row that was changed or cut, or belongs to another name, is not opened: the seal is the row's checksum, too.
struct RowSeal {
  private let key: SymmetricKey

  init(key: SymmetricKey) { self.key = key }

  /// Whether the key is the one that rows were sealed with before, and not a new one.
  private(set) var isKept = false
  /// What was wrong with the key's file, in words.
  private(set) var remarks: [String] = []

  private static let size = 32

  /// Reads the key of a state directory, or makes one.
  ///
  /// - Throws: for a file that cannot be read now or is not a regular file of this user: with it the rows may be opened another time,
  ///   with a new key never.
  init(file path: String) throws {
    var remarks: [String] = []
    if let contents = try StateFile.read(path, limit: Self.size) {
      if contents.wasOpenToOthers { remarks.append("others could read \(path); now only its owner can") }
      if contents.data.count == Self.size {
        self.init(key: SymmetricKey(data: contents.data))
        (isKept, self.remarks) = (true, remarks)
        return
      }
      guard let aside = AsideName.free(path), rename(path, aside) == 0 else {
        throw ServiceError(.cannotStore, "\(path) is no key and cannot be moved away: \(String(cString: strerror(errno)))")
      }
      remarks.append("\(path) is no key of \(Self.size) bytes and is kept as \(aside)")
    }
    let key = SymmetricKey(size: .bits256)
    try StateFile.write(key.withUnsafeBytes { Data($0) }, to: path)
    self.init(key: key)
    self.remarks = remarks
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
