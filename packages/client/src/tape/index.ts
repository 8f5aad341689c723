/**
 * The public names of tapes, for servers and browsers: what a run sent and received, replayed, or exported for a shell, a program or a test.
 * Source: D-233, D-449, D-474.
 */

export type { Difference, Differences } from "./Differences.ts"
export { formEntry } from "./FormEntry.ts"
export { bindOneOff } from "./OneOff.ts"
export { InvalidTape, readTape } from "./ReadTape.ts"
export { contentOf, parseJson, type RecordedContent, type RecordedRequest, recordedHeaders } from "./RecordedRequest.ts"
export * as References from "./References.ts"
export {
  type PlayedCall,
  type PlayedStep,
  play,
  type ReplayOptions,
  type ReplayTarget,
  replay,
  variablesOf,
} from "./Replay.ts"
export { senderOf } from "./Senders.ts"
export type { Json, Tape, TapeAdvance, TapeCall, TapeGap, TapePart, TapeSender, TapeStep } from "./Tape.ts"
export { maskedText } from "./Tape.ts"
export { asCurl } from "./TapeCurl.ts"
export { asScript, asTest } from "./TapeText.ts"
