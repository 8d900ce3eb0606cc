// The protocol of FormBench for detectors in C++17: one header, the standard library only.
//
//     struct Counter {
//       explicit Counter(const formbench::Clip &clip);
//       void update(const formbench::Frame &frame, formbench::Answer &answer);
//     };
//     int main() { return formbench::serve<Counter>(); }
#pragma once

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace formbench {

// A value of JSON. Numbers of a missing point are NaN.
struct Value {
  enum class Kind { null, boolean, number, text, list, object } kind = Kind::null;
  double number = std::numeric_limits<double>::quiet_NaN();
  std::string text;
  std::vector<Value> list;
  std::map<std::string, Value> members;

  bool isNull() const { return kind == Kind::null; }
  const Value &operator[](const std::string &key) const {
    static const Value none;
    auto found = members.find(key);
    return found == members.end() ? none : found->second;
  }
};

// Reads messages of bench. They are valid JSON, and only their structure is checked.
class Reader {
public:
  explicit Reader(std::string_view text) : next(text.data()), end(text.data() + text.size()) {}

  Value value() {
    Value value;
    skip();
    if (next == end) fail("a value");
    switch (*next) {
    case '{':
      value.kind = Value::Kind::object;
      ++next;
      while (!closes('}')) {
        std::string key = text();
        take(':');
        value.members[key] = this->value();
      }
      return value;
    case '[':
      value.kind = Value::Kind::list;
      ++next;
      while (!closes(']')) value.list.push_back(this->value());
      return value;
    case '"':
      value.kind = Value::Kind::text;
      value.text = text();
      return value;
    case 'n': next += 4; return value;
    case 't':
    case 'f':
      value.kind = Value::Kind::boolean;
      value.number = *next == 't';
      next += *next == 't' ? 4 : 5;
      return value;
    default:
      value.kind = Value::Kind::number;
      auto read = std::from_chars(next, end, value.number);
      if (read.ec != std::errc()) fail("a number");
      next = read.ptr;
      return value;
    }
  }

private:
  const char *next, *end;

  [[noreturn]] void fail(const char *expected) {
    std::cerr << "expected " << expected << " in a message\n";
    std::exit(1);
  }
  void skip() {
    while (next < end && (*next == ' ' || *next == ',' || *next == '\r' || *next == '\t')) ++next;
  }
  void take(char mark) {
    skip();
    if (next == end || *next != mark) fail("another mark");
    ++next;
  }
  bool closes(char mark) {
    skip();
    if (next == end) fail("an end");
    if (*next != mark) return false;
    ++next;
    return true;
  }
  std::string text() {
    take('"');
    std::string text;
    while (next < end && *next != '"') {
      if (*next == '\\' && ++next < end && *next == 'u') next += 4;
      if (next < end) text += *next++;
    }
    take('"');
    return text;
  }
};

struct Clip {
  std::string name;
  double fps = 0;
  std::vector<std::string> joints;
  std::map<std::string, double> parameters;

  // The position of a joint among a frame's points; -1 if the skeleton has no such joint.
  int position(const std::string &joint) const {
    for (std::size_t index = 0; index < joints.size(); ++index)
      if (joints[index] == joint) return static_cast<int>(index);
    return -1;
  }
};

struct Frame {
  double time = 0;
  std::vector<Value> points;

  // x and y of a joint; false if it is missing.
  bool point(int position, double &x, double &y) const {
    if (position < 0 || points[position].isNull()) return false;
    x = points[position].list[0].number;
    y = points[position].list[1].number;
    return true;
  }
};

// The answer to a frame.
struct Answer {
  std::string events, signals;

  void rep(double start, double end, double turn) {
    if (!events.empty()) events += ",";
    events += "{\"type\":\"rep\",\"start\":" + text(start) + ",\"end\":" + text(end) + ",\"turn\":" + text(turn) + "}";
  }
  void signal(double value) {
    if (!signals.empty()) signals += ",";
    signals += text(value);
  }

  static std::string text(double value) {
    if (!std::isfinite(value)) return "null";
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  std::string line() const {
    std::string line = "{";
    if (!events.empty()) line += "\"events\":[" + events + "]";
    if (!signals.empty()) line += (events.empty() ? "" : ",") + ("\"signals\":[" + signals + "]");
    return line + "}\n";
  }
};

// Answers until there are no more clips; a fresh detector for each.
template <typename Detector> int serve() {
  std::ios::sync_with_stdio(false);
  std::string line;
  Detector *detector = nullptr;
  while (true) {
    // Flush answers before waiting for more input.
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
    if (!std::getline(std::cin, line)) break;
    Value message = Reader(line).value();
    const std::string &type = message["type"].text;
    if (type == "start") {
      Clip clip;
      clip.name = message["clip"].text;
      clip.fps = message["fps"].number;
      for (const Value &joint : message["joints"].list) clip.joints.push_back(joint.text);
      for (const auto &[name, value] : message["parameters"].members) clip.parameters[name] = value.number;
      delete detector;
      detector = new Detector(clip);
      continue;
    }
    Answer answer;
    if (type == "frame" && detector) {
      Frame frame;
      frame.time = message["time"].number;
      frame.points = message["keypoints"].list;
      detector->update(frame, answer);
    }
    std::cout << answer.line();
  }
  delete detector;
  return 0;
}

} // namespace formbench
