import Importers

extension FuzzTarget {
  /// Recordings of motion capture.
  static let motions =
    [BVH.self, C3D.self, TRC.self].map { (importer: any Importer.Type) in
      importing(importer, named: importer.format, as: "clip.\(importer.format)")
    } + [
      importing(AcclaimMotion.self, named: "amc", as: "clip.amc", beside: ["clip.asf": Acclaim.skeleton]),
      importing(AcclaimMotion.self, named: "asf", as: "clip.asf", beside: ["clip.amc": Acclaim.motion]),
    ]

  /// What pose tools write.
  static let poseTools = [
    importing(AlphaPose.self, as: "clip.json"), importing(COCOKeypoints.self, as: "clip.json"),
    importing(KeypointFiles.self, named: "keypoints-csv", as: "clip.csv"),
    importing(KeypointFiles.self, named: "keypoints-json", as: "clip.json"),
    importing(KeypointFiles.self, named: "keypoints-jsonl", as: "clip.jsonl"),
    importing(KeypointFiles.self, named: "keypoints-npy", as: "clip.npz"), importing(MMPose.self, as: "clip.json"),
    importing(OpenPose.self, as: "clip_1_keypoints.json"),
    importing(YOLOPose.self, as: "clip_1.txt"),
  ]

  static let videoHeader = FuzzTarget("video-header") { file in
    let header = try VideoHeader(file)
    guard header.fps.map({ $0 >= 0 && $0 <= 1000 }) ?? true else { throw RoundTripError(what: "\(header)") }
  }

  /// A file, imported as it is.
  ///
  /// - Parameters:
  ///   - file: its name.
  ///   - others: texts of files that lie beside it.
  private static func importing(
    _ importer: any Importer.Type, named name: String? = nil, as file: String, beside others: [String: String] = [:]
  ) -> FuzzTarget {
    FuzzTarget(name ?? importer.format) { input in
      var files = others.mapValues { Array($0.utf8) }
      files[file] = Array(input.bytes)
      // A skeleton is found beside its motion.
      let motion = files.keys.first { $0.hasSuffix(".amc") } ?? file
      try withTemporaryFiles(files) { folder in try check(importer, from: "\(folder)/\(motion)") }
    }
  }

  /// Imports with as much of what a file may lack as it does lack.
  private static func check(_ importer: any Importer.Type, from path: String) throws {
    for lacking in [[ImportOption.fps, .size], [.fps], [.size], []] where importer.options.isSuperset(of: lacking) {
      var options = ImportOptions()
      options.exercise = "squat"
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
