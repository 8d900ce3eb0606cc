import PoseModel
import RealModule

/// Grades push-ups by 22 measures of the posture in the image, with small networks learned from graded clips.
///
/// The measures are averaged over the frames since the last grade. A grade is given when a rep ends, a fall and rise of
/// the elbow angle by at least `minimumRange`. If none ends for some time, that stretch is graded: a clip may show no
/// whole rep. Frames of a standing person, and frames without shoulders or hips, are left out. After two seconds without
/// a frame that counts, averages and rep begin anew. A stretch is not graded whose mean wrists are above the shoulders, or
/// whose mean ankles are far below them: nobody does push-ups in it.
///
/// The grade is 100 times the mean probability that the networks give to a sound push-up. Below `faultGrade` one fault
/// is named: each measure in turn is set to its mean over the sound clips, and the one that raises the grade most names
/// the fault. These names are not learned: the clips are labelled only as correct or wrong.
///
/// - Source: 134 clips of pushfit, each seen by two pose estimators; `training/push-up-judge/train.py` learns the
///   weights and measures them on clips left out.
public struct PushUpJudge: Detector {
  public static let profile = DetectorProfile(
    name: "judge-push-up", kind: .form, exercise: "push-up",
    summary: "Grades push-ups by the mean posture since the last grade, with networks learned from graded clips.",
    source: "learned from correct and wrong push-ups of pushfit",
    joints: [.leftShoulder, .leftElbow, .leftWrist, .leftHip, .leftKnee, .leftAnkle],
    tasks: [.faults(Fault.allCases.map(\.rawValue)), .grades("form")], trainedOn: "pushfit")

  static let minimumRange = Parameter(
    "minimumRange", 30, in: 5...120, .degrees, "An elbow angle that falls and rises by less is no rep.",
    source: "reasoned: well above an estimator's noise, well below a shallow rep")
  static let firstInterval = Parameter(
    "firstInterval", 0.9, in: 0.1...30, .seconds, "The time until the first grade, if no rep ends before.",
    source: "chosen on pushfit, whose clips may last only a second, in view of the results")
  static let interval = Parameter(
    "interval", 2, in: 0.1...30, .seconds, "The time from a grade to the next one, if no rep ends before.",
    source: "chosen on pushfit in view of the results; longer than most reps")
  static let standing = Parameter(
    "standing", 1.2, in: 0.2...10, .ratio,
    "A person stands, and is not graded, whose ankles are so far below the hips, as a multiple of the body's size.",
    source: "between thighs and legs, 0.85 and 1.7 trunk lengths long (Winter, Biomechanics, figure 4.1)")
  static let upright = Parameter(
    "upright", 1.2, in: 0.2...10, .ratio,
    "Nothing is graded while the ankles are on average farther below the shoulders, as a multiple of the body's size.",
    source: "chosen on pushfit and on videos of other exercises, in view of the results")
  static let wristHeight = Parameter(
    "wristHeight", 0.1, in: -10...10, .ratio,
    "Nothing is graded while the wrists are on average so far above the shoulders, as a multiple of the body's size.",
    source: "the hands are below the shoulders; 0.1 for an estimator's errors, chosen on pushfit in view of the results"
  )
  static let faultGrade = Parameter(
    "faultGrade", 50, in: 0...100, .points, "A lower grade has a fault.",
    source: "50: a sound push-up is as likely as a wrong one")
  static let minimumConfidence = Parameter(
    "minimumConfidence", 0, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
    source: "0: a joint that an estimator guesses is closer to the truth than none")

  public static let parameters = [
    minimumRange, firstInterval, interval, standing, upright, wristHeight, faultGrade, minimumConfidence,
  ]

  private enum Fault: String, CaseIterable {
    case kneesBent = "knees_bent"
    case hipsHigh = "hips_high"
    case hipsSag = "hips_sag"
    /// Any other.
    case formPoor = "form_poor"
  }

  /// The share of its fall that the elbow angle must rise again.
  private static let recovery: Float = 0.7
  /// Averages the elbow angle.
  private static let span = Microseconds(150_000)
  private static let longestGap = Microseconds(2_000_000)

