import Files
import Foundation
import Importers
import PoseModel

extension FuzzTarget {
  /// At least one for each of `Importers.all`: its own, or that of a file with the ending of the format.
  static let importers = own + others

  private static let own = sets + motions + poseTools

  /// Those of which a file alone is a recording.
  private static let others = Importers.all.compactMap { $0 as? any FileEndings.Type }
    .filter { importer in !own.contains { $0.importer == importer.format } }
    .map { importing($0, as: "clip.\($0.endings[0])") }

  /// Public datasets, of which one file is fuzzed.
  private static let sets: [FuzzTarget] = [
    importing(RepCountPose.self, as: "annotation.csv", beside: RepCount.files, from: ""),
    importing(
      UIPRMD.self, as: "Segmented Movements/Vicon/Positions/m01_s01_e01_positions.txt", from: ""),
    importing(TennisShots.self, as: "ann/shots/forehand_001.csv", from: ""),
    importing(TennisStream.self, as: "forehand.csv", from: ""),
    importing(GolfSwing.self, as: "events.csv", beside: ["poses/7_poses.csv": Array(Golf.poses.utf8)], from: ""),
    importing(
      GolfSwing.self, named: "golf-swing-poses", as: "poses/7_poses.csv",
      beside: ["events.csv": Array(Golf.events.utf8)],
      from: ""),
    importing(ExerciseCorrection.self, as: "squat_model/train.csv", from: ""),
    importing(PushFit.self, as: "movenet/correct/a.json", from: ""),
    importing(GradedSquats.self, as: "grades.csv", from: ""),
  ]

  /// Recordings of motion capture.
  private static let motions =
    [BVH.self, C3D.self, TRC.self].map { (importer: any Importer.Type) in
      importing(importer, as: "clip.\(importer.format)")
    } + [
      importing(AcclaimMotion.self, as: "clip.amc", beside: ["clip.asf": Array(Acclaim.skeleton.utf8)]),
      importing(
        AcclaimMotion.self, named: "asf", as: "clip.asf", beside: ["clip.amc": Array(Acclaim.motion.utf8)],
        from: "clip.amc"),
    ]

  /// What pose tools write, where a name is more than an ending, or a format has several.
  private static let poseTools: [FuzzTarget] = [
    importing(KeypointFiles.self, named: "keypoints-csv", as: "clip.csv"),
    importing(KeypointFiles.self, named: "keypoints-gz", as: "clip.csv.gz"),
    importing(KeypointFiles.self, named: "keypoints-json", as: "clip.json"),
    importing(KeypointFiles.self, named: "keypoints-jsonl", as: "clip.jsonl"),
    importing(KeypointFiles.self, named: "keypoints-npy", as: "clip.npz"),
    importing(OpenPose.self, as: "clip_1_keypoints.json"),
    importing(YOLOPose.self, as: "clip_1.txt"),
    importing(MappedPoses.self, as: "clip.csv", beside: [mapping: Array(Mapped.mapping.utf8)]),
    importing(
      MappedPoses.self, named: "mapping", as: mapping, beside: ["clip.csv": Array(Mapped.poses.utf8)], from: "clip.csv"),
  ]

  static let videoHeader = FuzzTarget("video-header") { file in
    let header = try VideoHeader(file)
    guard header.fps.map({ $0 >= 0 && $0 <= 1000 }) ?? true else { throw RoundTripError(what: "\(header)") }
  }

  private static let mapping = "mapping.yaml"

  /// A file, imported as it is.
  ///
  /// - Parameters:
  ///   - file: its path in a folder.
  ///   - others: files that lie beside it.
  ///   - path: what is imported, in the folder, empty for the folder; by default the file.
  private static func importing(
    _ importer: any Importer.Type, named name: String? = nil, as file: String, beside others: [String: [UInt8]] = [:],
    from path: String? = nil
  ) -> FuzzTarget {
    let hasMapping = file == mapping || others[mapping] != nil
    @Sendable func options(in folder: String) -> ImportOptions {
      var options = ImportOptions()
      options.exercise = "squat"
      if hasMapping { options.mapping = "\(folder)/\(mapping)" }
      return options
    }
    let readLink: @Sendable (String) throws -> Void = { outside in
      var files = others
      files[file] = []
      try withTemporaryFiles(files) { folder in
        guard unlink("\(folder)/\(file)") == 0, symlink(outside, "\(folder)/\(file)") == 0 else {
          throw CocoaError(.fileWriteUnknown)
        }
        try check(importer, from: folder, adding: options(in: folder))
      }
    }
    // A person names the mapping, which may lie anywhere.
    return FuzzTarget(
      name ?? importer.format, importer: importer.format, readLink: file == mapping ? nil : readLink
    ) { input in
      var files = others
      files[file] = Array(input.bytes)
      try withTemporaryFiles(files) { folder in
        try check(importer, from: path == "" ? folder : "\(folder)/\(path ?? file)", adding: options(in: folder))
      }
    }
  }

