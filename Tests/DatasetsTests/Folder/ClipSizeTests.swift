import Datasets
import Files
import Foundation
import PoseModel
import TestSupport
import Testing

/// A clip that is larger than memory should be is refused before anything of its size is allocated.
@Suite struct ClipSizeTests {
  @Test func aPoseCSVWithTooManyNumbers() throws {
    let one = Skeleton(name: "one", keypoints: ["nose"])
    // 25,000,000 / 2 frames fit.
    let header = Data("frame,time_s,nose_x,nose_y\n".utf8)
    let rows = Data(repeating: UInt8(ascii: "\n"), count: 1 << 26)
    let body = Data("0,0,,".utf8) + rows + Data("1,1,,".utf8)
    let words = errorText {
      _ = try PoseCSV.read(InputFile(name: "a.csv", bytes: header + body), skeleton: one, channels: [.x, .y])
    }
    #expect(
      words == "a.csv: expected at most 25000000 numbers in a clip (12500000 frames of 2), "
        + "found 16777219 frames; split the recording into clips, such as one for each set")
  }

  /// The file has no blocks on the disk, only a size.
  @Test func anArrayWithTooManyNumbers() throws {
    let path = NSTemporaryDirectory() + "large-\(UUID().uuidString).npy"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (490197, 17, 3), }"
    header += String(repeating: " ", count: 118 - header.utf8.count - 1) + "\n"
    try (Data([0x93]) + Data("NUMPY".utf8) + Data([1, 0, 118, 0]) + Data(header.utf8)).write(
      to: URL(fileURLWithPath: path))
    #expect(truncate(path, 128 + 490_197 * 17 * 3 * 4) == 0)
    #expect(
      errorText { _ = try NumpyArray(InputFile(path, name: "a.npy")) }
        == "a.npy: expected at most 25000000 numbers in a clip (490196 frames of 51), "
        + "found 490197 frames; split the recording into clips, such as one for each set")
  }
}
