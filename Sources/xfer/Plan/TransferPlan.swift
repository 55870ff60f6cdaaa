import Foundation
import HTTPTypes
import XferEngine
import XferEvents

/// All transfers of a command, determined before the first one starts.
struct TransferPlan {
  private(set) var transfers: [PlannedTransfer] = []
  private let files: FileReader

  /// - Parameter files: Reads the files named by options.
  init(_ settings: CommandSettings, files: FileReader) throws(OptionProblem) {
    self.files = files
    for (number, group) in settings.groups.enumerated() { try add(group, number, settings.verb) }
    guard !transfers.isEmpty else {
      throw OptionProblem(
        settings.verb == .get ? "no URL given: name one or more URLs, or read them from a file with -i" : "no URL given")
    }
    if settings.verb != .request { try checkDestinations() }
  }

  /// One URL of a group of options, with its output and upload.
  private struct Item {
    var url: String
    var output: TransferSettings.OutputChoice?
    var upload: String?
    var directory: String?
    var checksum: String?
  }

  private mutating func add(_ group: TransferSettings, _ number: Int, _ verb: Verb) throws(OptionProblem) {
    let items = try verb == .put ? uploads(group) : self.items(group, verb)
    let message = try RequestMessage(group, verb, files: files)
    transfers.reserveCapacity(transfers.count + items.count)
    for item in items {
      let urls = try group.hasPlainURLs ? URLGlob(plain: item.url) : URLGlob(item.url)
      let uploads: [String?] =
        try item.upload.map { upload throws(OptionProblem) in
          try (group.hasPlainURLs || verb == .put ? URLGlob(plain: upload) : URLGlob(upload)).matches.map(\.text)
        } ?? [nil]
      for upload in uploads {
        for match in urls.matches { try add(item, match, upload: upload, message, group, number, verb) }
      }
    }
  }

  /// Returns the URLs of a group. The n-th output and the n-th upload belong to the n-th URL.
  private func items(_ group: TransferSettings, _ verb: Verb) throws(OptionProblem) -> [Item] {
    var items: [Item] = []
    for word in group.urls {
      guard word.hasPrefix("@") else {
        items.append(Item(url: word))
        continue
      }
      for line in String(decoding: try files(String(word.dropFirst())), as: UTF8.self).split(whereSeparator: \.isNewline) {
        let text = line.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, !text.hasPrefix("#") { items.append(Item(url: text, output: .remoteName)) }
      }
    }
    for (kind, count) in [("-o or -O", group.outputs.count), ("-T", group.uploads.count)] where count > items.count {
      let text = "\(count) options \(kind) for \(items.count.counted("URL")): give at most one per URL"
      // Like curl, ignore the surplus options.
      guard verb == .request, kind != "-T" else { throw OptionProblem(text) }
    }
    let nameless = items.indices.filter { items[$0].output == nil }
    for (place, output) in zip(nameless, group.outputs) { items[place].output = output }
    for (place, upload) in group.uploads.enumerated() { items[place].upload = upload }
    for (place, checksum) in group.checksums.enumerated() where place < items.count { items[place].checksum = checksum }
    for path in group.inputFiles { items += try list(path) }
    return items
  }

  private func list(_ path: String) throws(OptionProblem) -> [Item] {
    let text = String(decoding: try files(path), as: UTF8.self)
    do throws(InputList.Problem) {
      return try InputList(text).entries.map {
        Item(url: $0.url, output: $0.name.map { .path($0) }, directory: $0.directory, checksum: $0.checksum)
      }
    } catch {
      throw OptionProblem("\(path) line \(error.line): \(error.text)")
    }
  }

  /// Returns the uploads of `xfer put`, whose arguments are files followed by their destination.
  private func uploads(_ group: TransferSettings) throws(OptionProblem) -> [Item] {
    guard let url = group.urls.last, group.urls.count > 1 else { throw OptionProblem("xfer put expects FILE… and a URL") }
    let paths = group.urls.dropLast()
    guard paths.count == 1 || GivenURL(url).isDirectory else {
      throw OptionProblem("\(paths.count) files cannot share one URL: end the URL with a slash to append each file's name")
    }
    return paths.enumerated().map { place, path in
      Item(url: url, output: place < group.outputs.count ? group.outputs[place] : nil, upload: path)
    }
  }

