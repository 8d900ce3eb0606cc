import Datasets
import Foundation
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct C3DTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  func source(_ data: Data, _ options: ImportOptions = .capture()) throws -> any Importer {
    try data.write(to: URL(fileURLWithPath: folder.path + "/squat.c3d"))
    return try #require(try C3D.datasets(from: folder.path + "/squat.c3d", options: options).first)
  }

  @Test(arguments: C3DBuilder.Processor.allCases, [false, true])
  func everyProcessorsNumbersAreRead(_ processor: C3DBuilder.Processor, isInteger: Bool) throws {
    var file = C3DBuilder()
    file.processor = processor
    file.isInteger = isInteger
    // Labels that go on in LABELS2 and LABELS3.
    file.labelLimit = 14
    file.frames[1][MarkerBody.markers.count - 1] = nil
    let source = try source(file.data)
    let (clip, remarks) = try source.read(0)
    // An integer is a whole number of tenths of a millimetre.
    try MarkerBody.expectJoints(clip, tolerance: 1e-6)
    #expect(clip.info == Clip.Info(name: "squat", subject: "Anna", exercise: "squat", view: "", fps: 120, split: ""))
    // The last marker is the right wrist's.
    #expect(try clip.place("right_wrist", frame: 1).x.isNaN)
    #expect(try !clip.place("left_wrist", frame: 1).x.isNaN)
    #expect(source.remarks == ["squat.c3d: z points up, judging by the people in it"])
    // A wrist in one of two frames, of 17 joints.
    #expect(remarks == ["squat: 1 of 34 joints not found, as markers were lost"])
  }

  @Test func namesMayHaveTheSubjectBeforeThem() throws {
    var file = C3DBuilder()
    file.names = file.names.map { "A:\($0)" }
    try MarkerBody.expectJoints(try source(file.data).clip(0))
  }

  @Test func aLongFileSaysItsFramesElsewhere() throws {
    var file = C3DBuilder()
    file.saidFrames = 65535
    file.longFrames = 2
    #expect(try source(file.data).clip(0).keypoints?.frameCount == 2)
  }

  /// As OptiTrack's files do not say where the frames start.
  @Test func framesFollowTheParametersIfNothingElseIsSaid() throws {
    var file = C3DBuilder()
    file.saidStart = 0
    try MarkerBody.expectJoints(try source(file.data).clip(0))
  }

  @Test func theFileSaysWhatIsUp() throws {
    var file = C3DBuilder()
    file.shownUpright = "+Z"
    let source = try source(file.data)
    try MarkerBody.expectJoints(source.clip(0))
    #expect(source.remarks.isEmpty)
    // Whoever stands up along z lies where y is up.
    file.shownUpright = "+Y"
    let words = folder.error { _ = try self.source(file.data) }
    #expect(
      words.hasSuffix(
        "expected ankles below shoulders along y, the up axis of the file or its format; --up sets another axis, "
          + "also if people lie down, found that along z"), "\(words)")
    // What is no axis says nothing.
    file.shownUpright = "up"
    let unsaid = try self.source(file.data)
    #expect(unsaid.remarks == ["squat.c3d: z points up, judging by the people in it"])
    try MarkerBody.expectJoints(unsaid.clip(0))
  }

  /// Each file and what its error ends with.
  static let wrongFiles: [(data: Data, words: String)] = {
    let good = C3DBuilder().data
    func changed(_ change: (inout Data) -> Void) -> Data {
      var data = good
      change(&data)
      return data
    }
    var many = C3DBuilder()
    many.saidFrames = 60_000
    var endless = C3DBuilder()
    endless.longFrames = 1 << 40
    var unit = C3DBuilder()
    unit.unit = "ell"
    var nothing = C3DBuilder()
    nothing.names = []
    nothing.frames = [[], []]
    var still = C3DBuilder()
    still.rate = .nan
    // A number of markers that is a float may be any.
    var crowd = C3DBuilder()
    crowd.usedAsFloat = Double(1 << 46)
    return [
      (crowd.data, "expected room for 70368744177664 markers, found a file of 2072 bytes"),
      (Data(), "squat.c3d: expected a C3D file, whose second byte is 0x50, found 0 bytes"),
      (changed { $0[1] = 0x51 }, "squat.c3d: expected a C3D file, whose second byte is 0x50, found another one"),
      (changed { $0[0] = 200 }, "expected a parameter section at byte 101888, found a file of 2072 bytes"),
      (changed { $0[0] = 0 }, "expected a parameter section at byte -512, found a file of 2072 bytes"),
      (changed { $0[515] = 90 }, "expected a processor of 84 (Intel), 85 (DEC) or 86 (MIPS), found 90"),
      (
        good.dropLast(100),
        "expected 2 frames, as declared, found room for 1: it is cut off or its header is wrong"
      ),
      (many.data, "expected 60000 frames, as declared, found room for 2: it is cut off or its header is wrong"),
      (
        endless.data,
        "expected 1099511627776 frames, as declared, found room for 2: it is cut off or its header is wrong"
      ),
      (unit.data, "expected POINT:UNITS of m, mm, cm, in, found \"ell\""),
      (nothing.data, "expected markers, found none"),
      (still.data, "clip squat: expected 0.01 to 1000 frames a second, found nan"),
      // The first parameter's type, and its number of dimensions.
      (
        changed { $0[516 + 10 + 13 + 8] = 9 },
        "expected a value of USED within the parameter section, found a type of 9"
      ),
      (
        changed { $0[516 + 10 + 13 + 9] = 200 },
        "expected a value of USED within the parameter section, found 200 dimensions"
      ),
    ]
  }()

  @Test(arguments: wrongFiles) func wrongFilesAreNamed(_ data: Data, _ words: String) throws {
    let error = folder.error { _ = try source(data).clip(0) }
    #expect(error.hasSuffix(words), "\(error)")
  }

  /// −128, whose opposite no byte holds: POINT is gone, and with it what the markers are called.
  @Test func aGroupMayHaveAnyNumber() throws {
    var data = C3DBuilder().data
    data[517] = 0x80
    let error = folder.error { _ = try source(data).clip(0) }
    #expect(error.contains("expected markers of both legs or both arms"), "\(error)")
  }

  /// Whatever byte of header and parameters is another, there is a reading or an error.
  @Test func noByteBringsItDown() throws {
    let good = C3DBuilder().data
    var errors = 0
    for place in stride(from: 0, to: 1536, by: 3) {
      var data = good
      data[place] ^= 0xFF
      if folder.error({ _ = try source(data).clip(0) }) != "no error" { errors += 1 }
    }
    #expect(errors > 20)
  }

  /// Positions by ezc3d's reading of the file, joint centres of them by numpy.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/c3d") else { return }
    let source = try #require(try C3D.datasets(from: path, options: .capture()).first)
    let clip = try source.clip(0)
    #expect(clip.keypoints?.frameCount == 2539)
    #expect(clip.info.fps == 120)
    #expect(clip.info.subject == "SehoonVSK35")
    let expected: [(frame: Int, joint: String, x: Double, y: Double, z: Double)] = [
      (0, "left_knee", 0.135283, 0.506273, 0.001992), (1000, "right_elbow", -0.422542, 1.297942, -0.085569),
      (2500, "left_shoulder", 0.217906, 1.397305, 0.054031), (0, "left_heel", 0.190422, 0.112189, -0.170421),
      (1000, "left_wrist", 0.4716, 1.494605, -0.097783), (0, "left_hip", 0.069439, 0.892945, -0.00056),
      (2500, "right_hip", -0.059047, 0.901805, -0.037267), (1000, "left_ankle", 0.217308, 0.154134, -0.140198),
    ]
    for (frame, joint, x, y, z) in expected {
      let place = try clip.place(joint, frame: frame)
      #expect((place - SIMD3(x, y, -z)).length < 5e-4, "\(joint) \(place)")
    }
    #expect(try clip.place("left_wrist", frame: 0).x.isNaN)
    let angles = try (0..<2539).map { try clip.angle("left_hip", "left_knee", "left_ankle", frame: $0) }
      .filter(\.isFinite)
    #expect(abs(try #require(angles.min()) - 88.6) < 0.3)
    #expect(abs(try #require(angles.max()) - 160.9) < 0.3)
  }
}
