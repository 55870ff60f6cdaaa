extension String {
  /// The last component of a path, without slashes at the path's end. `nil` if there is none, as in "" and "/".
  package var fileName: String? {
    // Most names of programs are no paths, and a replay of many logs asks for one with each task.
    if !utf8.contains(UInt8(ascii: "/")) { return isEmpty ? nil : self }
    return split(separator: "/").last.map(String.init)
  }
}
