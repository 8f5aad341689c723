/**
 * The webhooks that platforms received in their inboxes. Only a sandbox has inboxes.
 * Source: D-473.
 */
import { Context, type Effect, type Scope } from "effect"
import type { InboxAnswers, InboxMessage } from "../model/inbox/InboxResource.ts"

/** A message with its number in the inbox, which counts up. */
export interface KeptMessage {
  readonly number: number
  readonly message: InboxMessage
}

export interface WebhookInbox {
  /** Counts a message at this wall time (ms); `false`: too many came in this second. */
  readonly admit: (platformId: string, wallNow: number) => boolean
  readonly add: (platformId: string, message: InboxMessage) => void
  /** The platform's messages that are kept, oldest first. */
  readonly of: (platformId: string) => ReadonlyArray<KeptMessage>
  readonly clear: (platformId: string) => void
  /** Chooses the answers to the next messages; `undefined`: 200 at once. */
  readonly answerNext: (platformId: string, answers: InboxAnswers | undefined) => void
  readonly nextAnswers: (platformId: string) => InboxAnswers | undefined
  /** Takes one of the chosen answers. */
  readonly takeAnswer: (platformId: string) => InboxAnswers | undefined
  /** Calls `onChange` whenever the inbox changed, until the scope closes. */
  readonly watch: (platformId: string, onChange: () => void) => Effect.Effect<void, never, Scope.Scope>
}

/** `undefined`: the deployment has no inboxes. */
export const WebhookInbox = Context.Reference<WebhookInbox | undefined>("@countersign/core/WebhookInbox", {
  defaultValue: () => undefined,
})
