/// What the numbers of a table's frames leave out, where times say when each frame was.
struct FrameGaps {
  private var last: Int?
  private var missing = 0
  private var example = ""

  /// Takes the next frame's number; one that is none, or no later one, is passed over.
  mutating func add(_ number: Float) {
    guard let number = Int(exactly: number) else { return }
    defer { last = number }
    guard let last, number > last + 1 else { return }
    if missing == 0 { example = number == last + 2 ? "\(last + 1)" : "\(last + 1) to \(number - 1)" }
    missing += number - last - 1
  }

  /// `nil` where none is left out.
  var remark: String? {
    missing == 0 ? nil : "frame numbers leave out \(missing), first \(example); times are taken as they are"
  }
}
