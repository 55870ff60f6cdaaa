/// The cases that do not apply to `xfer`, with the reason for each.
enum NotRun {
  static let reasons: [Int: String] = {
    var reasons: [Int: String] = [436: "the case tests curl's default configuration file, and xfer has none"]
    for number in [724, 725, 726, 731, 737, 740, 741] {
      reasons[number] = "the case tests ipfs:// URLs, and xfer supports only HTTP"
    }
    for number in [1326, 1327, 1548] { reasons[number] = "the case tests telnet:// URLs, and xfer supports only HTTP" }
    return reasons
  }()
}
