import Datasets
import Files
import Foundation
import PoseModel
import TestSupport
import Testing

struct PoseCSVTests {
  private static let pair = Skeleton(name: "pair", keypoints: ["left_knee", "right_knee"])
  private static let header = "frame,time_s,left_knee_x,left_knee_y,right_knee_x,right_knee_y\n"

  private func read(_ text: String, channels: [Channel] = [.x, .y]) throws -> Keypoints {
    try PoseCSV.read(InputFile("a.csv", text: text), skeleton: Self.pair, channels: channels)
  }

  private func message(_ text: String) -> String { errorText { _ = try read(text) } }

  private func message(rows: String) -> String { message(Self.header + rows) }

  @Test func readsColumnsInOrder() throws {
    let keypoints = try read(Self.header + "0,0,1,2,3,4\n5,0.1234567,-1.5,.5,1e2,+7\n")
    #expect(keypoints.times == [Microseconds(0), Microseconds(123_457)])
    #expect(keypoints.values == [1, -1.5, 2, 0.5, 3, 100, 4, 7])
  }

  @Test func readsColumnsInAnyOrder() throws {
    let keypoints = try read("right_knee_y,time_s,left_knee_y,left_knee_x,frame,right_knee_x\n4,0.5,2,1,9,3\n")
    #expect(keypoints.times == [Microseconds(500_000)])
    #expect(keypoints.values == [1, 2, 3, 4])
  }

