import Evaluation
import Files
import Foundation
import Synchronization

/// The videos of recordings, found by the names of clips: `s01_front_1.mp4` or `s01/front_1.mp4` for `s01_front_1`.
///
/// Videos are played in place and never copied.
public final class VideoFiles: Sendable {
  private static let endings: Set<String> = ["mp4", "m4v", "mov", "webm", "ogv", "mkv"]
  /// The maximum number of files read from a folder.
  private static let most = 100_000
  /// Paths by clip in the given folder; `nil` to search beside the recordings.
  private let given: [String: String]?
  /// Paths by clip, per dataset folder.
  private let beside = Mutex([String: [String: String]]())

  /// - Parameter folder: The folder to search, with its subfolders; `nil` for a dataset's folder, its `poses` and its
  ///   `videos`.
  /// - Throws: `DataError` if there is no such folder.
  public init(in folder: String?) throws {
    given = try folder.map { folder in
      guard FileKind("\(folder)/.") == .directory else {
        throw DataError(file: folder, expected: "a folder of videos", found: "no such folder")
      }
      let names = FileManager.default.enumerator(atPath: folder)?.lazy.compactMap { $0 as? String }.prefix(Self.most)
      return Self.byClip(names.map { Array($0) } ?? [], in: folder)
    }
  }

  /// The path of a clip's video; `nil` for none.
  ///
  /// - Parameter dataset: The folder of the clip's dataset; `nil` if it has none.
  public func path(of clip: String, inDataset dataset: String?) -> String? {
    if let given { return given[clip] }
    guard let dataset else { return nil }
    return beside.withLock { beside in
      let known = beside[dataset] ?? Self.besideRecordings(of: dataset)
      beside[dataset] = known
      return known[clip]
    }
  }

  /// The address of a clip's video, relative to a page on disk; `nil` for none.
  public func address(for clip: ReplayedClip, onPage page: String) -> String? {
    path(of: clip.result.name, inDataset: clip.folder).map { Self.address(of: $0, onPage: page) }
  }

  /// The address of a file, relative to a page.
  static func address(of file: String, onPage page: String) -> String {
    func parts(_ path: String) -> [String] { URL(fileURLWithPath: path).standardizedFileURL.pathComponents }
    let (target, base) = (parts(file), parts(page).dropLast())
    let shared = zip(target, base).prefix { $0 == $1 }.count
    let allowed = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
    return (Array(repeating: "..", count: base.count - shared) + target.dropFirst(shared))
      .map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }.joined(separator: "/")
  }

  private static func besideRecordings(of dataset: String) -> [String: String] {
    let names = ["", "poses/", "videos/"].flatMap { part in
      ((try? FileManager.default.contentsOfDirectory(atPath: "\(dataset)/\(part)")) ?? []).map { part + $0 }
    }
    return byClip(names, in: dataset)
  }

  private static func byClip(_ names: [String], in folder: String) -> [String: String] {
    let videos = names.sorted().filter { endings.contains(PathParts($0).ending.lowercased()) }
    // An import from a folder a person names clips by both.
    let keys = [{ $0.replacing("/", with: "_") }, { $0 }] as [(String) -> String]
    return Dictionary(
      keys.flatMap { key in
        videos.compactMap { name in PortableName.near(pathOf: key(name)).map { ($0, "\(folder)/\(name)") } }
      }, uniquingKeysWith: { first, _ in first })
  }
}
