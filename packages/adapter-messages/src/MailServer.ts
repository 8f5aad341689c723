/**
 * Sends one e-mail. `SmtpMail` does it by SMTP; an embedder who sends in another way provides a layer of its own.
 * Source: D-528.
 */
import { Context, type Effect } from "effect"
import type { MessageFailure } from "./MessageFailure.ts"
import type { EmailContent } from "./Rendering.ts"

/** An e-mail to one recipient, with the sender that its platform has chosen. */
export interface Email extends EmailContent {
  readonly to: string
  /** What the platform asks for; the server's own sender is used for what is absent or not allowed. */
  readonly from?: { readonly address?: string; readonly name?: string }
  readonly replyTo?: string
}

export class MailServer extends Context.Service<
  MailServer,
  {
    /** Repeats what may pass, within its deadline. All copies that could arrive have one Message-ID. */
    readonly send: (email: Email) => Effect.Effect<void, MessageFailure>
  }
>()("@countersign/adapter-messages/MailServer") {}
