import Files
import PoseModel

/// Reads clips' JSON as `JSONEncoder` writes it into the store.
///
/// A study begins with the labels of all its clips, and `JSONDecoder` would take most of its time.
extension GroundTruth {
  init(_ json: inout JSONReader) throws {
    self.init()
    var read = Set<String>()
    try json.object { json, key in
      read.insert(key.text)
      switch key {
      case "repCount": repCount = try json.unlessNull { try $0.integer() }
      case "reps": reps = try json.unlessNull { try $0.list(Rep.init) }
      case "events": events = try json.list(LabelledInstant.init)
      case "intervals": intervals = try json.list(Segment.init)
      case "grades": grades = try json.list(Grade.init)
      case "draft": draft = try json.unlessNull { try $0.string() }
      case "faults": faults = try json.list(Fault.init)
      default: try json.skip()
      }
    }
    for name in ["events", "intervals", "grades", "faults"] where !read.contains(name) {
      throw json.failure(expected: name)
    }
  }
}

extension Clip.Info {
  init(_ json: inout JSONReader) throws {
    var (name, subject, exercise, view, split): (String?, String?, String?, String?, String?)
    var fps: Double?
    try json.object { json, key in
      switch key {
      case "name": name = try json.string()
      case "subject": subject = try json.string()
      case "exercise": exercise = try json.string()
      case "view": view = try json.string()
      case "fps": fps = try json.number()
      case "split": split = try json.string()
      default: try json.skip()
      }
    }
    self.init(
      name: try json.required(name, "name"), subject: try json.required(subject, "subject"),
      exercise: try json.required(exercise, "exercise"), view: try json.required(view, "view"),
      fps: try json.required(fps, "fps"), split: try json.required(split, "split"))
  }
}

extension Rep {
  fileprivate init(_ json: inout JSONReader) throws {
    var (start, end, turn): (Microseconds?, Microseconds?, Microseconds?)
    try json.object { json, key in
      switch key {
      case "start": start = try json.time()
      case "end": end = try json.time()
      case "turn": turn = try json.unlessNull { try $0.time() }
      default: try json.skip()
      }
    }
    self.init(start: try json.required(start, "start"), end: try json.required(end, "end"), turn: turn)
  }
}

extension LabelledInstant {
  fileprivate init(_ json: inout JSONReader) throws {
    var (time, label): (Microseconds?, String?)
    try json.object { json, key in
      switch key {
      case "time": time = try json.time()
      case "label": label = try json.string()
      default: try json.skip()
      }
    }
    self.init(time: try json.required(time, "time"), label: try json.required(label, "label"))
  }
}

extension Segment {
  fileprivate init(_ json: inout JSONReader) throws {
    var (start, end, label): (Microseconds?, Microseconds?, String?)
    try json.object { json, key in
      switch key {
      case "start": start = try json.time()
      case "end": end = try json.time()
      case "label": label = try json.string()
      default: try json.skip()
      }
    }
    self.init(
      start: try json.required(start, "start"), end: try json.required(end, "end"),
      label: try json.required(label, "label"))
  }
}

extension GroundTruth.Grade {
  fileprivate init(_ json: inout JSONReader) throws {
    var (rep, rater, criterion, grade): (Int?, String?, String?, Double?)
    try json.object { json, key in
      switch key {
      case "rep": rep = try json.unlessNull { try $0.integer() }
      case "rater": rater = try json.string()
      case "criterion": criterion = try json.string()
      case "grade": grade = try json.number()
      default: try json.skip()
      }
    }
    self.init(
      rep: rep, rater: try json.required(rater, "rater"), criterion: try json.required(criterion, "criterion"),
      value: try json.required(grade, "grade"))
  }
}

extension GroundTruth.Fault {
  fileprivate init(_ json: inout JSONReader) throws {
    var (rep, rater, fault, present): (Int?, String?, String?, Bool?)
    try json.object { json, key in
      switch key {
      case "rep": rep = try json.unlessNull { try $0.integer() }
      case "rater": rater = try json.string()
      case "fault": fault = try json.string()
      case "present": present = try json.boolean()
      default: try json.skip()
      }
    }
    self.init(
      rep: rep, rater: try json.required(rater, "rater"), name: try json.required(fault, "fault"),
      present: try json.required(present, "present"))
  }
}

extension JSONReader {
  fileprivate mutating func time() throws -> Microseconds { Microseconds(Int64(try integer())) }

  fileprivate mutating func unlessNull<Value>(_ value: (inout JSONReader) throws -> Value) throws -> Value? {
    takeNull() ? nil : try value(&self)
  }

  fileprivate mutating func list<Element>(_ element: (inout JSONReader) throws -> Element) throws -> [Element] {
    var elements: [Element] = []
    try array { elements.append(try element(&$0)) }
    return elements
  }

  fileprivate func required<Value>(_ value: Value?, _ name: String) throws -> Value {
    guard let value else { throw failure(expected: name) }
    return value
  }
}
