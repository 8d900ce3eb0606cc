import Foundation

/// The meanings of keys and columns next to the keypoints, in any spelling.
enum FrameKey: Hashable {
  case number
  /// `nil` if the name does not say the unit.
  case time(TimeUnit?)
  /// The time since the frame before.
  case step
  /// The recording that a frame belongs to.
  case clip
  /// Who performs, and a part of the recording's name where no other column names it.
  case subject
  /// Another part of that name: a trial, a camera.
  case session
  /// The person whom a pose belongs to.
  case person
  case fps, width, height

  /// `nil` for other names.
  init?(_ name: String) {
    switch Self.plain(name) {
    case "frame", "framenum", "frameid", "framenumber", "frameidx", "frameindex", "frameno", "iter", "iteration",
      "framecount", "framen", "imageid", "imagenum", "imagenumber", "imageindex", "imageidx":
      self = .number
    // time_s and timestamp_s are other names.
    case let plain where ["times", "timestamps"].contains(plain) && JointName.words(name).count == 1: self = .time(nil)
    case "times", "timesec", "timeseconds", "seconds", "sec", "timestamps", "timestampsec", "timeinseconds",
      "elapsedsec",
      "elapseds":
      self = .time(.seconds)
    case "timems", "timestampms", "milliseconds", "ms", "timemillis", "timestampmillis", "msec", "timeinms",
      "millis", "elapsedms", "tms":
      self = .time(.milliseconds)
    case "timeus", "timestampus", "timestampmicros", "microseconds", "us": self = .time(.microseconds)
    case "timens", "timestampns", "timestampnanos", "nanoseconds", "ns": self = .time(.nanoseconds)
    case "ticks", "tick", "timestampticks", "timeticks": self = .time(.ticks)
    case "timestamp", "ts", "t", "time", "frametime", "frametimestamp", "pts", "ptstime", "presentationtime",
      "elapsed", "elapsedtime", "videotime", "timecode", "datetime", "timeoffset", "offset", "capturetime",
      "capturedat",
      "createdat", "presentationtimestamp", "clock", "zeit", "stamp", "fieldheaderstamp":
      self = .time(nil)
    case "dt", "deltat", "deltatime", "timedelta", "framedelta", "dtms", "deltams":
      self = .step
    case "video", "videoid", "videoname", "videofile", "clip", "clipid", "clipname", "file", "filename", "filepath",
      "sequence", "sequenceid", "sequencename", "recording", "recordingid", "source", "path", "session", "sessionid",
      "videopath", "image", "imagename", "imagefile", "imagepath", "imgname", "imgpath", "imgfile", "framepath",
      "framename", "framefile", "img", "fileupload":
      self = .clip
    case "person", "personid", "personidx", "personindex", "track", "trackid", "trackingid", "individual",
      "individualid", "player", "playerid", "personnumber", "pid", "tid", "instanceid", "poseid", "poseindex",
      "detectionid", "bodyid", "bodyindex", "humanid", "skeletonid", "skeletonindex":
      self = .person
    case "subject", "subjectid", "subjectname", "participant", "participantid", "participantname", "athlete",
      "athleteid", "athletename", "patient", "patientid", "patientname", "personname":
      self = .subject
    case "trial", "trialid", "trialno", "trialnumber", "setid", "setno", "setnumber", "setindex", "take", "takeid",
      "takenumber", "attempt", "camera", "cameraid",
      "cameraname", "cam", "camid", "camname":
      self = .session
    case "fps", "framerate", "videofps", "framespersecond", "captureframerate", "camerarate", "datarate", "frequency",
      "samplingrate", "samplerate", "samplingfrequency":
      self = .fps
    case "width", "imagewidth", "framewidth", "videowidth", "imgwidth", "imagew", "imgw": self = .width
    case "height", "imageheight", "frameheight", "videoheight", "imgheight", "imageh", "imgh": self = .height
    case let plain where plain.hasSuffix("s") || plain.hasSuffix("c") || plain.contains("time"):
      guard let time = Self.clock(JointName.words(name)) else { return nil }
      self = time
    default: return nil
    }
  }

  /// A time whose name says of what and in which unit: `timestamp_unix_ns`, `CAP_PROP_POS_MSEC`, `Time [s]`.
  private static func clock(_ words: [String]) -> FrameKey? {
    guard (2...6).contains(words.count), let last = words.last else { return nil }
    let unit = units[last]
    let names = unit == nil ? words[...] : words.dropLast()
    guard names.allSatisfy({ clocks.contains($0) || positions.contains($0) || sources.contains($0) }),
      names.contains(where: { clocks.contains($0) || unit != nil && positions.contains($0) })
    else { return nil }
    return FrameKey.time(unit)
  }

