/// Where the mass of a body is, estimated from its joints.
///
/// Of one side as seen in the picture: head, arms and trunk weigh 0.678 of the body, with their centre 0.626 of the way from
/// hip to shoulder; the thighs 0.200, 0.433 of the way from hip to knee; the shanks and feet 0.122, 0.606 of the way from
/// knee to ankle. Arms held far from the trunk and loads in the hands are not seen.
///
/// Source: Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009, table 4.1.
enum BodyMass {
  static func centre(
    shoulder: SIMD3<Float>, hip: SIMD3<Float>, knee: SIMD3<Float>, ankle: SIMD3<Float>
  ) -> SIMD3<Float> {
    let upper = hip + 0.626 * (shoulder - hip)
    let thighs = hip + 0.433 * (knee - hip)
    let shanks = knee + 0.606 * (ankle - knee)
    return 0.678 * upper + 0.200 * thighs + 0.122 * shanks
  }
}
