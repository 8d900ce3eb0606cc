/// The keypoints of a pose estimator or marker set, in their order, and how they become the common joints.
public struct Skeleton: Sendable {
  /// The source of a common joint.
  public enum Origin: Hashable, Sendable {
    /// One keypoint, by its index in `keypoints`.
    case keypoint(Int)
    /// Halfway between two keypoints, with the lower of their confidences.
    case midpoint(Int, Int)
  }

  /// The name in files: `coco-17`.
  public let name: String
  /// The keypoints' names, in the order of the recording's columns.
  public let keypoints: [String]
  /// One source per joint, `nil` if the skeleton has no such joint.
  public let origins: [Origin?]
  /// The lines of its drawn figure, as in its documentation.
  public let connections: [Connection]

  /// A skeleton of these keypoints. A missing neck or root is the midpoint of the shoulders or hips.
  ///
  /// - Parameters:
  ///   - name: the name in files.
  ///   - keypoints: the names in column order; a keypoint of a common joint's name is that joint.
  ///   - renamed: keypoints that stand for a joint under another name.
  ///   - connections: positions of keypoints that a line joins.
  public init(
    name: String, keypoints: [String], renamed: [Joint: String] = [:], connections: [(Int, Int)] = []
  ) {
    self.name = name
    self.keypoints = keypoints
    self.connections = connections.map { Connection($0, $1) }
    func position(_ joint: Joint) -> Int? { keypoints.firstIndex(of: renamed[joint] ?? joint.name) }
    func middle(_ a: Joint, _ b: Joint) -> Origin? {
      guard let a = position(a), let b = position(b) else { return nil }
      return .midpoint(a, b)
    }
    origins = Joint.allCases.map { joint in
      if let index = position(joint) { return .keypoint(index) }
      switch joint {
      case .neck: return middle(.leftShoulder, .rightShoulder)
      case .root: return middle(.leftHip, .rightHip)
      default: return nil
      }
    }
  }

  /// The source of a joint; `nil` if the skeleton has no such joint.
  public subscript(_ joint: Joint) -> Origin? { origins[joint.index] }

  /// Every skeleton that is known by name.
  public static let all: [Skeleton] = [
    .coco17, .blazePose33, .body25, .openPose18, .halpe26, .appleVision19, .motionCapture, .common,
  ]

  /// `plug-in-gait` is the old name of `motionCapture` in datasets made before it served other marker sets.
  public static func named(_ name: String) -> Skeleton? {
    all.first { $0.name == (name == "plug-in-gait" ? "motion-capture" : name) }
  }

  /// The common joints themselves, in the order of `Joint`.
  public static let common = Skeleton(
    name: "common", keypoints: Joint.allCases.map(\.name),
    connections: [
      (.nose, .leftEye), (.nose, .rightEye), (.leftEye, .leftEar), (.rightEye, .rightEar), (.nose, .neck),
      (.neck, .leftShoulder), (.neck, .rightShoulder), (.leftShoulder, .leftElbow), (.rightShoulder, .rightElbow),
      (.leftElbow, .leftWrist), (.rightElbow, .rightWrist), (.neck, .root), (.root, .leftHip), (.root, .rightHip),
      (.leftHip, .leftKnee), (.rightHip, .rightKnee), (.leftKnee, .leftAnkle), (.rightKnee, .rightAnkle),
      (.leftAnkle, .leftHeel), (.rightAnkle, .rightHeel), (.leftAnkle, .leftToe), (.rightAnkle, .rightToe),
      (.leftHeel, .leftToe), (.rightHeel, .rightToe),
    ].map { (start: Joint, end: Joint) in (start.index, end.index) })
}

extension Skeleton {
  /// A line between two keypoints, by their indices.
  public struct Connection: Hashable, Sendable {
    /// Index of one end in `keypoints`.
    public var start: Int
    /// Index of the other end in `keypoints`.
    public var end: Int

    public init(_ start: Int, _ end: Int) {
      self.start = start
      self.end = end
    }
  }

  /// The lines between common joints that result from the connections, each once, in the order of `Joint`.
  ///
  /// Two joints are connected if a path of connections leads from one to the other over keypoints that are not joints:
  /// BlazePose's nose, inner eye and eye are the bone from nose to eye.
  public var bones: [Bone] {
    var joints: [Int: Joint] = [:]
    for joint in Joint.allCases {
      if case .keypoint(let index) = self[joint] { joints[index] = joint }
    }
    var neighbours = [[Int]](repeating: [], count: keypoints.count)
    for connection in connections {
      neighbours[connection.start].append(connection.end)
      neighbours[connection.end].append(connection.start)
    }
    return joints.sorted { $0.value.rawValue < $1.value.rawValue }.flatMap { start, joint in
      reached(from: start, along: neighbours, stoppingAt: joints)
        .filter { $0.rawValue > joint.rawValue }
        .sorted { $0.rawValue < $1.rawValue }
        .map { Bone(joint, $0) }
    }
  }

  private func reached(from start: Int, along neighbours: [[Int]], stoppingAt joints: [Int: Joint]) -> Set<Joint> {
    var found: Set<Joint> = []
    var seen: Set<Int> = [start]
    var open = [start]
    while let keypoint = open.popLast() {
      for next in neighbours[keypoint] where seen.insert(next).inserted {
        if let joint = joints[next] { found.insert(joint) } else { open.append(next) }
      }
    }
    return found
  }
}

/// Two joints that a line joins in a drawn figure.
public struct Bone: Hashable, Sendable {
  /// One end.
  public var start: Joint
  /// The other end.
  public var end: Joint

  public init(_ start: Joint, _ end: Joint) {
    self.start = start
    self.end = end
  }
}
