/// An observer that ignores all steps.
package struct SilentConnectionObserver: ConnectionObserver {
    package init() {}

    package func connection(_ name: String, reached step: ConnectionStep) {}
}
