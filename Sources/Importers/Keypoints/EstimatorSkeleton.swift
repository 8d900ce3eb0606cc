import Files
import Foundation
import PoseModel

/// The keypoints of an estimator by names and numbers, from a file of `Skeletons`.
///
/// ```yaml
/// skeleton: my-estimator
/// source: its documentation
/// keypoints: [nose, left_eye, right_eye]     # in the order of its numbers, from 0 on
/// first_of: [133]                            # sizes of models whose first keypoints these are
/// lists_of_shares: [y, x, confidence]        # order of a keypoint's numbers without names, if they are shares
/// y_axis: up                                 # down if absent
/// by_name: true                              # if its files have names only
/// by_body: true                              # if its files have numbers only, and no order of so many is usual
/// aliases:
///   left_eye: [left_pupil]                   # further names of a keypoint
/// others: [left_shoulder]                    # names of the tool's points that are none of the keypoints
/// ```
///
/// A name is understood in any case and order of its words, with `l`, `r`, `left` or `right`: see `JointName`.
struct EstimatorSkeleton: Sendable {
  let name: String
  let keypoints: [String]
  /// Its keypoints' own names, in their order.
  let own: [JointName]
  /// How keypoints are stored: as a skeleton of this order, or as the common joints.
  let stored: KeypointNames
  let yAxis: CoordinateSystem.YAxis
  let readsYFirst: Bool
  private let sizes: [Int]
  private let isByName: Bool
  /// Whether only the look of a body tells it from other skeletons of as many keypoints.
  let isByBody: Bool
  private let places: [JointName: Int]
  private let others: Set<JointName>

