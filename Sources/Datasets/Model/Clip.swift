import PoseModel

/// One recording of one subject, or of one person's set.
public struct Clip: Sendable {
  /// What a row of `clips.csv` says.
  public struct Info: Hashable, Codable, Sendable {
    public var name: String
    public var subject: String
    public var exercise: String
    /// Where the camera stood: `front`, `side`, `oblique`, or empty where it is unknown.
    public var view: String
    /// Nominal frames a second.
    public var fps: Double
    /// `train`, `test` or whatever the dataset's split is called; may be empty.
    public var split: String

    public init(name: String, subject: String, exercise: String, view: String, fps: Double, split: String) {
      self.name = name
      self.subject = subject
      self.exercise = exercise
      self.view = view
      self.fps = fps
      self.split = split
    }
  }

  public var info: Info
  /// `nil` where a clip comes with labels only, to score another system's predictions against.
  public var keypoints: Keypoints?
  public var labels: Labels

  public init(info: Info, keypoints: Keypoints?, labels: Labels) {
    self.info = info
    self.keypoints = keypoints
    self.labels = labels
  }
}
