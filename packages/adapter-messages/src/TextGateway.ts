/**
 * Sends one text message. `HttpTexts` does it by a gateway; an embedder who sends in another way provides a layer of its own.
 * Source: D-528.
 */
import { Context, type Effect } from "effect"
import type { MessageFailure } from "./MessageFailure.ts"

/** A text message to one number. */
export interface TextMessage {
  /** A telephone number in E.164. */
  readonly to: string
  readonly text: string
}

export class TextGateway extends Context.Service<
  TextGateway,
  {
    /** Repeats what may pass and cannot be sent twice by that, within its deadline. */
    readonly send: (message: TextMessage) => Effect.Effect<void, MessageFailure>
  }
>()("@countersign/adapter-messages/TextGateway") {}
