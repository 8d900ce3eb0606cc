import Files
import Foundation
import Testing

/// Archives that NumPy 2.4 wrote, in the fuzzer's corpus: 2 frames x 33 x 4, `fps`, `width`, `height` and `timestamps`.
@Suite struct NumpyArchiveTests {
  private func bytes(_ name: String) throws -> Data {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try Data(contentsOf: folder.appendingPathComponent("../../Fuzz/corpus/keypoints-npy/\(name)"))
  }

  @Test(arguments: ["stored.npz", "deflated.npz"]) func arraysAreUnpacked(_ name: String) throws {
    let archive = try NumpyArchive(InputFile(name: name, bytes: bytes(name)))
    #expect(archive.names == ["fps", "height", "landmarks", "timestamps", "width"])
    let poses = try NumpyArray(#require(try archive.array("landmarks")))
    #expect(poses.shape == [2, 33, 4])
    #expect(Array(poses.values[(33 + 25) * 4..<(33 + 26) * 4]) == [0.551, 0.7, -0.25, 0.9])
    #expect(try NumpyArray.numbers(#require(try archive.array("fps"))) == [10])
    #expect(try NumpyArray.numbers(#require(try archive.array("timestamps"))) == [0, 0.1])
    #expect(try archive.array("others") == nil)
  }

  @Test func aDamagedArchiveIsRefused() throws {
    let whole = try bytes("deflated.npz")
    for bytes in [whole.prefix(whole.count - 30), whole.dropFirst(1), Data()] {
      #expect(throws: DataError.self) { try NumpyArchive(InputFile(name: "a.npz", bytes: Data(bytes))) }
    }
    var damaged = whole
    for place in 100..<200 { damaged[place] ^= 0x55 }
    #expect(throws: DataError.self) {
      let archive = try NumpyArchive(InputFile(name: "a.npz", bytes: damaged))
      for name in archive.names { _ = try archive.array(name) }
    }
  }
}
