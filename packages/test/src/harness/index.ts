/** The public names of `@countersign/test`. */

export {
  asCurl,
  asScript,
  asTest,
  type Difference,
  type ReplayOptions,
  type ReplayTarget,
  replay,
  type Tape,
  type TapeStep,
} from "@countersign/client/tape"
export { validBodies } from "./AccountArbitraries.ts"
export { type Breakage, breakages } from "./AccountBreakages.ts"
export { type AccountBody, exampleBody } from "./AccountExample.ts"
export { agentHarness } from "./AgentHarness.ts"
export { type AgentOptions, type AgentParts, withAgent } from "./AgentWorld.ts"
export { type Device, type DeviceOptions, type DeviceSession, device } from "./Device.ts"
export { otpFaults, signedFaults } from "./DeviceFaults.ts"
export { type Harness, harness, type Reply, type Send, type Sender } from "./Harness.ts"
export { type Forged, forge } from "./IdentifierForge.ts"
export { named } from "./NamedWorld.ts"
export { type OidcFault, type OidcPerson, oidcPerson, type TokenOptions } from "./OidcPerson.ts"
export { type OidcProvider, oidcProvider } from "./OidcProvider.ts"
export {
  type AssertionFault,
  type AttestationFault,
  type PasskeyDevice,
  type PasskeyDeviceOptions,
  passkeyDevice,
} from "./PasskeyDevice.ts"
export { recorder } from "./Recorder.ts"
export { type Report, report, reportText } from "./report/Report.ts"
export { type Counts, gather } from "./report/Run.ts"
export type { Inbox, Received, ReceivedOf } from "./WebhookInbox.ts"
export { type World, type WorldOptions, type WorldStore, world } from "./World.ts"