  private static let units: [String: TimeUnit] = [
    "s": .seconds, "sec": .seconds, "secs": .seconds, "second": .seconds, "seconds": .seconds,
    "ms": .milliseconds, "msec": .milliseconds, "millis": .milliseconds, "milliseconds": .milliseconds,
    "us": .microseconds, "usec": .microseconds, "micros": .microseconds, "microseconds": .microseconds,
    "ns": .nanoseconds, "nsec": .nanoseconds, "nanos": .nanoseconds, "nanoseconds": .nanoseconds,
    "ticks": .ticks,
  ]
  private static let clocks: Set = [
    "time", "times", "timestamp", "timestamps", "epoch", "pts", "ts", "clock", "elapsed", "zeit", "realtime",
  ]
  /// Words of a time only with a unit.
  private static let positions: Set = ["pos", "t", "unix", "utc", "uptime"]
  /// What a time may be of.
  private static let sources: Set = [
    "frame", "video", "image", "unix", "utc", "capture", "camera", "cam", "sensor", "device", "system", "host",
    "recording", "media", "presentation", "sample", "relative", "rel", "absolute", "cap", "prop", "in", "local", "user",
    "current", "playback", "game", "wall", "since", "startup", "boot",
  ]

  /// A name without capitals, spaces and punctuation.
  static func plain(_ name: String) -> String {
    let bytes = name.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
      default: nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The unit of a file's times.
enum TimeUnit: Double {
  case seconds = 1e6
  case milliseconds = 1e3
  case microseconds = 1
  case nanoseconds = 1e-3
  /// 100 ns, as .NET and Windows count them.
  case ticks = 1e-1
  /// A 90,000th of a second, as MPEG counts them.
  case mpeg = 11.111_111_111_111_11

  /// The unit in which these consecutive times give 1 to 1000 frames a second, or 10 and more in microseconds.
  ///
  /// Times from 1970 to 2120 by the clocks of .NET, from the year 1 on, and Windows, from 1601 on, are ticks, and so are
  /// those of a clock of .NET that begins with the recording: nobody films a movement at less than 10 frames a second.
  init(of times: [Double]) {
    if Self.areDates(times) {
      self = .ticks
      return
    }
    let step = Self.step(of: times)
    switch step {
    case ...1: self = .seconds
    case ...1000: self = .milliseconds
    case ...100_000: self = Self.mpegSteps.contains(step) ? .mpeg : .microseconds
    case ...1_000_000: self = .ticks
    default: self = .nanoseconds
    }
  }

  /// Whether times are ticks since the year 1 or 1601.
  private static func areDates(_ times: [Double]) -> Bool {
    times.first.map { (6.21e17...6.69e17).contains($0) || (1.16e17...1.64e17).contains($0) } ?? false
  }

  /// The median of the steps between consecutive times that differ; 0 without any.
  static func step(of times: [Double]) -> Double {
    let steps = zip(times, times.dropFirst()).map { abs($1 - $0) }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }

  /// The steps of 60, 59.94, 50, 30, 29.97, 25, 24 and 23.98 frames a second, which in microseconds would be rates of
  /// fast cameras.
  private static let mpegSteps: Set<Double> = [1500, 1501, 1502, 1800, 3000, 3003, 3600, 3750, 3753, 3754]

  /// What to say of these times, whose name has no unit, if they are read as an unusual one or give an unusual rate.
  static func remark(on times: [Double]) -> String? {
    let unit = TimeUnit(of: times)
    let step = step(of: times) * unit.rawValue / 1e6
    guard step > 0, !areDates(times) else { return nil }
    let isUnusual = unit == .ticks || unit == .mpeg || !(0.004...0.2).contains(step)
    guard isUnusual else { return nil }
    return "times are read as \(unit.name), which gives \((1 / step).oneDecimal) frames a second; if they are others, "
      + "name their unit, as in time_us"
  }

  private var name: String {
    switch self {
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .microseconds: "microseconds"
    case .nanoseconds: "nanoseconds"
    case .ticks: "ticks of 100 ns"
    case .mpeg: "90,000ths of a second"
    }
  }

  /// A time in whole microseconds; `nil` beyond 30,000 years.
  func microseconds(_ time: Double) -> Int? {
    let time = (time * rawValue).rounded()
    return abs(time) <= 1e18 ? Int(time) : nil
  }
}

/// Times that are written as text.
enum ClockTime {
  /// The seconds of `0:00:01.040`, `00:01,04`, `1 day, 0:00:01`, `40 ms`, and of a date and time as ISO 8601 writes it,
  /// also with `/` or `.` in the date or its day or month first; `nil` for other texts.
  ///
  /// A fourth part, as in `0:00:01:04`, is hundredths of a second, as Kinovea writes it, or with more digits ms or µs;
  /// `fourthPart` says where it counts frames.
  ///
  /// - Source: Python, `str(datetime.timedelta)`; ISO 8601-1:2019, 5.4; Kinovea, "Timecode formats".
  static func seconds(_ text: String) -> Double? {
    // Most texts are names: to see that none of the patterns fits takes longer than all else that is done with them.
    guard text.first?.isNumber == true else { return nil }
    if let match = text.wholeMatch(of: Self.date) {
      var parts = DateComponents()
      (parts.year, parts.month, parts.day) = (Int(match.1), Int(match.2), Int(match.3))
      guard let hours = Double(match.4), let minutes = Double(match.5), let seconds = decimal(match.6),
        let day = calendar.date(from: parts)
      else { return nil }
      return day.timeIntervalSince1970 + hours * 3600 + minutes * 60 + seconds
    }
    // Python's %Y%m%d_%H%M%S_%f and %Y%m%d%H%M%S%f; recordings begin and end on one day.
    if let match = text.wholeMatch(of: Self.stamp) ?? text.wholeMatch(of: Self.digits) {
      return seconds("\(match.1):\(match.2):\(match.3).\(match.4)")
    }
    // Day and month, in either order.
    if let match = text.wholeMatch(of: Self.dayFirst) {
      return seconds(String(match.1))
    }
    if let match = text.wholeMatch(of: Self.quantity), let number = decimal(match.1) {
      switch match.2 {
      case "ms": return number / 1e3
      case "us", "µs": return number / 1e6
      case "ns": return number / 1e9
      default: return number
      }
    }
    guard
      let match = text.wholeMatch(of: Self.clock),
      let minutes = Double(match.3), let seconds = decimal(match.4)
    else { return nil }
    let days = match.1.flatMap { Double($0) } ?? 0
    let hours = match.2.flatMap { Double($0) } ?? 0
    let rest = match.5.flatMap { Double("0.\($0)") } ?? 0
    return days * 86400 + hours * 3600 + minutes * 60 + seconds + rest
  }

  /// Whether a number is that of a date and time with ms or µs without punctuation, 20250313120057040: more digits than
  /// a number keeps, so that it is read as a text.
  static func isStamp(_ number: Double) -> Bool {
    [1e15, 1e18].contains { (19..<21).contains(number / $0) }
  }

  /// The fourth part of a clock's text.
  static func fourthPart(_ text: String) -> Int? {
    text.wholeMatch(of: fourParts).flatMap { Int($0.1) }
  }

  // Made once: making one takes longer than a whole row of a file.
  nonisolated(unsafe) private static let date =
    /(\d{4})[-\/.](\d\d)[-\/.](\d\d)[T ](\d\d):(\d\d):(\d\d(?:[.,]\d+)?)(?:Z|[+-]\d\d:?\d\d)?/
  nonisolated(unsafe) private static let stamp = /\d{8}[-_T](\d\d)(\d\d)(\d\d)[_.]?(\d+)/
  nonisolated(unsafe) private static let digits =
    /(?:19|20)\d\d[01]\d[0-3]\d([0-2]\d)([0-5]\d)([0-5]\d)(\d{3}|\d{6})/
  nonisolated(unsafe) private static let dayFirst =
    /\d\d?[-\/.]\d\d?[-\/.]\d{4},? (\d\d?:\d\d:\d\d(?:[.,]\d+)?)(?: ?[AaPp][Mm])?/
  nonisolated(unsafe) private static let quantity = /(\d+(?:[.,]\d+)?) ?(s|sec|ms|us|µs|ns)/
  nonisolated(unsafe) private static let clock =
    /(?:(\d{1,4}) days?,? )?(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)(?::(\d{2,3}|\d{6}))?/
  nonisolated(unsafe) private static let fourParts = /\d{1,3}:\d{1,2}:\d{1,2}[:;](\d\d)/

  private static func decimal(_ text: Substring) -> Double? { Double(text.replacing(",", with: ".")) }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    return calendar
  }()
}