  private let visibility: Visibility
  private let firstInterval: Microseconds
  private let interval: Microseconds
  private let standing: Float
  private let upright: Float
  private let wristHeight: Float
  private let faultGrade: Float

  private var elbow = TrailingMean(over: Self.span)
  private var swing: AngleSwing
  private var means = Means<PushUpMeasures>()
  private var drops = Means<SIMD2<Float>>()
  /// The first frame since the last grade.
  private var start: Microseconds?
  private var lastSeen: Microseconds?
  private var hasGraded = false

  /// The elbow angle, which decides what is a rep, the angle at the hips between shoulders and ankles, and the hips'
  /// height over that line.
  public let signals: [any Signal]
  public let guides: [Guide]
  public let countingRule: CountingRule?
  public private(set) var countedValue = Float.nan

  public init(_ values: ParameterValues) {
    visibility = Visibility(minimumConfidence: Float(values[Self.minimumConfidence]), usesDepth: false)
    firstInterval = Microseconds(seconds: values[Self.firstInterval]) ?? .zero
    interval = Microseconds(seconds: values[Self.interval]) ?? .zero
    standing = Float(values[Self.standing])
    upright = Float(values[Self.upright])
    wristHeight = Float(values[Self.wristHeight])
    faultGrade = Float(values[Self.faultGrade])
    swing = AngleSwing(minimumRange: Float(values[Self.minimumRange]), recovery: Self.recovery)
    signals = [
      LimbAngle(.elbow, visibility),
      JointAngle(from: .shoulder, vertex: .hip, to: .ankle, side: .mean, visibility),
      HeightOverLine(.hip, from: .shoulder, to: .ankle, per: .trunk, side: .mean, visibility),
    ]
    countingRule = CountingRule(falls: "elbow angle", by: Self.minimumRange, values)
    guides = [Guide(signal: 1, value: Double(PushUpWeights.sound[PushUpMeasure.body.rawValue]), label: "sound")]
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      countedValue = .nan
      if let last = lastSeen, time - last > Self.longestGap { forget() }
      let posture = PushUpPosture(poses, frame, visibility)
      guard posture.size > 0, !(posture.legDrop >= standing) else { continue }
      lastSeen = time
      let start = self.start ?? time
      self.start = start
      means.add(posture.measures)
      drops.add(SIMD2(posture.wristDrop, posture.ankleDrop))
      countedValue = elbow.add(posture.measures[.elbow], at: time)
      let rep = swing.update(countedValue, at: time)
      guard rep != nil || time - start >= (hasGraded ? interval : firstInterval) else { continue }
      if isPushUp { judge(rep ?? Rep(start: start, end: time), at: time, &events) }
      beginStretch()
      hasGraded = true
    }
  }

  /// Begins anew.
  private mutating func forget() {
    swing.forget()
    beginStretch()
    lastSeen = nil
  }

  private mutating func beginStretch() {
    (means, drops) = (Means(), Means())
    start = nil
  }

  /// Whether the stretch may be of push-ups; joints that nobody saw do not speak against it.
  private var isPushUp: Bool {
    let (wrists, ankles) = (drops.values.x, drops.values.y)
    return !(wrists <= -wristHeight) && !(ankles > upright)
  }

  private func judge(_ rep: Rep, at time: Microseconds, _ events: inout [Event]) {
    let means = self.means.values
    let inputs = PushUpNetworks.inputs(means)
    let grade = 100 * PushUpNetworks.soundness(inputs)
    let worst = Self.worst(means, inputs)
    let evidence = worst.map {
      JudgedEvidence(
        $0.words.name, unit: $0.words.unit, value: Double(means[$0]), sound: Double(PushUpWeights.sound[$0.rawValue]),
        limit: Double(faultGrade))
    }
    events.append(Event(time, .grade(criterion: "form", value: Double(grade), rep: rep), evidence: evidence))
    guard grade < faultGrade else { return }
    events.append(Event(time, .fault(Self.fault(worst, means).rawValue, rep: rep)))
  }

  /// The measure whose change to that of a sound push-up raises the grade most; `nil` if all are unknown.
  private static func worst(_ means: PushUpMeasures, _ inputs: PushUpMeasures) -> PushUpMeasure? {
    var worst: PushUpMeasure?
    var best = -Float.infinity
    for measure in PushUpMeasure.allCases where means[measure].isFinite {
      var changed = inputs
      changed[measure] = PushUpNetworks.sound[measure]
      let soundness = PushUpNetworks.soundness(changed)
      if soundness > best { (worst, best) = (measure, soundness) }
    }
    return worst
  }

  /// The fault that a measure names.
  private static func fault(_ worst: PushUpMeasure?, _ means: PushUpMeasures) -> Fault {
    switch worst {
    case .hip, .body, .hipHeight, .hipDistance:
      // Sound hips are a little above the line: neither name fits in between.
      let height = means[.hipHeight]
      return height > PushUpNetworks.soundHipHeight ? .hipsHigh : height < 0 ? .hipsSag : .formPoor
    case .knee, .kneeHeight: return .kneesBent
    default: return .formPoor
    }
  }
}

