extension Skeleton {
  /// A line between two keypoints, by their positions.
  public struct Connection: Hashable, Sendable {
    public var start: Int
    public var end: Int

    public init(_ start: Int, _ end: Int) {
      self.start = start
      self.end = end
    }
  }

  /// The lines between common joints that the connections amount to, each once, in the order of `Joint`.
  ///
  /// Two joints are joined where a way of connections leads from one to the other over keypoints that are no joints:
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
