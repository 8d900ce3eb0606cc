import PoseModel

/// Every `PoseMeasure` of a frame, in the order of the quantities: each joint is looked up once for all of them.
struct PoseMeasurement: FrameMeasurement {
  let visibility: Visibility

  func measure(_ poses: borrowing PoseColumns, into values: UnsafeMutableBufferPointer<Float>) {
    let left = SidePose(.all, of: .left, visibility, poses, 0)
    let right = SidePose(.all, of: .right, visibility, poses, 0)
    values[0] = Visibility.mean(left.value(of: .trunkLean), right.value(of: .trunkLean))
    values[1] = Visibility.mean(left.value(of: .legLean), right.value(of: .legLean))
    values[2] = Visibility.mean(left.value(of: .thighLean), right.value(of: .thighLean))
    values[3] = Visibility.mean(left.value(of: .shankLean), right.value(of: .shankLean))
    values[4] = Visibility.mean(left.value(of: .kneeAngle), right.value(of: .kneeAngle))
    values[5] = Visibility.mean(left.value(of: .hipAngle), right.value(of: .hipAngle))
    values[6] = Visibility.mean(left.value(of: .hipHeight), right.value(of: .hipHeight))
    values[7] = Visibility.mean(left.value(of: .armSupport), right.value(of: .armSupport))
    values[8] = Visibility.mean(left.value(of: .imbalance), right.value(of: .imbalance))
    values[9] = PoseMeasure.handHeight(visibility, poses, 0)
    values[10] = Visibility.mean(left.value(of: .hipClearance), right.value(of: .hipClearance))
  }
}
