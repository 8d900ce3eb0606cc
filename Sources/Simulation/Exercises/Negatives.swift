import PoseModel
import RealModule
import Statistics

/// What people do in front of a camera without exercising.
///
/// The true count is 0, so every counted rep is a phantom; there are no reps, grades or faults. A clip lasts 12 to 30
/// seconds. Postures over planted feet follow each other on minimum-jerk paths; steps are a `Gait`. Sizes and times
/// without a source are reasoned.
public struct Negative: Exercise {
  public let name: String
  public let views: [CameraView]
  public let framing: Framing
  let plan: @Sendable (inout NegativePlanner) -> Void

  init(
    _ name: String, views: [CameraView] = CameraView.allCases, framing: Framing = .standing,
    plan: @escaping @Sendable (inout NegativePlanner) -> Void
  ) {
    self.name = name
    self.views = views
    self.framing = framing
    self.plan = plan
  }

  public func simulation(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any SimulatedMotion {
    var planner = NegativePlanner(subject: subject, camera: camera, generator: generator)
    plan(&planner)
    return planner.motion
  }

  /// The range of a clip's duration, in seconds.
  public static let durations = 12.0...30.0
}

extension Negative {
  /// Standing about: shifting the weight and moving the arms.
  ///
  /// The three kinds of change in long standing are those of Duarte and Zatsiorsky, Patterns of Center of Pressure
  /// Migration During Prolonged Unconstrained Standing, Motor Control 3, 1999: shifts, fidgets (here gestures) and
  /// drift (here sway).
  static let standing = Self("standing") { planner in
    planner.fill { planner in
      if planner.generator.chance(0.6) { planner.shiftWeight() } else { planner.gesture() }
      planner.hold(planner.generator.uniform(0.5, 2))
    }
  }

  /// Walking back and forth across the image, turning within it or just outside.
  static let walking = Self(
    "walking", framing: Framing(height: 1, length: 0.8, breadth: 0.8, middleAhead: 0, middleHeight: 0.48)
  ) { planner in
    let (across, halfWidth) = (planner.camera.acrossHeading, planner.camera.halfWidthAtOrigin)
    func turningPoint(_ side: Double) -> Placement {
      // In the direction of walking to it.
      let heading = side > 0 ? across : across - 180
      let way = Placement.direction(across) * (side * halfWidth)
      return Placement(x: way.x, y: way.y, heading: heading)
    }
    var side = planner.generator.chance(0.5) ? 1.0 : -1
    planner.begin(at: turningPoint(side * planner.generator.uniform(0.5, 0.8)))
    planner.hold(planner.generator.uniform(0.3, 1))
    planner.fill(before: 17) { planner in
      side = -side
      planner.walk(to: turningPoint(side * planner.generator.uniform(0.5, 1.25)))
      if planner.generator.chance(0.4) { planner.hold(planner.generator.uniform(0.3, 1.5)) }
    }
  }

  /// Starting or stopping the recording at the phone, and picking something up from the floor.
  static let reaching = Self("reaching") { planner in
    let phone = planner.phone
    let starts = planner.generator.chance(0.5)
    if starts {
      planner.begin(at: phone)
      planner.reachForPhone()
      planner.walk(to: Placement())
    }
    planner.hold(planner.generator.uniform(0.4, 1.2))
    repeat { planner.pickUp() } while planner.clock < (starts ? 12 : 6)
    if !starts {
      planner.walk(to: phone)
      planner.reachForPhone()
    }
    planner.finish()
  }

  /// Getting down on hands and toes and up again, once or more, with no push-up.
  static let gettingDown = Self(
    "getting-down", views: PushUp().views,
    framing: Framing(height: 1.15, length: 1.15, breadth: 0.6, middleAhead: 0, middleHeight: 0.5)
  ) { planner in
    planner.begin(
      at: GettingDown.spot(of: planner.subject.body, before: NegativeMotion.support(of: planner.subject)))
    planner.hold(planner.generator.uniform(0.5, 1.5))
    repeat { planner.getDownAndUp() } while planner.clock < 12
    planner.finish()
  }

