/// Cases that have no meaning for `xfer`, with the reason for each.
enum NotRun {
  static let reasons: [Int: String] = {
    var reasons: [Int: String] = [436: "curl's own settings file: xfer reads no settings but those it is given"]
    for number in [724, 725, 726, 731, 737, 740, 741] {
      reasons[number] = "ipfs:// is a rewriting of URLs by curl's tool, with settings files of its own: xfer speaks HTTP"
    }
    for number in [1326, 1327, 1548] { reasons[number] = "telnet:// to the port of a web server: xfer speaks HTTP" }
    return reasons
  }()
}
