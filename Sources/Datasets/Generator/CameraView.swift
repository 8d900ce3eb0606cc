/// Where a camera stands, seen from the subject.
public enum CameraView: String, CaseIterable, Hashable, Sendable {
  case front, side, oblique
}