  /// Imports with as much of what a file may lack as it does lack.
  private static func check(_ importer: any Importer.Type, from path: String, adding given: ImportOptions) throws {
    for lacking in [[ImportOption.fps, .size], [.fps], [.size], []] where importer.options.isSuperset(of: lacking) {
      var options = given
      if lacking.contains(.fps) { options.fps = 30 }
      if lacking.contains(.size) { options.size = ImageSize(width: 640, height: 480) }
      do {
        return try check(importer, from: path, options)
      } catch is ImportOptionError {}
    }
  }

  private static func check(_ importer: any Importer.Type, from path: String, _ options: ImportOptions) throws {
    for source in try importer.datasets(from: path, options: options) {
      guard source.clipCount > 0, let poses = try source.clip(0).keypoints else { continue }
      guard !poses.values.contains(where: \.isInfinite) else { throw RoundTripError(what: "an infinity") }
      guard zip(poses.times, poses.times.dropFirst()).allSatisfy({ $0 < $1 }) else {
        throw RoundTripError(what: "times that do not grow")
      }
    }
  }
}

/// Two videos of RepCount: their frame rates and poses of four frames.
private enum RepCount {
  static let files: [String: [UInt8]] = {
    let poses = NumpyArray(shape: [4, 33, 3], values: (0..<396).map { Float($0 % 7) })
    return [
      "fps.csv": Array("name,fps\na1.mp4,20\nb2.mp4,25.5\n".utf8), "poses/a1.npy": Array(poses.encoded),
      "poses/b2.npy": Array(poses.encoded),
    ]
  }()
}

/// A golf swing and its poses.
private enum Golf {
  static let events = """
    id,player,sex,club,view,slow,fps,address,toe_up,mid_backswing,top,mid_downswing,impact,mid_follow_through,finish
    7,ANN BEE,f,iron,face-on,1,20,0,1,2,3,4,5,8,9

    """

  static let poses: String = {
    let columns = Skeleton.blazePose33.keypoints.map { "\($0)_x,\($0)_y,\($0)_z,\($0)_visibility" }
    let values = String(repeating: ",0.25,0.5,-0.5,0.75", count: columns.count)
    return "frame,\(columns.joined(separator: ","))\n1\(values)\n2\(values)\n"
  }()
}

/// A table in a layout of its own, and its mapping.
private enum Mapped {
  static let poses = "f,KneeY,p,KneeX,other\n3,10,0.5,20,a\n5,-1,0,-1,b\n6,11,0.75,21,c\n"

  static let mapping = """
    skeleton: coco-17
    coordinates: { unit: pixel, height: 500, y_axis: down, channels: [y, confidence, x] }
    columns: { left_knee: [KneeY, p, KneeX] }
    frame: f
    missing: -1

    """
}

/// A skeleton and a motion that go together.
private enum Acclaim {
  static let skeleton = """
    :version 1.10
    :name clip
    :units
      mass 1.0
      length 0.45
      angle deg
    :root
      order TX TY TZ RX RY RZ
      axis XYZ
      position 0 0 0
      orientation 0 0 0
    :bonedata
      begin
        id 1
        name lhipjoint
        direction 0.6 -0.7 0.3
        length 2.5
        axis 0 0 0 XYZ
      end
      begin
        id 2
        name lfemur
        direction 0.34 -0.94 0
        length 7.5
        axis 0 0 20 XYZ
        dof rx ry rz
        limits (-160.0 20.0)
               (-70.0 70.0)
               (-60.0 70.0)
      end
      begin
        id 3
        name ltibia
        direction 0.34 -0.94 0
        length 7.4
        axis 0 0 20 XYZ
        dof rx
        limits (-10.0 170.0)
      end
      begin
        id 4
        name rhipjoint
        direction -0.6 -0.7 0.3
        length 2.5
        axis 0 0 0 XYZ
      end
      begin
        id 5
        name rfemur
        direction -0.34 -0.94 0
        length 7.5
        axis 0 0 -20 XYZ
        dof rx ry rz
      end
      begin
        id 6
        name rtibia
        direction -0.34 -0.94 0
        length 7.4
        axis 0 0 -20 XYZ
        dof rx
      end
    :hierarchy
      begin
        root lhipjoint rhipjoint
        lhipjoint lfemur
        lfemur ltibia
        rhipjoint rfemur
        rfemur rtibia
      end

    """

  static let motion = """
    #!OML:ASF clip.asf
    :FULLY-SPECIFIED
    :DEGREES
    1
    root 9.37 17.88 -17.31 -2.02 2.85 2.17
    lfemur -2.04 -2.19 20.49
    ltibia 16.56
    rfemur -6.71 2.5 -20.1
    rtibia 21.4
    2
    root 9.35 17.89 -17.03 -2.05 2.82 2.02
    lfemur -3.93 -2.39 21.32
    ltibia 17.17
    rfemur -4.9 2.9 -20.6
    rtibia 23

    """
}