  /// Reads a skeleton's file.
  ///
  /// - Throws: `DataError` with file, line and key.
  init(yaml file: InputFile) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "skeleton", "source", "keypoints", "first_of", "lists_of_shares", "y_axis", "by_name", "by_body",
      "aliases", "others",
    ])
    name = try yaml.text("skeleton")
    _ = try yaml.text("source")
    let keypoints = try yaml.texts("keypoints")
    self.keypoints = keypoints
    own = keypoints.map { JointName($0) }
    sizes = try yaml.keys.contains("first_of") ? yaml.numbers("first_of").map { Int($0) } : []
    readsYFirst = try yaml.keys.contains("lists_of_shares") ? yaml.texts("lists_of_shares").first == "y" : false
    yAxis = try yaml.keys.contains("y_axis") ? yaml.choice("y_axis") : .down
    isByName = yaml.keys.contains("by_name")
    isByBody = yaml.keys.contains("by_body")
    var places: [JointName: Int] = [:]
    for (place, name) in own.enumerated() { places[name] = place }
    if yaml.hasMapping("aliases") {
      let aliases = try yaml.mapping("aliases")
      for key in aliases.keys {
        guard let place = keypoints.firstIndex(of: key) else {
          throw aliases.failure(key, expected: "one of the keypoints", found: key)
        }
        for alias in try aliases.texts(key) where places[JointName(alias)] == nil { places[JointName(alias)] = place }
      }
    }
    let others = try yaml.keys.contains("others") ? yaml.texts("others").map { JointName($0) } : []
    for other in others { places[other] = nil }
    self.others = Set(others)
    self.places = places
    guard let stored = KeypointNames(keypoints, file: file.name) else {
      throw yaml.failure("keypoints", expected: "joints of the body, each once", found: "none or one twice")
    }
    self.stored = stored
  }

  /// Whether its keypoints are those of the skeleton that they are stored as.
  var isStoredAsIs: Bool { stored.skeleton.keypoints == keypoints }

  /// All the names of its keypoints.
  var names: some Collection<JointName> { places.keys }

  /// The keypoint of a name; `nil` for others.
  func place(_ name: JointName) -> Int? { places[name] }

  /// How many of a file's names are the tool's. Those of other points count only if the keypoints that have these names
  /// elsewhere are there under others: a bone `left_shoulder` beside `left_arm`, which begins at the shoulder.
  func known(of names: [JointName]) -> Int {
    let found = Set(names.compactMap { place($0) })
    let isOwn = keypoints.indices.allSatisfy { found.contains($0) || !others.contains(own[$0]) }
    return names.count { place($0) != nil || isOwn && others.contains($0) }
  }

  /// How many of a file's names are common joints whose keypoint has its own name for another of them: an ankle where
  /// the tool calls the ankle a foot, and the file has both.
  func replaced(of names: [JointName]) -> Int {
    let own = Set(own)
    let taken = Set(names.filter(own.contains).compactMap { place($0) })
    return names.count { name in
      guard !own.contains(name), Self.common.contains(name), let place = places[name] else { return false }
      return taken.contains(place)
    }
  }

  private static let common = Set(Joint.allCases.map { JointName($0.name) })

  /// Whether points numbered below `count` can be this skeleton's.
  ///
  /// - Parameter isComplete: Whether the numbers are all of the model's.
  func fits(count: Int, isComplete: Bool) -> Bool {
    guard !isByName else { return false }
    return isComplete ? keypoints.count == count || sizes.contains(count) : keypoints.count >= count && !isByBody
  }

  /// The built-in skeletons, compiled in from the files in `Skeletons`. A file of names alone is read as the first of
  /// those that know most of them.
  static let builtIn = Result(catching: {
    try [
      ("coco-17", PackageResources.coco_17_yaml), ("blazepose-33", PackageResources.blazepose_33_yaml),
      ("body-25", PackageResources.body_25_yaml), ("openpose-18", PackageResources.openpose_18_yaml),
      ("halpe-26", PackageResources.halpe_26_yaml), ("apple-vision-19", PackageResources.apple_vision_19_yaml),
      ("coco-18", PackageResources.coco_18_yaml), ("human36m-17", PackageResources.human36m_17_yaml),
      ("mpii-16", PackageResources.mpii_16_yaml), ("crowdpose-14", PackageResources.crowdpose_14_yaml),
      ("kinect-25", PackageResources.kinect_25_yaml), ("azure-kinect-32", PackageResources.azure_kinect_32_yaml),
      ("smpl-24", PackageResources.smpl_24_yaml), ("bones", PackageResources.bones_yaml),
      ("goliath-70", PackageResources.goliath_70_yaml), ("common", PackageResources.common_yaml),
      ("openpose-15", PackageResources.openpose_15_yaml), ("body-15", PackageResources.body_15_yaml),
      ("panoptic-15", PackageResources.panoptic_15_yaml), ("jhmdb-15", PackageResources.jhmdb_15_yaml),
      ("wrnch-25", PackageResources.wrnch_25_yaml),
    ].map { try EstimatorSkeleton(yaml: InputFile(name: "\($0.0).yaml (built in)", bytes: Data($0.1))) }
  })

  /// All of them; none if a built-in file is faulty, which a test finds.
  static let all = (try? builtIn.get()) ?? []

  /// Those that names of points may tell.
  static let withNames = all.filter { !$0.isByBody }

  /// The numbers of points that are a body: `13, 14, 17`.
  static var sizes: String {
    Set(all.flatMap { $0.isByName ? [] : [$0.keypoints.count] + $0.sizes }).sorted().map(String.init)
      .joined(separator: ", ")
  }

  static func named(_ name: String) -> EstimatorSkeleton? { all.first { $0.name == name } }
}

/// The name of a point of the body, whatever its spelling: `left_knee`, `LKnee`, `knee.l`, `Left Knee` and
/// `PoseLandmark.LEFT_KNEE` are equal.
struct JointName: Hashable, Sendable {
  private let side: Side?
  private let words: String

  init(_ name: String) {
    var side: Side?
    var words: [String] = []
    // left_hip_3D is a place in space.
    let plain = ["3d", "2d"].contains(name.suffix(2).lowercased()) ? name.dropLast(2) : name[...]
    for word in Self.words(String(plain)) where !Self.fillers.contains(word) {
      switch word {
      case "l", "left", "lt", "lft", "gauche", "izquierdo", "izquierda", "izq": side = .left
      case "r", "right", "rt", "rgt", "droit", "droite", "derecho", "derecha", "der": side = .right
      default:
        if let (own, rest) = Self.split(word), side == nil {
          side = own
          words.append(Self.inner[rest] ?? rest)
        } else {
          words.append(Self.inner[word] ?? word)
        }
      }
    }
    self.side = side
    self.words = words.sorted().joined()
  }

  /// The same point of the other side; `nil` for one of the middle.
  var opposite: JointName? {
    side.map { JointName(side: $0 == .left ? .right : .left, words: words) }
  }

  private init(side: Side?, words: String) {
    self.side = side
    self.words = words
  }

  /// Words that do not tell one point from another.
  private static let fillers: Set = [
    "joint", "landmark", "landmarks", "pose", "body", "marker", "point", "keypoint", "kp", "type", "1", "poselandmark",
    "landmarktype", "mixamorig", "vn", "human", "observation", "name", "skeleton",
  ]

