/** The public names of the test door. */

export { agentHarness } from "./AgentHarness.ts"
export { type AgentOptions, type AgentParts, withAgent } from "./AgentWorld.ts"
export { type Harness, harness, type Reply, type Send, type Sender } from "./Harness.ts"
export type { Inbox, Received } from "./WebhookInbox.ts"
export { type World, type WorldOptions, world } from "./World.ts"
