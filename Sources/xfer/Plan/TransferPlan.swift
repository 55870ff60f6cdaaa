/// What is to be fetched, and where to: decided before the first byte.
struct TransferPlan: Equatable {
  var transfers: [Transfer] = []

  struct Transfer: Equatable {
    let url: String
    let destination: Destination
  }

  enum Destination: Hashable {
    case file(String)
    case standardOutput
  }

  struct Problem: Error, Equatable {
    let text: String
  }

  /// - Parameters:
  ///   - urls: those of the command line.
  ///   - outputs: names for them, in their order; the rest are named after their URLs. `-` is standard output.
  ///   - list: those of an input file, which come after.
  ///   - directory: where relative names begin; `nil` for the current one.
  init(urls: [String], outputs: [String], list: InputList?, directory: String?) throws(Problem) {
    guard outputs.count <= urls.count else {
      throw Problem(
        text: "\(outputs.count) outputs are named for \(urls.count) URL\(urls.count == 1 ? "" : "s"): give one -o a URL")
    }
    for (place, url) in urls.enumerated() {
      let name = place < outputs.count ? outputs[place] : nil
      transfers.append(Self.transfer(url, name: name, directory: directory))
    }
    for entry in list?.entries ?? [] {
      transfers.append(Self.transfer(entry.url, name: entry.name, directory: entry.directory ?? directory))
    }
    guard !transfers.isEmpty else { throw Problem(text: "no URL is given: name some, or a file of them with -i") }
    try checkDestinations()
  }

  private static func transfer(_ text: String, name: String?, directory: String?) -> Transfer {
    // As curl has it: without a scheme it is http.
    let url = text.contains("://") ? text : "http://\(text)"
    if name == "-" { return Transfer(url: url, destination: .standardOutput) }
    let name = name ?? RemoteName.name(of: url)
    guard let directory, !directory.isEmpty, !name.hasPrefix("/") else { return Transfer(url: url, destination: .file(name)) }
    return Transfer(url: url, destination: .file(directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"))
  }

  /// Of two files at one place only the last would be left.
  private func checkDestinations() throws(Problem) {
    var owners: [Destination: String] = [:]
    for transfer in transfers {
      guard case .file(let path) = transfer.destination else { continue }
      if let other = owners.updateValue(transfer.url, forKey: transfer.destination) {
        throw Problem(
          text:
            "\(ShownURL.text(other)) and \(ShownURL.text(transfer.url)) would both be written to \(path): name the outputs with -o, or out= in the list"
        )
      }
    }
  }

  /// Directories that the files need, in order, each once.
  var directories: [String] {
    var seen: Set<String> = []
    return transfers.compactMap { transfer in
      guard case .file(let path) = transfer.destination, let slash = path.lastIndex(of: "/") else { return nil }
      let directory = slash == path.startIndex ? "/" : String(path[..<slash])
      return seen.insert(directory).inserted ? directory : nil
    }
  }
}
