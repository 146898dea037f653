/// The shape of the cursor (DECSCUSR); the numbers are those of the sequence.
package enum CursorShape: Int, Sendable {
    case standard, blinkingBlock, block, blinkingUnderline, underline, blinkingBar, bar
}
