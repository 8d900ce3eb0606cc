import Foundation

/// Where pictures go: a file whose name ends in `.png`, or a folder, which is made where it is absent.
struct PictureDestination {
  /// As it was asked for; `nil` for the current folder.
  let path: String?

  /// Whether it can hold one picture only.
  var isFile: Bool {
    guard let path, path.lowercased().hasSuffix(".png") else { return false }
    var isFolder: ObjCBool = false
    return !(FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue)
  }

  /// Where a picture goes that is called so.
  func file(_ name: String) -> String {
    guard let path else { return name }
    if isFile { return path }
    return (path.hasSuffix("/") ? path : path + "/") + name
  }
}
