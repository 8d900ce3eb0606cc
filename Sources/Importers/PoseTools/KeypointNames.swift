import PoseModel

/// A tool's keypoint names, and the index of each in a known skeleton.
///
/// If the names are a skeleton's, in its order, they are that skeleton. Otherwise they are matched to the common
/// joints, in any case and with `l`, `r`, `left` or `right` before or after (`LShoulder`, `knee-left`); `pelvis`,
/// `mid_hip`, `big_toe` and `foot_index` are aliases of joints. A keypoint that is not a joint is left out. A neck or
/// root without a name is the middle of the shoulders or hips.
struct KeypointNames {
  let skeleton: Skeleton
  /// For each of the tool's keypoints its index in the skeleton; `nil` for one that is left out.
  let places: [Int?]
  /// Joints halfway between two others, all by their indices in the skeleton.
  private let middles: [(joint: Int, ends: [Int])]
  /// The names that are not joints.
  let others: [String]
  /// The file with the names; `nil` if they are a model's own.
  let file: String?

  /// `nil` if no name is a joint, or two names are the same joint.
  init?(_ names: [String], file: String) {
    if let known = Skeleton.all.first(where: { $0.keypoints == names }) {
      self.file = nil
      skeleton = known
      places = Array(names.indices)
      middles = []
      others = []
      return
    }
    let joints = names.map(Self.joint)
    let found = joints.compactMap(\.self)
    guard !found.isEmpty, Set(found).count == found.count else { return nil }
    self.file = file
    skeleton = .common
    places = joints.map { joint in joint?.index }
    middles = [(Joint.neck, [Joint.leftShoulder, .rightShoulder]), (.root, [.leftHip, .rightHip])]
      .filter { joint, ends in !found.contains(joint) && ends.allSatisfy(found.contains) }
      .map { ($0.index, $1.map(\.index)) }
    others = zip(names, joints).compactMap { $1 == nil ? $0 : nil }
  }

  /// A skeleton's keypoints, which are the first ones of a model; further ones are left out.
  init(_ skeleton: Skeleton, count: Int) {
    self.skeleton = skeleton
    places = (0..<count).map { $0 < skeleton.keypoints.count ? $0 : nil }
    middles = []
    others = []
    file = nil
  }

  /// The remark about the names; `nil` if they are a model's own.
  var remark: String? {
    guard let file else { return nil }
    guard !others.isEmpty else { return "keypoints as named in \(file)" }
    let rest = others.count - Self.mentioned
    return "keypoints as named in \(file), except those that are not joints of the body: "
      + others.prefix(Self.mentioned).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Whether the tool's keypoints are the skeleton's, in its order.
  private var isSkeleton: Bool {
    others.isEmpty && places.count == skeleton.keypoints.count && middles.isEmpty && file == nil
  }

  /// How many of the skeleton's keypoints can be present.
  var count: Int { places.count { $0 != nil } + middles.count }

  /// A person's keypoints in the skeleton's order.
  ///
  /// - Parameter values: Keypoint after keypoint, with the same number of channels each.
  func pose(_ values: some RandomAccessCollection<Float>, channels: Int) -> [Float] {
    if isSkeleton { return Array(values) }
    var pose = [Float](repeating: .nan, count: skeleton.keypoints.count * channels)
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      for channel in 0..<channels {
        pose[place * channels + channel] =
          values[values.index(values.startIndex, offsetBy: index * channels + channel)]
      }
    }
    for middle in middles {
      let ends = middle.ends.map { pose[($0 * channels)..<($0 * channels + channels)] }
      // One at 0,0 was not found.
      guard ends.allSatisfy({ $0.prefix(2).contains { $0 != 0 } }) else { continue }
      for channel in 0..<channels {
        let values = ends.map { $0[$0.startIndex + channel] }
        pose[middle.joint * channels + channel] = channel < 2 ? (values[0] + values[1]) / 2 : min(values[0], values[1])
      }
    }
    return pose
  }

  /// At most as many names as a person reads.
  private static let mentioned = 12

  private static let synonyms: [String: Joint] = [
    "pelvis": .root, "mid_hip": .root, "left_big_toe": .leftToe, "right_big_toe": .rightToe,
    "left_foot_index": .leftToe, "right_foot_index": .rightToe,
  ]

  /// The common joint that a name means.
  static func joint(_ name: String) -> Joint? {
    var side: String?
    var words: [String] = []
    for word in JointName.words(name) {
      switch word {
      case "l", "left": side = "left"
      case "r", "right": side = "right"
      default: words.append(word)
      }
    }
    let plain = ((side.map { [$0] } ?? []) + words).joined(separator: "_")
    return Joint(name: plain) ?? synonyms[plain]
  }
}
