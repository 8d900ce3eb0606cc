import Files
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct ImporterTests {
  @Test func formatsHaveNamesOfTheirOwn() {
    let formats = Importers.all.map { $0.format }
    #expect(Set(formats).count == formats.count)
    #expect(formats.allSatisfy { PortableName.isValid($0) })
  }

  @Test func nothingIsMadeOfAnEmptyFolder() throws {
    let folder = try ImportFolder()
    for importer in Importers.all {
      let format = importer.format
      let recognised = [folder.path, folder.path + "/absent"].filter { importer.recognises($0) }
      #expect(recognised.isEmpty, "\(format)")
      #expect(throws: DataError.self, "\(format)") {
        _ = try importer.datasets(from: folder.path, options: ImportOptions())
      }
    }
  }

  @Test(arguments: Importers.sets.map { $0.format })
  func recordingsAreTakenForOneFormat(_ format: String) throws {
    guard let path = Shared.recordings(format) else { return }
    #expect(Importers.recognising(path).map { $0.format } == [format])
    let importer = try #require(Importers.all.first { $0.format == format })
    for source in try importer.datasets(from: path, options: ImportOptions()) {
      let skeleton = try #require(Skeleton.named(source.manifest.skeleton))
      let keypoints = try source.clip(0).keypoints
      #expect(keypoints == nil || keypoints?.keypointCount == skeleton.keypoints.count)
      #expect(keypoints == nil || keypoints?.channels == source.manifest.channels)
    }
  }
}
