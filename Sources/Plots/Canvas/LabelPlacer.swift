/// Keeps texts apart: it remembers the boxes given away so far and refuses one that would touch another or leave the
/// picture.
public struct LabelPlacer: Sendable {
  /// What no label may leave.
  public let bounds: Rect
  /// The least distance between two labels, in points.
  public let gap: Double
  /// The boxes given away, in order.
  public private(set) var boxes: [Rect] = []
  /// Drawings that a label should rather not cover.
  public private(set) var obstacles: [Rect] = []

  public init(bounds: Rect, gap: Double = 2) {
    self.bounds = bounds
    self.gap = gap
  }

  public func isFree(_ box: Rect) -> Bool {
    let kept = Rect(x: box.x - gap, y: box.y - gap, width: box.width + 2 * gap, height: box.height + 2 * gap)
    return box.width.isFinite && box.height.isFinite && bounds.contains(box) && !boxes.contains { $0.overlaps(kept) }
  }

  /// Takes the box if it is free, and says whether it was.
  public mutating func place(_ box: Rect) -> Bool {
    guard isFree(box) else { return false }
    boxes.append(box)
    return true
  }

  /// Notes a drawing that `best(of:)` keeps away from.
  public mutating func avoid(_ obstacle: Rect) {
    obstacles.append(obstacle)
  }

  /// The first of the free candidates that covers least of the obstacles. It is not taken.
  ///
  /// - Parameters:
  ///   - limit: the most that obstacles may take of it, as a part of its area.
  /// - Returns: `nil` where no candidate is free and within that limit.
  public func best(of candidates: [Rect], covering limit: Double = .infinity) -> Rect? {
    var best: (box: Rect, covered: Double)?
    for box in candidates where isFree(box) {
      let covered = obstacles.reduce(0) { $0 + $1.overlap(with: box) }
      guard covered <= limit * box.width * box.height else { continue }
      if covered < best?.covered ?? .infinity { best = (box, covered) }
      if covered == 0 { break }
    }
    return best?.box
  }
}
