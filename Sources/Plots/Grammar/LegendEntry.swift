/// One line of a legend: a sample of a mark and what it stands for.
public struct LegendEntry: Hashable, Sendable {
  public enum Sample: Hashable, Sendable {
    case disc(Meaning)
    /// A disc that is hollow.
    case ring(Meaning)
    case bar(Meaning)
    case outlinedBar(Meaning)
    case area(Meaning)
    /// An area that lets what lies below it show through.
    case shade(Meaning)
    /// As little as can be seen of it.
    case faintShade(Meaning)
    case line(Meaning)
    case dashedLine(Meaning)
    /// An upright one.
    case dottedLine(Meaning)
    /// A bar with a notch, as a turning point is marked.
    case notchedBar(Meaning)
  }

  public var sample: Sample
  public var text: String

  public init(_ sample: Sample, _ text: String) {
    self.sample = sample
    self.text = text
  }
}