/// A measure of a push-up's posture, in the order of the weights.
///
/// Angles in degrees. Heights are distances above a line in the image, below 0 under it. Reaches are distances along a
/// line, from the shoulder towards the head. Both are multiples of the body's size, if nothing else is said. Measures
/// are means of the sides that are seen; a difference needs both.
enum PushUpMeasure: Int, CaseIterable {
  /// Shoulder–elbow–wrist, hip–knee–ankle, shoulder–hip–knee and shoulder–hip–ankle.
  case elbow, knee, hip, body
  /// Hip–shoulder–elbow, ear–shoulder–hip and nose–shoulder–hip.
  case armpit, neck, nose
  /// Of the knee over the line from hip to ankle, per its length.
  case kneeHeight
  /// Of the hip over the line from shoulder to ankle; then the same without its sign, per the line's length.
  case hipHeight, hipDistance
  /// Over the line from shoulder to hip.
  case headHeight, noseHeight
  /// Along the line from hip to shoulder.
  case wristReach, elbowReach, noseReach
  /// Over the line from shoulder to hip.
  case elbowHeight, wristHeight
  /// Along the line from ankle to shoulder, per its length.
  case wristBodyReach
  /// Left minus right, without its sign.
  case elbowDifference, armpitDifference, kneeDifference, hipDifference

  /// Its name and its unit.
  fileprivate var words: (name: String, unit: String) {
    let (body, trunk) = ("line from shoulder to ankle", "line from shoulder to hip")
    return switch self {
    case .elbow: ("elbow angle", "degrees")
    case .knee: ("knee angle", "degrees")
    case .hip: ("angle of shoulder, hip and knee", "degrees")
    case .body: ("angle of shoulder, hip and ankle", "degrees")
    case .armpit: ("angle of hip, shoulder and elbow", "degrees")
    case .neck: ("angle of ear, shoulder and hip", "degrees")
    case .nose: ("angle of nose, shoulder and hip", "degrees")
    case .kneeHeight: ("knees' height over the line from hip to ankle", "leg lengths")
    case .hipHeight: ("hips' height over the \(body)", "body sizes")
    case .hipDistance: ("hips' distance from the \(body)", "body lengths")
    case .headHeight: ("ears' height over the \(trunk)", "body sizes")
    case .noseHeight: ("nose's height over the \(trunk)", "body sizes")
    case .wristReach: ("wrists' reach beyond the shoulders", "body sizes")
    case .elbowReach: ("elbows' reach beyond the shoulders", "body sizes")
    case .noseReach: ("nose's reach beyond the shoulders", "body sizes")
    case .elbowHeight: ("elbows' height over the \(trunk)", "body sizes")
    case .wristHeight: ("wrists' height over the \(trunk)", "body sizes")
    case .wristBodyReach: ("wrists' reach beyond the shoulders", "body lengths")
    case .elbowDifference: ("difference of the elbow angles", "degrees")
    case .armpitDifference: ("difference of the armpits' angles", "degrees")
    case .kneeDifference: ("difference of the knee angles", "degrees")
    case .hipDifference: ("difference of the hips' angles", "degrees")
    }
  }
}

/// A value for each `PushUpMeasure`, NaN if unknown. The last ten are unused.
typealias PushUpMeasures = SIMD32<Float>

extension PushUpMeasures {
  subscript(_ measure: PushUpMeasure) -> Float {
    get { self[measure.rawValue] }
    set { self[measure.rawValue] = newValue }
  }
}

