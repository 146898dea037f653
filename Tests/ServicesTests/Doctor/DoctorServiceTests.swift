import Core
import CoreTestSupport
import Services
import Testing

struct DoctorServiceTests {
    @Test func `versions precede the findings about the machine`() async {
        let disk = Finding("disk", .warn, "1 MiB free")
        let service = DoctorService(
            machine: FixedInspector(findings: [disk]),
            libraries: [LibraryVersion("libexample", "1.2.3")],
            profiles: MemoryProfileStore()
        )
        let versions = [Finding("vt", .ok, "9.8.7"), Finding("libexample", .ok, "1.2.3")]
        let expected = versions + [Finding("profiles", .ok, "0"), disk]
        #expect(await service.findings(version: "9.8.7") == expected)
    }
}

private struct FixedInspector: MachineInspector {
    let findings: [Finding]

    func findings() async -> [Finding] { findings }
}
