import Core
import Recording
import Testing

struct RecordingNameTests {
    private let values = RecordingName.Values(
        profile: "web",
        session: ".hidden/x\n",
        id: "0123456789ab",
        start: Timestamp(seconds: 1_795_253_400)
    )

    @Test(arguments: [
        ("plain.cast", "plain.cast"),
        ("{profile}-{id}.cast", "web-0123456789ab.cast"),
        ("{session}", "_hidden_x_"),
        ("d/{session}", "d/_hidden_x_"),
        ("a{session}", "a.hidden_x_"),
        ("{start}", "20261121T093000Z"),
        ("{start:%Y%m%dT%H%M%S}.cast", "20261121T093000.cast"),
        ("{start:%F_%T %s %%}", "2026-11-21_09:30:00 1795253400 %"),
        ("{start:.%Y/%m}", "_2026_11"),
        ("{{session}", "{session}"),
        ("a}b", "a}b"),
    ])
    func `replaces placeholders with values that add no path components`(_ template: String, _ name: String) throws {
        #expect(try RecordingName(parsing: template).text(values) == name)
    }

    @Test func `the profile of this machine is named local`() throws {
        var values = values
        values.profile = nil
        #expect(try RecordingName(parsing: "{profile}").text(values) == "local")
    }

    @Test(arguments: ["", "{", "{host}", "{start:%Q}", "{start:%}", "x{session"])
    func `an invalid template is an error`(_ template: String) throws {
        let error = try #require(throws: VTError.self) { _ = try RecordingName(parsing: template) }
        #expect(error.code == .usage)
    }

    @Test func `a placeholder without a value is an error`() throws {
        var values = values
        values.id = nil
        let error = try #require(throws: VTError.self) { _ = try RecordingName(parsing: "{id}").text(values) }
        #expect(error.code == .usage)
    }
}