/// The measures of one frame.
private struct PushUpPosture {
  private(set) var measures: PushUpMeasures
  /// The body's size in image heights: the root of the sum of squares of the trunk, which is long from the side, and of
  /// the shoulders' width, which is long from the front. NaN without shoulders or hips.
  let size: Float
  /// How far the ankles are below the hips, as a multiple of `size`; NaN if unknown.
  let legDrop: Float
  /// How far wrists and ankles are below the shoulders, as multiples of `size`; NaN if unknown.
  let wristDrop: Float
  let ankleDrop: Float

  init(_ poses: borrowing PoseColumns, _ frame: Int, _ visibility: Visibility) {
    let left = PushUpLimbs(.left, poses, frame, visibility)
    let right = PushUpLimbs(.right, poses, frame, visibility)
    let hip = Self.middle(left.hip, right.hip)
    let shoulder = Self.middle(left.shoulder, right.shoulder)
    let ankle = Self.middle(left.ankle, right.ankle)
    let trunk = (shoulder - hip).length
    let width = (left.shoulder - right.shoulder).length
    size = (trunk * trunk + (width.isFinite ? width * width : 0)).squareRoot()
    legDrop = (ankle.y - hip.y) / size
    wristDrop = (Self.middle(left.wrist, right.wrist).y - shoulder.y) / size
    ankleDrop = (ankle.y - shoulder.y) / size
    let ofLeft = left.measures(size)
    let ofRight = right.measures(size)
    measures = 0.5 * (ofLeft + ofRight)
    measures.replace(with: ofLeft, where: ofRight .!= ofRight)
    measures.replace(with: ofRight, where: ofLeft .!= ofLeft)
    measures[.elbowDifference] = abs(ofLeft[.elbow] - ofRight[.elbow])
    measures[.armpitDifference] = abs(ofLeft[.armpit] - ofRight[.armpit])
    measures[.kneeDifference] = abs(ofLeft[.knee] - ofRight[.knee])
    measures[.hipDifference] = abs(ofLeft[.hip] - ofRight[.hip])
  }

  /// The middle of two points, or the one that is known.
  private static func middle(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    a.x.isNaN ? b : b.x.isNaN ? a : 0.5 * (a + b)
  }
}

/// The joints of one side, and the nose, in image heights; NaN if unknown.
private struct PushUpLimbs {
  let shoulder, elbow, wrist, hip, knee, ankle, ear, nose: SIMD3<Float>

  init(_ side: Side, _ poses: borrowing PoseColumns, _ frame: Int, _ visibility: Visibility) {
    shoulder = visibility.place(of: side.shoulder, poses, frame)
    elbow = visibility.place(of: side.elbow, poses, frame)
    wrist = visibility.place(of: side.wrist, poses, frame)
    hip = visibility.place(of: side.hip, poses, frame)
    knee = visibility.place(of: side.knee, poses, frame)
    ankle = visibility.place(of: side.ankle, poses, frame)
    ear = visibility.place(of: side.ear, poses, frame)
    nose = visibility.place(of: .nose, poses, frame)
  }

  /// The measures of this side, without the differences.
  func measures(_ size: Float) -> PushUpMeasures {
    let body = (ankle - shoulder).length
    let hipHeight = Self.height(of: hip, over: shoulder, ankle)
    var values = PushUpMeasures(repeating: .nan)
    values[.elbow] = Angle.at(elbow, between: shoulder, and: wrist)
    values[.knee] = Angle.at(knee, between: hip, and: ankle)
    values[.hip] = Angle.at(hip, between: shoulder, and: knee)
    values[.body] = Angle.at(hip, between: shoulder, and: ankle)
    values[.armpit] = Angle.at(shoulder, between: hip, and: elbow)
    values[.neck] = Angle.at(shoulder, between: ear, and: hip)
    values[.nose] = Angle.at(shoulder, between: nose, and: hip)
    values[.kneeHeight] = Self.height(of: knee, over: hip, ankle) / (ankle - hip).length
    values[.hipHeight] = hipHeight / size
    values[.hipDistance] = abs(hipHeight) / body
    values[.headHeight] = Self.height(of: ear, over: shoulder, hip) / size
    values[.noseHeight] = Self.height(of: nose, over: shoulder, hip) / size
    values[.wristReach] = reach(of: wrist, from: hip) / size
    values[.elbowReach] = reach(of: elbow, from: hip) / size
    values[.noseReach] = reach(of: nose, from: hip) / size
    values[.elbowHeight] = Self.height(of: elbow, over: shoulder, hip) / size
    values[.wristHeight] = Self.height(of: wrist, over: shoulder, hip) / size
    values[.wristBodyReach] = reach(of: wrist, from: ankle) / body
    return values
  }

