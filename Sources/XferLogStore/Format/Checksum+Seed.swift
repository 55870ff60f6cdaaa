extension Checksum {
  /// Returns the only seed with which the bytes have this checksum.
  static func seed(of checksum: UInt32, over bytes: UnsafeRawBufferPointer) -> UInt32 {
    // A CRC is linear: crc(seed, bytes) ^ crc(0, bytes) is the seed, advanced over as many zero bytes. Undoing the zero
    // bytes therefore recovers the seed.
    var seed = checksum ^ crc32c(bytes)
    var (count, power) = (bytes.count, 0)
    while count != 0 {
      if count & 1 != 0 { seed = multiply(unwinding[power], seed) }
      count >>= 1
      power += 1
    }
    return seed
  }

  /// Matrices over GF(2) that undo 1, 2, 4, … zero bytes of a CRC, each given as the images of the 32 checksum bits.
  private static let unwinding: [[UInt32]] = {
    var matrix = (0..<32).map { (bit: Int) -> UInt32 in
      var seed: UInt32 = 1 << UInt32(bit)
      for _ in 0..<8 { seed = seed >> 31 == 0 ? seed << 1 : (seed ^ polynomial) << 1 | 1 }
      return seed
    }
    return (0..<32).map { _ in
      defer { matrix = matrix.map { multiply(matrix, $0) } }
      return matrix
    }
  }()

  private static func multiply(_ matrix: [UInt32], _ vector: UInt32) -> UInt32 {
    var (rest, product): (UInt32, UInt32) = (vector, 0)
    while rest != 0 {
      product ^= matrix[rest.trailingZeroBitCount]
      rest &= rest - 1
    }
    return product
  }

  /// The Castagnoli polynomial with reflected bits.
  private static let polynomial: UInt32 = 0x82F6_3B78
}
