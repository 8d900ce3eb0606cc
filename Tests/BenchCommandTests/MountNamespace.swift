import Foundation
import Testing

/// A view of the file system of one command's own, in which it sees a folder read-only or on a disk that is full.
///
/// Permissions alone would not do: `root`, as whom containers run their tests, ignores them.
enum MountNamespace {
  /// Runs the command that follows as root of a namespace of its own (unshare(1) of util-linux).
  static let wrapper = ["/usr/bin/unshare", "--map-root-user", "--mount"]

  /// Not on macOS, and not where the system forbids namespaces, as some containers do.
  static let isAvailable: Bool = {
    guard FileManager.default.isExecutableFile(atPath: wrapper[0]) else { return false }
    let process = Process.bench(wrapper + ["/bin/sh", "-c", "mount -t tmpfs none /mnt"], in: "/")
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.exitCode == 0
  }()

  static let needed: Comment = "needs mount namespaces: unshare --map-root-user --mount"

  /// Shell words that make a file or folder read-only.
  static func readOnly(_ path: String) -> String {
    "mount --bind \(path) \(path) && mount -o remount,bind,ro \(path) || exit 99\n"
  }

  /// Shell words that put a disk of a size in a folder's place, with the folder's content.
  static func disk(_ path: String, size: String) -> String {
    "mkdir -p \(path) && cp -R \(path) ../kept && mount -t tmpfs -o size=\(size) none \(path) "
      + "&& cp -R ../kept/. \(path) || exit 99\n"
  }
}