  private mutating func add(
    _ item: Item, _ match: URLGlob.Match, upload: String?, _ message: RequestMessage, _ group: TransferSettings,
    _ number: Int, _ verb: Verb
  ) throws(OptionProblem) {
    var url = GivenURL(match.text)
    if let query = message.query { url.append(query: query) }
    if let upload, url.isDirectory, upload != "-", upload != "." {
      url.append(fileName: upload.fileName ?? "")
    }
    var settings = group
    if item.directory != nil { settings.outputDirectory = item.directory }
    let body = try message.body(upload: upload)
    let destination = Self.destination(item.output, match, url.text, settings, verb)
    let (resumes, offset) = try resumption(settings, destination)
    var fields = message.fields
    if let offset { fields[.range] = "bytes=\(offset)-" }
    var credential = url.credential
    if credential == nil, let user = group.user { credential = try files.credential(user) }
    transfers.append(
      PlannedTransfer(
        settings: settings, group: number, url: url.text, method: try message.method(of: body, isUpload: upload != nil),
        fields: fields, body: body, destination: destination,
        credential: credential, checksum: try item.checksum.map { text throws(OptionProblem) in try Checksum(text) },
        condition: try group.timeCondition.map { text throws(OptionProblem) in
          try TimeCondition(text, modified: files.modificationTime)
        }, resumes: resumes, writesBinary: item.output == .path("-"), offset: offset))
  }

  /// - Returns: Whether to resume a partial file, and otherwise the offset to start at.
  private func resumption(
    _ settings: TransferSettings, _ destination: PlannedTransfer.Destination
  ) throws(OptionProblem) -> (resumes: Bool, offset: Int64?) {
    guard let text = settings.resume else { return (false, nil) }
    for (name, isGiven) in [
      ("no-clobber", settings.keepsExisting), ("remove-on-error", settings.removesOnError), ("range", settings.range != nil),
    ] where isGiven { throw OptionProblem("--continue-at and --\(name) cannot be combined") }
    if text == "-" { return (true, nil) }
    guard let offset = Int64(text), offset >= 0 else {
      throw OptionProblem("--continue-at expects a number of bytes, or - for the end of the partial file, not '\(text)'")
    }
    if case .file(let path) = destination, FileKind(path) == .regular { return (true, nil) }
    return (false, offset == 0 ? nil : offset)
  }

  private static func destination(
    _ output: TransferSettings.OutputChoice?, _ match: URLGlob.Match, _ url: String, _ settings: TransferSettings, _ verb: Verb
  ) -> PlannedTransfer.Destination {
    let directory = settings.outputDirectory.map { $0.isEmpty || $0.hasSuffix("/") ? $0 : "\($0)/" } ?? ""
    switch output {
    case .path("-"): return .standardOutput
    case .path(let path):
      let filled = match.filling(path)
      return .file(filled.hasPrefix("/") ? filled : directory + filled)
    case nil where !settings.namesAllRemotely: return verb == .put ? .nowhere : .standardOutput
    case .remoteName, nil:
      let name = verb == .request ? RemoteName.asCurl(url) : SuggestedFilename(contentDisposition: nil, urlText: url).text
      return settings.takesServerName ? .serverNamed(directory: directory, otherwise: name) : .file(directory + name)
    }
  }

  // Reject two downloads to the same file, because only the last one would remain. As in curl, `request` permits them,
  // because it makes requests one after another.
  private func checkDestinations() throws(OptionProblem) {
    var owners: [String: String] = [:]
    for transfer in transfers {
      guard case .file(let path) = transfer.destination, !transfer.settings.keepsExisting else { continue }
      if let other = owners.updateValue(transfer.url, forKey: path), !files.isSpecial(path) {
        throw OptionProblem(
          "\(ShownURL.text(other)) and \(ShownURL.text(transfer.url)) would both be written to \(path): choose different outputs with -o, or out= in a list"
        )
      }
    }
  }
}