  /// `lhip`, `lefthip` and `hipl`, of which only words that are parts of the body are split.
  private static func split(_ word: String) -> (Side, String)? {
    for (prefix, side) in [("left", Side.left), ("right", .right), ("l", .left), ("r", .right)]
    where word.hasPrefix(prefix) {
      let rest = String(word.dropFirst(prefix.count))
      if parts.contains(rest) { return (side, rest) }
    }
    for (suffix, side) in [("left", Side.left), ("right", .right), ("l", .left), ("r", .right)]
    where word.hasSuffix(suffix) {
      let rest = String(word.dropLast(suffix.count))
      if parts.contains(rest) { return (side, rest) }
    }
    return nil
  }

  private static let parts: Set = [
    "eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "heel", "toe", "foot", "hand", "thumb", "index",
    "pinky", "bigtoe", "smalltoe", "mouth", "eyeinner", "eyeouter", "innereye", "outereye", "footindex", "indexfinger",
    "pinkyfinger", "upleg", "leg", "forearm", "upperarm", "lowerarm", "upperleg", "lowerleg", "sho", "elb", "wri",
    "kne", "ank", "hee",
  ]

  /// Parts whose words have another order or are cut.
  private static let inner = [
    "sho": "shoulder", "elb": "elbow", "wri": "wrist", "kne": "knee", "ank": "ankle", "hee": "heel",
    "innereye": "eyeinner", "outereye": "eyeouter", "upperarm": "armupper", "lowerarm": "armlower",
    "upperleg": "legupper", "lowerleg": "leglower", "upleg": "legup",
  ]

  /// The words of `leftKnee`, `Left Knee`, `left-knee` and `LKnee`, in lower case.
  static func words(_ name: String) -> [String] {
    guard name.utf8.contains(where: { $0 >= 0x80 }) else { return Self.words(ascii: Array(name.utf8)) }
    var words: [String] = []
    var current = ""
    let letters = Array(name.unicodeScalars)
    for (index, letter) in letters.enumerated() {
      guard letter.isLetter || letter.isNumber else {
        words.append(current)
        current = ""
        continue
      }
      // A capital begins a word after a small letter, or before one: LKnee is L and Knee. So does a digit after a
      // letter, and a letter after a digit.
      let before = index > 0 ? letters[index - 1] : " "
      let follows = before.isLowercase
      let leads = index + 1 < letters.count && letters[index + 1].isLowercase && before.isLetter
      let isBorder = before.isLetter && letter.isNumber || before.isNumber && letter.isLetter
      if isBorder || letter.isUppercase && (follows || leads) {
        words.append(current)
        current = ""
      }
      current.unicodeScalars.append(letter)
    }
    words.append(current)
    return words.filter { !$0.isEmpty }.map { $0.lowercased() }
  }

  /// The same of bytes: nearly all names are ASCII, and rows of a file have thousands.
  private static func words(ascii letters: [UInt8]) -> [String] {
    func isLower(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
    func isUpper(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
    func isNumber(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    var words: [String] = []
    var current: [UInt8] = []
    func end() {
      if !current.isEmpty { words.append(String(decoding: current, as: UTF8.self)) }
      current.removeAll(keepingCapacity: true)
    }
    for (index, letter) in letters.enumerated() {
      guard isLower(letter) || isUpper(letter) || isNumber(letter) else {
        end()
        continue
      }
      let before = index > 0 ? letters[index - 1] : UInt8(ascii: " ")
      let afterLetter = isLower(before) || isUpper(before)
      let leads = index + 1 < letters.count && isLower(letters[index + 1]) && afterLetter
      let isBorder = isNumber(letter) ? afterLetter : isNumber(before)
      if isBorder || isUpper(letter) && (isLower(before) || leads) { end() }
      current.append(isUpper(letter) ? letter | 0x20 : letter)
    }
    end()
    return words
  }
}

extension Unicode.Scalar {
  // Letters of an ASCII name need no table.
  fileprivate var isLetter: Bool { isASCII ? isLowercase || isUppercase : properties.isAlphabetic }
  fileprivate var isLowercase: Bool { isASCII ? ("a"..."z").contains(self) : properties.isLowercase }
  fileprivate var isUppercase: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
  fileprivate var isNumber: Bool { isASCII ? ("0"..."9").contains(self) : properties.numericType != nil }
}