  /// Moving the upper body and bouncing a little before a camera that does not show the feet.
  ///
  /// Over all bodies and cameras drawn for this framing, the lower edge of the image is between ankles and knees, in
  /// one clip of 25 slightly above the knees. The camera is at the height of a desk.
  static let feetHidden = Self(
    "feet-hidden",
    framing: Framing(
      height: 0.64, length: 0.2, breadth: 0.2, middleAhead: 0, middleHeight: 0.66, cameraHeight: 0.7, cutsFeet: true)
  ) { planner in
    planner.fill { planner in
      switch planner.generator.integer(0...3) {
      case 0: planner.gesture()
      case 1: planner.lean(planner.generator.uniform(8, 25))
      case 2: planner.shiftWeight()
      default: planner.bounce(to: planner.generator.uniform(12, 20), cycles: planner.generator.integer(2...5))
      }
      planner.hold(planner.generator.uniform(0.2, 1))
    }
  }

  /// Shallow dips of the knees, one by one or as bouncing on the spot, whose knees bend by 18 to 28 degrees: 10 to 24
  /// more than in standing, where a squat bends them by more than 90.
  static let bobbing = Self("bobbing") { planner in
    planner.takeUp([.hanging, .handsOnHips, .handsAtChest, .ahead])
    planner.fill { planner in
      let flexion = planner.generator.uniform(18, 28)
      if planner.generator.chance(0.6) {
        planner.dip(to: flexion)
      } else {
        planner.bounce(to: flexion, cycles: planner.generator.integer(3...8))
      }
      planner.hold(planner.generator.uniform(0.3, 1.2))
    }
  }
}

/// Plans what one subject does in one clip without an exercise.
struct NegativePlanner: Sendable {
  let subject: Subject
  let camera: Camera
  var generator: SeededGenerator
  private var place = Placement()
  private var bearing = Bearing()
  private var segments: [NegativeMotion.Segment] = []

  init(subject: Subject, camera: Camera, generator: SeededGenerator) {
    self.subject = subject
    self.camera = camera
    self.generator = generator
  }

  /// The plan so far.
  var motion: NegativeMotion { NegativeMotion(subject: subject, segments: segments) }

  /// Seconds planned so far.
  var clock: Double { segments.last.map { $0.start + $0.duration } ?? 0 }

  /// The spot at which a hand reaches the phone, and the direction to it.
  var phone: Placement {
    let heading = Double.atan2(y: camera.position.y, x: camera.position.x).degreesFromRadians
    let level = SIMD3(camera.position.x, camera.position.y, 0)
    let spot = Placement.direction(heading) * max(level.length - 0.5 * subject.body.stature, 0)
    return Placement(x: spot.x, y: spot.y, heading: heading)
  }

  /// Chooses where the clip begins; at the origin by default.
  mutating func begin(at spot: Placement) { place = spot }

  /// Repeats actions of at most 8 seconds (or 12, before 17 seconds) until 13 seconds or later, and finishes.
  mutating func fill(before latest: Double = 20, with action: (inout Self) -> Void) {
    let length = generator.uniform(13, latest)
    while clock < length { action(&self) }
    finish()
  }

  /// Stands at ease until the end.
  mutating func finish() {
    if bearing != Bearing() { move(to: Bearing(), generator.uniform(0.5, 0.9)) }
    hold(max(Negative.durations.lowerBound + 0.1 - clock, generator.uniform(0.3, 0.8)))
  }

  mutating func hold(_ seconds: Double) { move(to: bearing, seconds) }

  private mutating func move(to next: Bearing, _ seconds: Double) {
    add(.move(from: bearing, to: next, at: place), seconds)
    bearing = next
  }

  private mutating func add(_ activity: NegativeMotion.Activity, _ seconds: Double) {
    segments.append(NegativeMotion.Segment(start: clock, duration: seconds, activity: activity))
  }
}

extension NegativePlanner {
  /// Moves the hips over one foot: up to 0.035 of stature, where the feet are at least 0.076 from the middle.
  mutating func shiftWeight() {
    var next = bearing
    let side = generator.chance(0.5) ? 1.0 : -1
    next.shift = side * generator.uniform(0.008, 0.035) * subject.body.stature
    next.lean = generator.uniform(-1, 4)
    move(to: next, generator.uniform(0.8, 1.6))
    hold(generator.uniform(0.5, 2))
  }

  /// Moves one or both hands to the hips, the chest, the face or the back, and lets them hang again.
  mutating func gesture() {
    let before = bearing
    let end = ArmPosture.gestures[generator.integer(0...ArmPosture.gestures.count - 1)]
    let arm = ArmPosture.blend(.hanging, end, generator.uniform(0.5, 1))
    let hands = generator.integer(0...2)
    var next = bearing
    if hands != 0 { next.arms.left = arm }
    if hands != 1 { next.arms.right = arm }
    move(to: next, generator.uniform(0.6, 1.1))
    hold(generator.uniform(0.3, 2))
    move(to: before, generator.uniform(0.6, 1.1))
  }

