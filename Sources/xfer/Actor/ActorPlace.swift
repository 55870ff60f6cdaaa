import Foundation

/// The locations that a scripted app needs: its script, its files and its server.
struct ActorPlace: Sendable {
  /// The absolute path of the script.
  let script: String
  /// The folder of the run.
  let directory: String
  /// The folder of files.
  let files: String
  /// The address of the server, such as `http://127.0.0.1:8080`.
  let server: String

  init(script: String, directory: String?, files: String?, server: String?) {
    let path = URL(fileURLWithPath: script).standardizedFileURL
    self.script = path.path
    let folder = directory ?? path.deletingLastPathComponent().path
    self.directory = URL(fileURLWithPath: folder).standardizedFileURL.path
    self.files = files.map { URL(fileURLWithPath: $0).standardizedFileURL.path } ?? "\(self.directory)/files"
    self.server = server ?? "http://127.0.0.1:8080"
  }

  /// The port of the server, for addresses with another scheme or another name of its host.
  var port: String { URLComponents(string: server)?.port.map(String.init) ?? "80" }

  /// The folder of what the app keeps across launches.
  var memory: String { "\(directory)/actors/\(URL(fileURLWithPath: script).deletingPathExtension().lastPathComponent)" }
  /// The folder of the locks that all apps of the run share.
  var locks: String { "\(directory)/locks" }

  /// The arguments of later launches.
  var arguments: [String] { ["actor", script, "--directory", directory, "--files", files, "--server", server] }

  /// Returns a text with `$DIR`, `$FILES` and `$LAUNCH` replaced.
  func filled(_ text: String, launch: Int) -> String {
    text.replacingOccurrences(of: "$DIR", with: directory).replacingOccurrences(of: "$FILES", with: files)
      .replacingOccurrences(of: "$LAUNCH", with: "\(launch)")
  }
}
