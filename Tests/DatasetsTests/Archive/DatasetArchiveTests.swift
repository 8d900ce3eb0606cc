import Datasets
import Files
import Foundation
import PoseModel
import Testing

/// A dataset in one file that only a passphrase opens.
@Suite final class DatasetArchiveTests {
  private let folder = NSTemporaryDirectory() + "archive-" + UUID().uuidString
  private var path: String { folder + "/mine.tar.age" }
  private let store: Store
  private static let phrase = Array("correct horse".utf8)

  init() throws { store = try Store(at: folder + "/store.sqlite") }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// More than two chunks of 64 KiB, and a name longer than a header of tar holds.
  private let dataset = Dataset(
    manifest: Manifest(
      name: "mine", version: "1", licence: "none", source: "a test", origin: .synthetic, skeleton: "coco-17",
      coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down), channels: [.x, .y]),
    clips: ["short", String(repeating: "long-", count: 24) + "name"].enumerated().map { index, name in
      Clip(
        info: Clip.Info(name: name, subject: "anna", exercise: "squat", view: "side", fps: 30, split: ""),
        keypoints: Keypoints(
          times: (0..<600).map { Microseconds(frame: $0, rate: 30) }, keypointCount: 17, channels: [.x, .y],
          values: (0..<600 * 34).map { Float($0 + index) }),
        labels: GroundTruth(reps: [Rep(start: .zero, end: Microseconds(1_000_000))]))
    })

  private func write() throws {
    var clips = dataset.clips.makeIterator()
    try DatasetArchive.write(dataset.manifest, to: path, passphrase: Self.phrase, beside: store) { clips.next() }
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  /// What opening the archive says is wrong, after its bytes were replaced.
  private func found(_ bytes: Data, passphrase: [UInt8] = phrase) throws -> String {
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: DataError.self) { try OpenedArchive(path, passphrase: passphrase, beside: store) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasPrefix(".") })
    return error?.found ?? ""
  }

  @Test func whatWasWrittenComesBack() throws {
    try write()
    #expect(DatasetArchive.recognises(path))
    // Nothing of it can be read as it lies there.
    for secret in ["anna", "short", "dataset.yaml"] { #expect(try bytes().range(of: Data(secret.utf8)) == nil) }
    var opened: OpenedArchive? = try OpenedArchive(path, passphrase: Self.phrase, beside: store)
    let place = try #require(opened).folder
    let read = try DatasetFolder(place)
    #expect(read.manifest == dataset.manifest)
    for index in 0..<2 {
      let clip = try read.clip(index)
      #expect(clip.info == dataset.clips[index].info)
      #expect(clip.keypoints?.values == dataset.clips[index].keypoints?.values)
    }
    let mode = try FileManager.default.attributesOfItem(atPath: (place as NSString).deletingLastPathComponent)
    #expect(mode[.posixPermissions] as? Int == 0o700)
    opened = nil
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test func whatIsWrongIsSaid() throws {
    try write()
    let whole = try bytes()
    #expect(try found(whole, passphrase: Array("wrong horse".utf8)) == "another one, or an altered header")
    #expect(try found(whole.dropLast(1)) == "an altered or truncated archive")
    // 164,... bytes of content are two whole chunks and a part: cut after the first.
    let header = try #require(whole.range(of: Data("\n--- ".utf8))).upperBound + 43 + 1
    #expect(try found(whole.prefix(header + 16 + 65_552)) == "the archive's end: it is truncated")
    #expect(try found(whole.prefix(header + 7)) == "its end: it is truncated")
    #expect(try found(whole.prefix(60)) == "a damaged or truncated one")
    var altered = whole
    altered[whole.startIndex + header + 16 + 5] ^= 1
    #expect(try found(altered) == "an altered archive")
    // The second chunk in the place of the first.
    var swapped = whole.prefix(header + 16)
    swapped += whole.dropFirst(header + 16 + 65_552).prefix(65_552)
    swapped += whole.dropFirst(header + 16).prefix(65_552) + whole.dropFirst(header + 16 + 2 * 65_552)
    #expect(try found(swapped) == "an altered archive")
    // The last digit of the header's proof, among those that base64 allows there.
    var proof = whole
    proof[whole.startIndex + header - 3] ^= 1
    #expect(try found(proof) == "an altered one" || found(proof) == "a damaged or truncated one")
    #expect(try found(Data("PK".utf8)) == "something else")
    let other = Data("age-encryption.org/v1\n-> X25519 abc\nabc\n--- abc\n".utf8)
    #expect(try found(other) == "one encrypted with a public key")
    let greedy = String(decoding: whole.prefix(header), as: UTF8.self).replacingOccurrences(of: " 17\n", with: " 40\n")
    #expect(try found(Data(greedy.utf8)) == "40")
  }

  @Test func nothingIsOverwritten() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: DataError(file: path, expected: "a new file", found: "an existing one")) { try write() }
    #expect(try bytes() == Data("mine".utf8))
  }

  /// Packed by GNU tar and encrypted by a program of some lines on Python's hashlib and cryptography, which pyrage, the
  /// Python binding of the Rust implementation of age, opens too.
  @Test func anArchiveOfOtherToolsOpens() throws {
    try #require(Data(base64Encoded: Self.foreign, options: .ignoreUnknownCharacters))
      .write(to: URL(fileURLWithPath: path))
    let opened = try OpenedArchive(path, passphrase: Self.phrase, beside: store)
    let read = try DatasetFolder(opened.folder)
    #expect(read.manifest.source == "packed by GNU tar and pyrage")
    #expect(read.clips.map(\.info.name) == ["c1"])
    #expect(read.clips[0].labels.repCount == 3)
  }

  private static let foreign = """
    YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCB2Yjg2L3hFSmJ0L1pIOEhGNno3Z29nIDEwCi95a2FML2tHRTB3NXZMZFRt
    cENENXZTL3oya0l1STlyOVB0NncyYkJ3Y1EKLS0tIDlvSFBxQzJPS0JNTkJCMXRqaWZXaktFWXJpRE1pU1RDQTI2TmJMNmhiYUEK
    8Flf1lLHcC3ZM+VSNlB9romDJ9iziRHh7/Bavl2bNWCv358ImdDr+vWt4oD5mphGVTKkGndemAWdfby2IN84Dq3BYIxR0NeOB/xB
    9UVeE4mbsINwMd5SDnFc5RgHz7PvWwfQHKH97oeR2lE4h3TP90ZWJUm199+wZbd+FZm+CE59Yvtxn9Q3SGj6QvG4hXITXt6FVo+x
    tOZ5cAGMNn2NKO/yCWHU2PlXs7Prb6D9dxnnt7VtT+kxBHeMdqvgrEW2Rer/jhYkcW3FrjowTUiN7xEeB4ph2zHu0ORL+fr4Vzqs
    fg09Fij+TrNJmvZQBL20iuZCwpXhZeArTdSgnuGz8uqKHcZJwXaP7VKQETGioDfqmeyNzqrK0P6aN5UBFtsOx5qTx9PCqz3tvjT4
    iIdoVVMDJRoEqngDkq0lI3v83TNPnGjR/tuJicr23cFu4VRznAy2pacRb3okt0eTNFQePtPmPO9E9fRbF1BGKjB7K3C5Aq8fRRiH
    zYKYgu0xiJlatuCSeVcYoE0sgoeT/xL57BBLA1eYkFOy83nUQHrRnlTPHijb4AxFRiaLOjTFehy3SJZbGNK7L8m+kRXWgFJESpZ8
    LY00EdKCM3QyaUBPy2Nxlw96pqag3AVfOLpus+lR9nH76ZlBALetNEhxUlLseLwhn+7vinXgzvGjSVfw6AFBEtMiQzUnvswgb1gd
    GYw33oAHj7L0lZ5VD1lF8Sg/BNvzZzBijCfqsVLUn9iW0KhZjR3cB1575JuwT/+pXxvqas7hDxpGAgnEf98JDjgag4FIcqKm4+ug
    v29ExUaTfpCbh2jRR9zFTN/ETH62W5kOXwC3Pap/bTjMWUm6760x1skSN3L/VjT4CSTZURh39CpZL5lsKBDhKkCE3WNo4LE+PEHq
    1baXsIEHsZgsK0bYjNZbTV/LpnPBY2hwT/FwsDpEsmEf1MrFsqD0PPwRVRZtDgQ7Mam+6DhJX//aKUeb0PC3twVNubZcx6oegccM
    KJPR3jp9ON+aACv0qT8hAI7upyufdvxpyUrHwGB3TOnu40uj3d5n4fmtC7Tzw7WXy7xbaPj+c3kv/B5pZyrBvmHN7xH8eSE3GwQX
    DQEgNw3O34QNkSDYypz3fL0TjECIeOjYU3GshXZM7jZKMI+OaXLdcinaLv8pdqXZb81yNUac4gSuxx4PnG5PmiySDTxjcFV1Mkm9
    VzvRYV5VQcbbBwJEZpLTkf4q0WFZvAnkgSfuOPHGeFaTR/KYOE8m4uZV00iZbmXPb/iAF3DtVT3ZXh8ziEwIn2oChDeisx0R4onr
    c61rsPtIhFUq9z04Oxx8sl+l6HAirb8fZEJ5JQWzMy/AeFNUD5d4lNe7M2xXJIAWFKqApFNImEWDvTnfHKs9dFQ5evmD0aKHq3y4
    XLgnQ/3JUyi2H5UirOCVWppA2jqphE6AVFiWNGpr69xi21FWAjBnvuNzfcZqU5XZ2FFvwJuKrk+Hpw5YY6/88CQ6BAuwQhxsd7Md
    Iicd026IeSs69D2DJcxATZt3FP8fBtNSaF8NCrm61PBLBaPU4T/gq4obH41Y2vOQNu/4sjndZ/K+pj1MAIYHjCpI7dTeUWugivY3
    h3X/74fzc2XsB/WnsDf8HkRO46sKRairKW1PL68yCHE/ufieFkIEN6afokwQTNk/rKgw48Ub+XBHdII2HHmXymZEuO6MfqYJnuwd
    NSiwUCZMpzLzjuJOLJw4Vgaq8koT5oeEssAhLQiOsdn6Q7urAn9jl2X/B+XbfSNTA2zvsgThvhoBIT4IGRe5zLcApNvRqU6zXQ00
    gqDuQU8UFvrW4OZG7sFR+P1ww2lPSiNl9j/FsG5kzx5Y0DUgvM1GMCKzubEw7i0iPcQtmuXsaoxFDc98EL1pDZ0rVjCIzYE5lRfM
    8GRhT7QXZx0Vqv9VK+TBRmwSxhf4egmknNZ0MM7GpqurpwP3piGz6RQvRwtoasejQqgefZMd5hwlUvKKpGYI8WlXrRpm07QmDyos
    0xEgUITTll41AmJ9nP7svCI798fZ/wsgvDx+fkkb3xUN8bQfAkWBPIl5slOBNjGtsBGNJyUrjZomfF1Ph49/E1hiYhQmlxTdZREr
    4j4EVDkbPcjGzpZeDAt5+Ap2t7evNT7werVUX0gFthotgMRq7B5J7NMPGrKTXWz64BGsRaBocJeSS/i5WF4ijK/rdJjk6PuMSQd4
    SAal0BigTf7uF/N7MxztHM4cI+HlBUOA1/l+nHkhHWYahNhjynUiva87qP9Bl8cQvQ7DGV3TQhr6Bg+7wI9QONk1/XQmEZ+8xc88
    eyN6kuCKyfhRUQIzj1k8/cZZoSRhzvhGCtCY+VHhPhltztKTyiOLgK7Hd6EKkavwD87F7azeK0qi7N1OoUQSlLgXyUjYz4IKv65R
    +e9kKhf0F1vJ/y0WRM9YzSSEcY/EeG7aSwDKz1q3DGPgLX7j88TnR6LypsndK3qddsoxECbiLVipoZC0gohze3HtbOLOaZL+DxAC
    8g3wxm8OiVqmdidaDmInhpPmBq+Olbq8ap2GkoVLnNWI8816CRlr7cO8AkTLf+kmA8HfNZLIu8a6VgqKR9Yq098YloJ1rlnaOruq
    lRYs1cbAOWEmg2Il9d3rbqd3uMxF1wUIQW5tZVHdbSx4zaodlrv1XXoSosbjijrcKkNf3L31aWoktm2ZiayFvrWCAkpgG4ombED7
    6KghYzBsB5uC8PQy/qoGLiT5ImpNxKbPXmpNMySBZDoHudKIn+LqRZfwe5mPGZCBhKEEEbKg6dqttaUfDs4Mz+D2ei1HItkqGOTZ
    RSG+GLytyuXM9kCwmlCqLsgvk+qelZXmFioR4i2omDwVdT/MV5TKkdVfxgOcUiNyS2pacTVwLf+KclcI32GcfYs2WkV9BgQ0fUsR
    jFaNkP/yJg2Hpb8cNzCx5zFjW6eHDji0o8IMAToB4EyK4gYQWcJfPK3dmRUTEwkEZcEIt3EUfHaawRxDk8xkzXrew+aw3ue1njpm
    SonL/e+VcOtsnro90fOIiFpxR/dNknls0F+45pGQGCH6GTUxr9dtNveNZsUauPdnLwEycxelJrwY15sZC4Yr5efGRMpYHdvAI1OQ
    rQsrcrJ49RZ/lGM41vifX/hoNCS4Ndz/SkQ1gtCias2o7wLt/H0LdWfnNkDAyQWpyxuo/m8VjR8nEO7Fs1FVZdQCoCVw8Lh/O/7z
    d9VJwvsvf2/3z9A7PV22T6GiXfDdahBX0Q41U2XIGpcNS5WD7FL4uxEWbkd2pRp/48WiIJ/nnwL8qCv9q4AYoZxOI+ZKGZUYHwQv
    tNcEY2mdrpd+LOvz+eKwNQ6tXOYYuARYn9dsITS6jBcsGOspEiuMWYpaXzkXXMQrsT+7edhnYACqHL95YIn15K2wpht60ijUfkOv
    FaLsoqIOBLzUHHhenvCbQhfqnv8MzFAGNBSCsjzI3pr+ijx/628VMeI5ss9964jPzZQBUvK8WJanRJMvOO2xPvndbdphZ0RYa1D1
    xwDos9edOeR9Jfa5GyuW1zXwoEMgWMDyJ6rXdNLIsYoMktVTvCSajfwgrz33u3L5a3qKNKLLkVCo8sDoCdpIsr8TQXdBFn54xBPk
    hH7sQ46XOs91UhoFNWSRzJ9nwOjOeJZ4co2rPwlZHAAw2nAJKwyZ0HWF6y277Cu81DREK68WKcHir3Lci7He0J5UY7HmUWMRE+Ok
    Fo3ilEBUDcGH6YQX3H/mu5zDXQkbZRT2W33DSTczvJ5F5w6CB6ccKX0yk6HCrgZs8GcqRTJHhYaSUIj9X3eBx5aaT6/6QG3j5L1t
    KFGwlX06qUTY0KBW2y34aEOJ4aW6HZ9VcBr0qUl3Ip+PGt68bLp/3sJxpyxOOjCu4B6M5rlFPTUqGWi4wXC6rP5XzUpyFX6sUPH9
    YmiKpymzaHSVQZahQZL8Sl9BiITQw5olRmE9flicRjCJLQvpKPJoxXnMR6Ts7TKryegoE64ocuSNYVWweH4+GJ0k6FMBwDCMt12W
    U64pF59JKTd6O9KMqNb4ZsSLPF1iMnKmr16P1w+rO+t+MgtvnJpRk6Cne+ccsGNIdy3D/ncrYs3hIFIwmS3seaW1Dk7CO8fBz6eJ
    CuP9w1eZ/oaxmSaDwCIaGG81m44mozkBAVAiQJXGw5fyjZKeZ1jzfPC2VX9N0Wxm9R3OIK9r7OeN7RcsMBBMUTtRTAaUJCgl4spC
    147kH3hwCllqMRUFQ3a7/w41tvB+ihjfP73Lz6UQdW7l1VpyZJGnnGYsfBRVwmA+LkrjIsINkoF0gj5593Qp61SYWuULwma23Nsp
    6lTHAzAuZhQgt3GO9py2rKcRELzn1HCAUAZ+sP3mpMAsn8591RW4gtbvKBlrTNwG/+lPN3+GZeSMpmA8EzDaGfFor1ia9z74+/AH
    OsLV6NFJVJYfTjWDrT7Bd954X905gZBt3NedqgvmxN4M4IIXpoW9jlvU/P74Yzk0h7aci9/E9WwLVcA6NBA1Gj+qpK0VVMB1jWXK
    RAHZbRxbcbhKcVGxTxhlibUOU7IyDJcToRcFSWzdcVMTpiOONI5R1I+1DT4jk0dYNfr2FKyWaTCtnsKVubbb3jw98WgSEYyNfR08
    93ekkGppJypGsdiu0aTYu+TTVrLDq22ydLXQmrxhRr2G7BjDvCI+Ls+MbDlzonLmZNqFlvpw3YZKCPZiZ9ZQfo3MCngDynzXtVwg
    PJc5Kq3adiPwk8Ei8EkeTYCUkLODVgcmSgF4WsS4/UAaAgEQrdeBS95m+hIkp6udFG3DNlALkwF6EtuxHYhwbLzq2Zde27oiz0w5
    xYLFPAFMYiwj2A3bna4kSw==
    """
}