  /// Leans forward by an angle in degrees, and comes back.
  mutating func lean(_ angle: Double) {
    let before = bearing
    var next = bearing
    next.lean = angle
    move(to: next, generator.uniform(0.6, 1.2))
    hold(generator.uniform(0.1, 1))
    move(to: before, generator.uniform(0.6, 1.2))
  }

  /// Moves both arms to one of some postures.
  mutating func takeUp(_ arms: [ArmPosture]) {
    var next = bearing
    next.arms = Arms(arms[generator.integer(0...arms.count - 1)])
    move(to: next, generator.uniform(0.6, 1.1))
  }

  /// Bends the knees once to an angle in degrees, and straightens them.
  mutating func dip(to flexion: Double) {
    dip(to: flexion, down: generator.uniform(0.35, 0.8), up: generator.uniform(0.35, 0.8))
  }

  /// Dips without a pause.
  ///
  /// The feet stay on the floor: in a half cycle of 0.22 s the hips of a person of 1.9 m sink by at most 3 cm, and the
  /// greatest acceleration of a minimum-jerk path is 5.8 * 0.03 / 0.22² = 3.6 m/s², less than gravity's.
  mutating func bounce(to flexion: Double, cycles: Int) {
    let half = generator.uniform(0.22, 0.38)
    for _ in 0..<cycles { dip(to: flexion, down: half, up: half) }
  }

  private mutating func dip(to flexion: Double, down: Double, up: Double) {
    let before = bearing
    var next = bearing
    next.flexion = flexion - subject.standing.flexion
    move(to: next, down)
    move(to: before, up)
  }

  /// Leans to the phone with one arm ahead, and comes back.
  mutating func reachForPhone() {
    var next = Bearing(flexion: generator.uniform(0, 25), lean: generator.uniform(12, 40))
    let level = generator.uniform(70, 92)
    reach(
      &next,
      ArmPosture(upperArm: level, outward: 3, forearm: level + 4, forearmOutward: -4, withTrunk: 0))
    move(to: next, generator.uniform(0.7, 1.1))
    hold(generator.uniform(0.6, 1.8))
    move(to: Bearing(), generator.uniform(0.7, 1.1))
  }

  /// Bends hips and knees until one hand is 10 to 25 cm above the floor, and stands up again.
  ///
  /// The knees bend by up to 78 degrees, less than in a squat.
  mutating func pickUp() {
    var next = Bearing(flexion: generator.uniform(50, 70), lean: generator.uniform(66, 76))
    reach(&next, ArmPosture(upperArm: 16, outward: 4, forearm: 12, forearmOutward: 0, withTrunk: 0))
    move(to: next, generator.uniform(0.9, 1.3))
    hold(generator.uniform(0.3, 1))
    move(to: Bearing(), generator.uniform(0.9, 1.2))
    hold(generator.uniform(0.4, 1.2))
  }

  private mutating func reach(_ bearing: inout Bearing, _ arm: ArmPosture) {
    if generator.chance(0.3) { bearing.arms.left = arm } else { bearing.arms.right = arm }
  }

  /// Gets down on hands and toes, stays there, gets up and stands, in the times of a `FloorPassage`.
  mutating func getDownAndUp() {
    add(.floor(from: 0, to: 1), generator.uniform(2.2, 3))
    add(.floor(from: 1, to: 1), generator.uniform(1, 4))
    add(.floor(from: 1, to: 0), generator.uniform(2.2, 3))
    hold(generator.uniform(1, 2.5))
  }

  /// Turns to a spot, walks to it and turns to its heading. The person must stand at ease.
  mutating func walk(to spot: Placement) {
    let way = SIMD3(spot.x - place.x, spot.y - place.y, 0)
    // Less than half a step is none.
    if way.length > 0.3 {
      step(towards: Double.atan2(y: way.y, x: way.x).degreesFromRadians, distance: way.length)
    }
    if Self.turn(from: place.heading, to: spot.heading).magnitude > 5 { step(towards: spot.heading, distance: 0) }
  }

  /// The shorter way round, in degrees.
  private static func turn(from heading: Double, to other: Double) -> Double {
    (other - heading).remainder(dividingBy: 360)
  }

