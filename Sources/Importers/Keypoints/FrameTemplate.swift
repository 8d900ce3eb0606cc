import Files
import Foundation

/// The structure of a list's frames, learned from the first ones: frames that differ in their numbers alone are read
/// without looking into their keys again.
struct FrameTemplate {
  /// How many frames it is learned from.
  static let sample = 3

  /// The number that stands for a frame's first one when its structure is read: greater than those of points.
  private static let firstTold = 1009
  /// From the number of one to that of the next: not 1, as numbers of frames are consecutive.
  private static let toldStep = 7

  private let template: JSONTemplate
  /// A frame with all that is the same in each.
  private let frame: KeypointFrame
  /// The place of each number in the frame, `nil` for one that is not read.
  private let places: [Place?]
  private var numbers: [Double]

  private enum Place {
    case value(person: Int, index: Int)
    case number
    case time
  }

  /// Looks where each number goes: `read` reads a frame with numbers that tell.
  ///
  /// Whole numbers that are the same in all frames, such as those of points, are a part of the text. `nil` if the frames
  /// differ in more than numbers, or by more than their values.
  init?(_ sample: [(text: Data, frame: KeypointFrame)], read: (Data) -> KeypointFrame?) {
    guard sample.count == Self.sample else { return nil }
    let whole = JSONTemplate(sample[0].text)
    var numbers: [[Double]] = []
    for (text, _) in sample {
      guard let own = Self.numbers(whole, text) else { return nil }
      numbers.append(own)
    }
    let template = JSONTemplate(sample[0].text) { index in
      numbers.allSatisfy { $0[index] == numbers[0][index] } && Int(exactly: numbers[0][index]) != nil
    }
    guard template.count > 0 else { return nil }
    let telling = (0..<template.count).map { Self.firstTold + Self.toldStep * $0 }
    guard let told = read(Data(template.text(telling))), told.people.count == sample[0].frame.people.count else {
      return nil
    }
    func slot(_ value: Double) -> Int? {
      guard let told = Int(exactly: value - Double(Self.firstTold)), told >= 0, told.isMultiple(of: Self.toldStep)
      else { return nil }
      return told / Self.toldStep < template.count ? told / Self.toldStep : nil
    }
    var places = [Place?](repeating: nil, count: template.count)
    var frame = sample[0].frame
    for (person, all) in told.people.enumerated() {
      guard all.values.count == frame.people[person].values.count else { return nil }
      for (index, value) in all.values.enumerated() where value.isFinite {
        if let slot = slot(Double(value)) { places[slot] = .value(person: person, index: index) }
      }
    }
    if let number = told.number, let slot = slot(Double(number)) { places[slot] = .number }
    if let time = told.time, let slot = slot(time) { places[slot] = .time }
    // A step that differs has no slot.
    guard told.step == frame.step else { return nil }
    for person in frame.people.indices where frame.people[person].track != told.people[person].track { return nil }
    (frame.number, frame.time) = (told.number, told.time)
    if told.number.flatMap({ slot(Double($0)) }) == nil { frame.number = sample[0].frame.number }
    if told.time.flatMap(slot) == nil { frame.time = sample[0].frame.time }
    self.template = template
    self.frame = frame
    self.places = places
    self.numbers = [Double](repeating: 0, count: template.count)
    for (text, expected) in sample {
      guard let own = Self.numbers(template, text), let found = filled(with: own), found.isSame(as: expected) else {
        return nil
      }
    }
  }

  private static func numbers(_ template: JSONTemplate, _ text: Data) -> [Double]? {
    var numbers = [Double](repeating: 0, count: template.count)
    let isRead = try? JSONReader.read(InputFile(name: "", bytes: text)) { $0.numbers(of: template, into: &numbers) }
    return isRead == true ? numbers : nil
  }

  /// Reads the next value if it is such a frame.
  mutating func frame(_ json: inout JSONReader) -> KeypointFrame? {
    let place = json.place
    guard json.numbers(of: template, into: &numbers) else { return nil }
    guard let frame = filled(with: numbers) else {
      json.place = place
      return nil
    }
    return frame
  }

  private func filled(with numbers: [Double]) -> KeypointFrame? {
    var frame = frame
    for slot in places.indices {
      switch places[slot] {
      case .value(let person, let index)?: frame.people[person].values[index] = Float(numbers[slot])
      case .number?:
        guard let number = Int(exactly: numbers[slot]) else { return nil }
        frame.number = number
      case .time?: frame.time = numbers[slot]
      case nil: break
      }
    }
    return frame
  }
}

extension KeypointFrame {
  /// Whether two frames say the same; missing numbers are equal.
  fileprivate func isSame(as other: KeypointFrame) -> Bool {
    clip == other.clip && subject == other.subject && number == other.number && time == other.time
      && timeUnit == other.timeUnit && step == other.step && fourthPart == other.fourthPart && labels == other.labels
      && people.count == other.people.count
      && zip(people, other.people).allSatisfy { one, other in
        one.track == other.track && one.values.count == other.values.count
          && zip(one.values, other.values).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
      }
  }
}
