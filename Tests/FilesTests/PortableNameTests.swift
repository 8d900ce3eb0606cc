import Files
import Testing

struct PortableNameTests {
  /// ë is one scalar, or e with a mark of its own.
  @Test func aNearNameHasNoAccents() {
    #expect(PortableName.near("Zoë") == "Zoe" && PortableName.near("Zoe\u{308}") == "Zoe")
    #expect(PortableName.near("a b/c") == "a-b-c")
    #expect(PortableName.near("日本") == "")
  }

  @Test func whatIsAllowedComesWithANearName() {
    #expect(PortableName.description(near: "Zoë") == "\(PortableName.description), such as Zoe")
    #expect(PortableName.description(near: "日本") == PortableName.description)
  }
}