  @Test func noTimeIsAnHourAfterTheLast() {
    #expect(
      message(rows: "0,0,1,2,3,4\n1,3600,1,2,3,4\n2,1e7,1,2,3,4\n")
        == #"a.csv:4: expected a time in seconds at most an hour after the last row's 3600 in column time_s, found "1e7""#
    )
  }

  /// As Python's QUOTE_ALL and R's write.csv have it.
  @Test func readsWhatIsQuoted() throws {
    let rows = "0,0,1,2,3,4\n5,0.1234567,-1.5,,1e2,+7\n"
    let plain = try read(Self.header + rows)
    func quoted(_ text: String) -> String {
      text.split(separator: "\n").map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).map { "\"\($0)\"" }.joined(separator: ",") + "\r\n"
      }.joined()
    }
    for text in [
      quoted(Self.header + rows), quoted(Self.header) + rows, Self.header + rows.replacing("1e2", with: "\"1e2\""),
    ] {
      let keypoints = try read(text)
      #expect(keypoints.times == plain.times)
      #expect(keypoints.values.map(\.bitPattern) == plain.values.map(\.bitPattern))
    }
    #expect(message(rows: "0,0,\"1x\",2,3,4\n") == "a.csv:2: expected a number in column left_knee_x, found \"1x\"")
    #expect(message(rows: "0,0,\"1,2,3,4\n") == "a.csv:2: expected a closing quotation mark, found the end of the file")
  }

  @Test func readsTheChannelsOfTheManifest() throws {
    let keypoints = try read(
      "frame,time_s,left_knee_x,left_knee_y,left_knee_z,left_knee_c,right_knee_x,right_knee_y,right_knee_z,right_knee_c"
        + "\n0,0,1,2,3,4,5,6,7,8\n", channels: [.confidence, .x, .y, .z])
    #expect(keypoints.values == [4, 1, 2, 3, 8, 5, 6, 7])
  }

  @Test(arguments: ["0,0,,NaN,nan,4", "0,0,,nan,NAN,4"])
  func readsMissingValues(_ row: String) throws {
    let values = try read(Self.header + row).values
    #expect(values.prefix(3).allSatisfy { $0.isNaN })
    #expect(values[3] == 4)
  }

  @Test func readsAnEmptyLastField() throws {
    #expect(try read(Self.header + "0,0,1,2,3,\n1,1,1,2,3,").values.suffix(2).allSatisfy { $0.isNaN })
  }

  @Test(arguments: ["\n", "", "\n\n", "\r\n", "\r\n\r\n"])
  func readsAnyEndOfFile(_ end: String) throws {
    #expect(try read(Self.header + "0,0,1,2,3,4" + end).values == [1, 2, 3, 4])
  }

  @Test func readsByteOrderMarkAndCarriageReturns() throws {
    let text = "\u{FEFF}" + (Self.header + "0,0,1,2,3,4\n1,1,,6,7,\n").replacingOccurrences(of: "\n", with: "\r\n")
    let keypoints = try read(text)
    #expect(keypoints.frameCount == 2)
    #expect(keypoints.values[1].isNaN && keypoints.values[7].isNaN)
    #expect(keypoints.values[3] == 6 && keypoints.values[5] == 7)
  }

  @Test func readsAHeaderAlone() throws {
    #expect(try read(Self.header).frameCount == 0)
    #expect(try read(String(Self.header.dropLast())).frameCount == 0)
  }

  @Test func namesColumnsThatAreMissingOrUnknown() {
    #expect(message("") == "a.csv:1: expected column frame, found no such column")
    #expect(
      message("frame,time_s,left_kne_x,left_knee_y,right_knee_x,right_knee_y\n")
        == "a.csv:1: expected column left_knee_x, found only left_kne_x")
    #expect(
      message("frame,time_s,left_knee_x,left_knee_y,right_knee_x,right_knee_y,nose_x\n")
        == #"a.csv:1: expected only frame, time_s and the keypoints of pair with _x, _y, found column "nose_x""#)
    #expect(
      message("frame,time_s,left_knee_x,left_knee_y,right_knee_x,right_knee_y,frame\n")
        == "a.csv:1: expected unique columns, found column frame twice")
  }

  @Test(arguments: ["abc", "1.2.3", "--1", "1e", "0x10", " 1", "1 ", "-", ".", "1;2", "\u{0}", "nans"])
  func refusesWhatIsNotANumber(_ field: String) {
    let found = field.replacingOccurrences(of: "\u{0}", with: #"\0"#)
    #expect(
      message(rows: "0,0,1,2,3,4\n1,1,1,2,\(field),4\n")
        == "a.csv:3: expected a number in column right_knee_x, found \"\(found)\"")
  }

  @Test(arguments: ["3.5e38", "-1e400"])
  func refusesNumbersBeyondFloat32(_ field: String) {
    #expect(
      message(rows: "0,0,1,2,3,\(field)\n")
        == "a.csv:2: expected a number within ±3.4e38 in column right_knee_y, found \"\(field)\"")
  }

  @Test func refusesInfinity() {
    #expect(message(rows: "0,0,inf,2,3,4\n") == #"a.csv:2: expected a number in column left_knee_x, found "inf""#)
  }

  @Test func refusesAnotherNumberOfFields() {
    #expect(message(rows: "0,0,1,2,3,4\n1,1,1,2,3\n") == "a.csv:3: expected 6 fields, found 5")
    #expect(message(rows: "0,0,1,2,3,4,5\n") == "a.csv:2: expected 6 fields, found 7")
    #expect(message(rows: "0,0,1,2,3,4,\n") == "a.csv:2: expected 6 fields, found 7")
    #expect(message(rows: "0,0\n") == "a.csv:2: expected 6 fields, found 2")
    #expect(
      message(rows: "0,0,1,2,3,4\n\n1,1,1,2,3,4\n")
        == #"a.csv:3: expected a whole number in column frame, found """#)
  }

  @Test func refusesTimesThatGoBack() {
    #expect(
      message(rows: "0,0,1,2,3,4\n1,0.5,1,2,3,4\n2,0.25,1,2,3,4\n")
        == #"a.csv:4: expected a time after the last row's 0.5 in column time_s, found "0.25""#)
    #expect(
      message(rows: "0,0.5,1,2,3,4\n1,0.5000001,1,2,3,4\n")
        == #"a.csv:3: expected a time after the last row's 0.5 in column time_s, found "0.5000001""#)
  }

  @Test(arguments: ["-0.1", "nan", "", "1e13", "x"])
  func refusesWhatIsNotATime(_ time: String) {
    #expect(
      message(rows: "0,\(time),1,2,3,4\n")
        == "a.csv:2: expected a time in seconds from 0 in column time_s, found \"\(time)\"")
  }

  @Test func checksFrameNumbers() {
    #expect(
      message(rows: "0.5,0,1,2,3,4\n") == #"a.csv:2: expected a whole number in column frame, found "0.5""#)
    #expect(
      message(rows: "7,0,1,2,3,4\n7,1,1,2,3,4\n")
        == #"a.csv:3: expected a number after the last row's 7 in column frame, found "7""#)
  }

  /// More lines than the bytes could fill with fields.
  @Test func stopsAtTheFirstOfManyEmptyLines() {
    let text = Self.header + String(repeating: "\n", count: 1_000_000) + "x"
    #expect(message(text) == #"a.csv:2: expected a whole number in column frame, found """#)
  }

  @Test func writesTheShortestNumbers() throws {
    let keypoints = Keypoints(
      times: [Microseconds(0), Microseconds(1_500_001)], keypointCount: 2, channels: [.x, .y],
      values: [0.1, 3, .nan, -0.0, 1e-5, 16_777_216, 0.25, 1 / 3])
    let text = String(decoding: PoseCSV.encode(keypoints, skeleton: Self.pair), as: UTF8.self)
    #expect(text == Self.header + "0,0,0.1,,1e-05,0.25\n1,1.500001,3,-0,16777216,0.33333334\n")
    let back = try read(text)
    #expect(back.times == keypoints.times)
    #expect(back.values.map(\.bitPattern) == keypoints.values.map(\.bitPattern))
  }
}
