import Files
import Foundation
import Importers
import PoseModel
import Testing

@Suite struct MappedPosesTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static let head = """
    skeleton: coco-17
    coordinates: { unit: pixel, height: 500, y_axis: down, channels: [y, confidence, x] }

    """

  func options(_ mapping: String) throws -> ImportOptions {
    try folder.write(Self.head + mapping, to: "map.yaml")
    return said(mapping: folder.path + "/map.yaml")
  }

  @Test func columnsGoByTheMapping() throws {
    try folder.write("f,KneeY,p,KneeX,other\n3,10,0.5,20,a\n5,-1,0,-1,b\n6,11,0.75,21,c\n", to: "poses/a.csv")
    let options = try options("columns:\n  left_knee: [KneeY, p, KneeX]\nframe: f\nmissing: -1\n")
    let source = try MappedPoses.only(folder.path + "/poses", options)
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .pixel(height: 500), yAxis: .down))
    #expect(source.manifest.channels == [.x, .y, .confidence])
    let clip = try source.clip(0)
    #expect(clip.presence == [false, false, true, false, false, true])
    #expect(try clip.place(13, 5) == [21, 11, 0.75])
    #expect(try clip.place(14, 5)[0].isNaN)
    // Only what the mapping names can be lost: the knee in one of three frames.
    #expect(try source.read(0).remarks.first?.hasSuffix("1 of 3 keypoints not found") == true)
  }

  @Test func timesGoByTheMapping() throws {
    try folder.write("t,y,p,x\n0,10,0.5,20\n50,10,0.5,20\n100,10,0.5,20\n", to: "poses/a.csv")
    var options = try options("columns: { nose: [y, p, x] }\ntime: { column: t, unit: ms }\n")
    options.fps = nil
    let clip = try MappedPoses.only(folder.path + "/poses", options).clip(0)
    #expect(clip.keypoints?.times.map(\.count) == [0, 50_000, 100_000])
    #expect(clip.info.fps == 20)
  }

  @Test func arraysGoByTheMapping() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/poses", withIntermediateDirectories: true)
    let values = (1...12).map(Float.init)
    try NumpyArray(shape: [2, 1, 2, 3], values: values).encoded.write(
      to: URL(fileURLWithPath: folder.path + "/poses/a.npy"))
    let clip = try MappedPoses.only(folder.path + "/poses", options("keypoints: [right_knee, nose]\n")).clip(0)
    #expect(try clip.place(14, 0) == [3, 1, 2])
    #expect(try clip.place(0, 1) == [12, 10, 11])
    let error = folder.error { _ = try MappedPoses.only(folder.path + "/poses", options("frame: f\n")).clip(0) }
    #expect(error.hasPrefix("map.yaml:1: expected no columns, frame or time in the mapping"), "\(error)")
    let shape = folder.error { _ = try MappedPoses.only(folder.path + "/poses", options("")).clip(0) }
    #expect(shape == "poses/a.npy: expected frames x 17 x 3 values, found 2 x 1 x 2 x 3")
  }

  static let wrong: [(mapping: String, words: String)] = [
    (
      "colums: {}\n",
      "map.yaml:3: expected only the keys skeleton, coordinates, columns, keypoints, frame, time, missing, found \"colums\", did you mean columns?"
    ),
    (
      "columns:\n  left_kne: [a, b, c]\n",
      "map.yaml:4: expected keypoints of coco-17 for columns.left_kne, found \"left_kne\", did you mean left_knee"
    ),
    ("columns:\n  nose: [a, b]\n", "map.yaml:4: expected 3 columns, one per channel for columns.nose, found 2"),
    ("columns: { nose: [y, p, z] }\n", "poses/a.csv:1: expected column z, found only \"t\", \"y\", \"p\", \"x\""),
    ("frame: t\ntime: { column: t, unit: s }\n", "map.yaml:4: expected frame or time for time, found both"),
    ("time: t\n", "map.yaml:3: expected { column: NAME, unit: s or ms } for time, found \"t\""),
    ("time: { column: t, unit: h }\n", "map.yaml:3: expected s or ms for time.unit, found \"h\""),
    ("frame: t\n", "map.yaml:1: expected columns, as the poses are CSV, found none"),
  ]

  @Test(arguments: wrong) func wrongMappingsAreNamed(_ mapping: String, _ words: String) throws {
    try folder.write("t,y,p,x\n0,10,0.5,20\n", to: "poses/a.csv")
    let options = try options(mapping)
    let error = folder.error { _ = try MappedPoses.only(folder.path + "/poses", options).clip(0) }
    #expect(error.hasPrefix(words), "\(error)")
  }

  @Test func aMappingIsNeeded() throws {
    try folder.write("t,y,p,x\n0,10,0.5,20\n", to: "a.csv")
    #expect(!MappedPoses.recognises(folder.path))
    let error = folder.error { _ = try MappedPoses.only(folder.path) }
    #expect(
      error.hasSuffix("is mapped, which lacks some information: add --mapping FILE (the meaning of the columns)"),
      "\(error)")
  }
}
