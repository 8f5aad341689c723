/** What a trigger needs: a sandbox behind its interface, at any address. Source: D-461. */
import type { Client } from "@countersign/client"

export interface TriggerContext {
  readonly client: Client
  /** Returns the client of an agent, by its token. */
  readonly clientOf: (token: string) => Client
  /** Advances the sandbox's time, and does the work that falls due. */
  readonly advance: (seconds: number) => Promise<void>
}

/** The identifiers of the records that a trigger made. */
export type Handles = Readonly<Record<string, string>>

export type Trigger = (context: TriggerContext) => Promise<Handles>

/** The server cannot emit the event as it was started. */
export class TriggerUnavailable extends Error {
  override readonly name = "TriggerUnavailable"
}
