import PoseModel

extension Side {
  var ear: Joint { self == .left ? .leftEar : .rightEar }
  var elbow: Joint { self == .left ? .leftElbow : .rightElbow }
  var wrist: Joint { self == .left ? .leftWrist : .rightWrist }
  var toe: Joint { self == .left ? .leftToe : .rightToe }
}
