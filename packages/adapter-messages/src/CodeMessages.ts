/**
 * Sends a code in the language of its recipient. A recipient that is refused is no failure of the service; anything else that prevents the
 * message is a defect, which the service logs and answers with 500, so that its caller asks again.
 * Source: D-528.
 */
import { portChecksOf } from "@countersign/core/ports"
import { Effect, Redacted } from "effect"
import type { MessagePurpose } from "./BuiltInTexts.ts"
import { MailServer } from "./MailServer.ts"
import type { MessageFailure } from "./MessageFailure.ts"
import { type MessageOptions, type Recipient, textsFor } from "./MessageOptions.ts"
import { emailOf, smsOf } from "./Rendering.ts"
import { TextGateway } from "./TextGateway.ts"

export interface CodeMessage {
  readonly channel: "email" | "sms"
  readonly purpose: MessagePurpose
  readonly recipient: Recipient
  readonly code: Redacted.Redacted
  readonly validMillis: number
  readonly appName?: string | undefined
  readonly logoUrl?: string | undefined
  readonly fromAddress?: string | undefined
  readonly fromName?: string | undefined
  readonly replyTo?: string | undefined
}

/** The members of an object that have a value. */
const present = <K extends string>(members: Readonly<Record<K, string | undefined>>): { [N in K]?: string } => {
  const found: { [N in K]?: string } = {}
  for (const name in members) {
    const value = members[name]
    if (value !== undefined) found[name] = value
  }
  return found
}

const orDefect = (failure: MessageFailure): Effect.Effect<void> =>
  failure.reason === "recipient" ? Effect.logWarning(failure.message) : Effect.die(failure)

/** Returns the function that sends a code, and the checks of the channels. */
export const codeMessages = Effect.fnUntraced(function* (options: MessageOptions) {
  const mail = yield* MailServer
  const gateway = yield* TextGateway
  const send = (message: CodeMessage): Effect.Effect<void> =>
    Effect.flatMap(textsFor(options, message.recipient), ({ language, texts }) => {
      const { channel, code, fromAddress, fromName, logoUrl, purpose, recipient, replyTo, validMillis } = message
      const app = message.appName ?? options.appName
      const facts = { app, code: Redacted.value(code), validMillis, ...present({ logoUrl }) }
      const { contact: to } = recipient
      if (channel === "sms") return gateway.send({ to, text: smsOf(texts, purpose, facts) })
      const from = present({ address: fromAddress, name: fromName ?? message.appName })
      return mail.send({ to, from, ...present({ replyTo }), ...emailOf(texts, language, purpose, facts) })
    }).pipe(Effect.catch(orDefect))
  return { send, checks: [...portChecksOf(mail), ...portChecksOf(gateway)] }
})