  private mutating func step(towards heading: Double, distance: Double) {
    var angle = Self.turn(from: place.heading, to: heading)
    // To turn round, either way is as short.
    if angle.magnitude > 150 {
      let isLeft = generator.chance(0.5)
      if isLeft != (angle > 0) { angle += isLeft ? 360 : -360 }
    }
    let slowing = distance > 0 ? generator.uniform(0.7, 0.9) : 0
    // As fast as people who walk up to an exercise, unless the way is too short for that speed.
    let speed = distance > 0 ? min(generator.normal(1.05, sd: 0.1, limit: 2), distance / slowing) : 0
    let path = FloorPath(
      kind: .crossing, spot: place, travel: place.heading + angle, speed: speed,
      cruise: distance > 0 ? distance / speed - slowing : 0, slowing: slowing,
      turn: 0.3 + angle.magnitude / 90 * 0.9)
    let gait = Gait(along: path, of: subject.body, standing: subject.stance, using: &generator)
    add(.walk(gait), gait.duration)
    place = path.placement(at: path.duration)
  }
}

/// How the posture of a person on both feet differs from standing at ease.
struct Bearing: Hashable, Sendable {
  /// How much more the knees bend, in degrees.
  var flexion = 0.0
  /// How much more the trunk leans forward, in degrees.
  var lean = 0.0
  /// How far the hips are to the left of the middle, in metres.
  var shift = 0.0
  var arms = Arms(.hanging)

  /// The bearing between `a` (fraction 0) and `b` (fraction 1).
  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    Self(
      flexion: .blend(a.flexion, b.flexion, fraction), lean: .blend(a.lean, b.lean, fraction),
      shift: .blend(a.shift, b.shift, fraction), arms: .blend(a.arms, b.arms, fraction))
  }
}

extension ArmPosture {
  static let handAtFace = Self(upperArm: 50, outward: 18, forearm: 152, forearmOutward: -22, withTrunk: 0.9)

  /// Small movements of a standing person's arms.
  static let gestures = [handsOnHips, handsAtChest, handAtFace, behind]
}

/// The true motion of a clip without an exercise.
public struct NegativeMotion: SimulatedMotion {
  enum Activity: Hashable, Sendable {
    /// On planted feet, from one bearing to another.
    case move(from: Bearing, to: Bearing, at: Placement)
    case walk(Gait)
    /// Between standing (0) and the support on hands and toes (1).
    case floor(from: Double, to: Double)
  }

  struct Segment: Hashable, Sendable {
    var start: Double
    var duration: Double
    var activity: Activity
  }

  let subject: Subject
  let segments: [Segment]

  public var body: Body { subject.body }

  public var duration: Double { segments.last.map { $0.start + $0.duration } ?? 0 }

  public func joints(at time: Double) -> JointPositions {
    let time = min(max(time, 0), duration)
    guard let segment = segments.last(where: { $0.start <= time }) else { return JointPositions() }
    let local = min(time - segment.start, segment.duration)
    let fraction = local / segment.duration
    switch segment.activity {
    case .move(let from, let to, let place):
      return body.joints(of: posture(.blend(from, to, MinimumJerk.position(fraction)), at: place, time))
    case .walk(let gait):
      return body.joints(
        of: gait.posture(subject.stood(at: gait.path.placement(at: local), time: time), at: local, body: body))
    case .floor(let from, let to):
      return GettingDown(subject: subject, support: Self.support(of: subject))
        .joints(at: .blend(from, to, fraction), time: time)
    }
  }

  private func posture(_ bearing: Bearing, at place: Placement, _ time: Double) -> Posture {
    var posture = subject.stood(
      bearing.arms, at: place, leaningBack: -bearing.lean, kneesBent: bearing.flexion, time: time)
    guard bearing.shift != 0 else { return posture }
    // The hips sink as they move aside: the leg that they leave keeps its length.
    let aside = subject.stance.halfWidth - body.hipBreadth / 2
    let wide = aside + bearing.shift.magnitude
    let height = posture.pelvis.z - body.ankleHeight
    posture.pelvis += place.left * bearing.shift
    posture.pelvis.z = body.ankleHeight + (height * height + aside * aside - wide * wide).squareRoot()
    return posture
  }

  /// The support on hands and toes: the start posture of a push-up.
  static func support(of subject: Subject) -> JointPositions { PushUp().joints(of: subject, at: Moment(depth: 0)) }

  public var groundTruth: MotionGroundTruth { MotionGroundTruth(reps: []) }
}
