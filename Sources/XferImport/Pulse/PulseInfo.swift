/// The app and the device as the file `info.json` of a Pulse package describes them.
struct PulseInfo {
  /// The name of the app; `nil` if unknown.
  private(set) var app: String?
  /// The version of the app, with its build if the file has one.
  private(set) var version: String?
  /// The name and version of the operating system.
  private(set) var system: String?

  /// Reads the file next to a database.
  ///
  /// - Parameter store: the path of a package, or of the database in one. Without a readable file, nothing is known.
  init(of store: String) {
    let directory = store.hasSuffix("/logs.sqlite") ? String(store.dropLast("/logs.sqlite".count)) : store
    guard let info = JSONReader(path: "\(directory)/info.json")?.value() else { return }
    app = info["appInfo"]?["name"]?.text ?? info["appInfo"]?["bundleIdentifier"]?.text
    if let number = info["appInfo"]?["version"]?.text {
      version = info["appInfo"]?["build"]?.scalarText.map { "\(number) (\($0))" } ?? number
    }
    if let name = info["deviceInfo"]?["systemName"]?.text {
      system = [name, info["deviceInfo"]?["systemVersion"]?.text].compactMap(\.self).joined(separator: " ")
    }
  }
}
