/// The two kinds of pose file, told apart by the end of the name.
enum PoseFormat: String {
  case numpy = "npy"
  case csv

  init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    self.init(rawValue: String(path[path.index(after: dot)...]))
  }
}
