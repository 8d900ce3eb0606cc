import Foundation
import Importers
import Testing

/// Folders come from anybody, and may hold links and paths to what is somebody's own. FuzzTargetsTests link a file of
/// each format.
@Suite struct OutsideLinkTests {
  /// A folder to import from, beside one that is nobody's business.
  let folder: ImportFolder
  let outside: ImportFolder

  init() throws {
    folder = try ImportFolder()
    outside = try ImportFolder()
  }

  func link(_ name: String, to target: String) throws {
    try folder.write("", to: "\(name).beside")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(name).beside")
  }

  /// The words of the error that importing the folder ends with.
  func error(_ format: String, _ options: ImportOptions = ImportOptions(), from path: String? = nil) throws -> String {
    let importer = try #require(Importers.all.first { $0.format == format })
    return folder.error {
      for source in try Importers.datasets(importer, from: path ?? folder.path, options: options) {
        _ = try source.digest()
        _ = try source.clips()
      }
    }.replacing(folder.path, with: "FOLDER")
  }

  static var squat: ImportOptions {
    var options = ImportOptions()
    options.exercise = "squat"
    return options
  }

  static var frames: ImportOptions {
    var options = squat
    options.fps = 30
    options.size = ImageSize("640x480")
    return options
  }

  @Test(arguments: [("exercise-correction", "squat_model"), ("pushfit", "movenet/correct"), ("tennis-shots", "shots")])
  func aFolderOutsideIsNotRead(_ format: String, _ name: String) throws {
    for file in ["train.csv", "a.json", "forehand_001.csv"] { try outside.write("secret", to: file) }
    try link(name, to: outside.path)
    let words = try error(format)
    #expect(words.contains("expected a folder within FOLDER, found a link that leads outside"), "\(words)")
  }

  @Test func aFolderOfRecordingsOutsideIsNotLeftOutInSilence() throws {
    try outside.write("secret", to: "a.trc")
    try folder.write("", to: "own.trc")
    try link("anna", to: outside.path)
    #expect(
      try error("trc", Self.squat)
        == "anna: expected a folder within FOLDER, found a link that leads outside")
    let words = "\(Importers.unknown(folder.path, known: ["folder"]))".replacing(folder.path, with: "FOLDER")
    #expect(words.contains("FOLDER/anna: expected a folder within FOLDER"), "\(words)")
  }

  static let labels = "clip,start_s,end_s\nanna,0.1,0.9\n"

  @Test func labelsOutsideAreNotRead() throws {
    try outside.write(Self.labels, to: "reps.csv")
    try link("reps.csv", to: outside.path + "/reps.csv")
    let words = folder.error { _ = try LabelImport(from: folder.path, format: nil, mapping: nil) }
    #expect(words == "reps.csv: expected a file in the folder, found a link that leads outside", "\(words)")
  }

  /// Links are how people keep large files elsewhere in a checkout.
  @Test func linksWithinTheFolderAreFollowed() throws {
    let frame = (0..<17).map { "[0.\($0), 0.5, 1]" }.joined(separator: ",")
    try folder.write("[[\(frame)],[\(frame)]]", to: "kept/large.txt")
    try link("a.json", to: "kept/large.txt")
    #expect(try error("keypoints", Self.frames) == "no error")
  }

  @Test func aLinkToTheFolderItselfIsNoLoop() throws {
    let frame = (0..<17).map { "[0.\($0), 0.5, 1]" }.joined(separator: ",")
    try folder.write("[[\(frame)],[\(frame)]]", to: "a.json")
    try link("self", to: ".")
    #expect(try error("keypoints", Self.frames) == "no error")
  }

  /// Whoever names a link means what it leads to.
  @Test func aLinkThatIsNamedIsFollowed() throws {
    try outside.write("PathFileType", to: "a.trc")
    try link("b.trc", to: outside.path + "/a.trc")
    let words = try error("trc", Self.squat, from: folder.path + "/b.trc")
    #expect(words.contains("a.trc") && !words.contains("outside"), "\(words)")
  }
}