  /// How far a point is over the line through two others in the image, as `HeightOverLine`; NaN if these coincide.
  private static func height(of point: SIMD3<Float>, over a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    let (u, v) = (b - a, point - a)
    let length = u.length
    guard length > 0 else { return .nan }
    // y points down: for a line that runs to the right the cross product is below 0 above it.
    let signed = (u.x * v.y - u.y * v.x) / length
    return u.x > 0 ? -signed : signed
  }

  /// How far a point is beyond the shoulder on the line from a foot; NaN if shoulder and foot coincide.
  private func reach(of point: SIMD3<Float>, from foot: SIMD3<Float>) -> Float {
    let line = shoulder - foot
    let length = line.length
    return length > 0 ? ((point - shoulder) * line).sum() / length : .nan
  }
}

extension Visibility {
  /// A joint's position; NaN if it is missing or has low confidence.
  fileprivate func place(of joint: Joint, _ poses: borrowing PoseColumns, _ frame: Int) -> SIMD3<Float> {
    point(joint, poses, frame) ?? SIMD3(repeating: .nan)
  }
}

/// The means of some measures over frames.
private struct Means<Measures: SIMD & Sendable>: Sendable where Measures.Scalar == Float {
  private var sums = Measures.zero
  private var counts = Measures.zero

  /// Adds a frame's measures; ignores unknown ones (NaN).
  mutating func add(_ measures: Measures) {
    let isKnown = measures .== measures
    sums.replace(with: sums + measures, where: isKnown)
    counts.replace(with: counts + Measures(repeating: 1), where: isKnown)
  }

  /// NaN for a measure that no frame has.
  var values: Measures { sums / counts }
}

/// Networks of one layer of rectified units, whose probabilities of a sound push-up are averaged.
private enum PushUpNetworks {
  /// The inputs of a sound push-up.
  static let sound = inputs(vector(PushUpWeights.sound))
  static let soundHipHeight = PushUpWeights.sound[PushUpMeasure.hipHeight.rawValue]

  private static let low = vector(PushUpWeights.low)
  private static let high = vector(PushUpWeights.high)
  private static let center = vector(PushUpWeights.center)
  private static let scale = vector(PushUpWeights.scale, filler: 1)
  /// Of each unit.
  private static let weights: [PushUpMeasures] = {
    let count = PushUpMeasure.allCases.count
    return PushUpWeights.biases.indices.map { vector(PushUpWeights.inputs[$0 * count..<($0 + 1) * count]) }
  }()

  private static func vector(_ values: some Collection<Float>, filler: Float = 0) -> PushUpMeasures {
    var vector = PushUpMeasures(repeating: filler)
    for (index, value) in values.enumerated() { vector[index] = value }
    return vector
  }

  /// The measures in standard deviations from their mean; 0 for an unknown one.
  static func inputs(_ means: PushUpMeasures) -> PushUpMeasures {
    var inputs = (means.clamped(lowerBound: low, upperBound: high) - center) / scale
    inputs.replace(with: PushUpMeasures.zero, where: means .!= means)
    return inputs
  }

  /// The probability of a sound push-up.
  static func soundness(_ inputs: PushUpMeasures) -> Float {
    let units = PushUpWeights.units
    var total: Float = 0
    for network in 0..<PushUpWeights.networks {
      var output = PushUpWeights.outputBiases[network]
      for unit in network * units..<(network + 1) * units {
        let sum = PushUpWeights.biases[unit] + (weights[unit] * inputs).sum()
        output += PushUpWeights.outputs[unit] * max(0, sum)
      }
      total += 1 / (1 + Float.exp(output))
    }
    return total / Float(PushUpWeights.networks)
  }
}
