/**
 * Why a message was not sent: a class of failure and nothing else, because mail servers and gateways quote recipients and texts.
 * Source: D-528.
 */
import { Data } from "effect"

interface FailureClass {
  /** What happened, for the operator. */
  readonly text: string
  /** Whether the same message may be sent again after a short time. */
  readonly isTransient: boolean
}

export const failureClasses = {
  unreachable: { text: "the server cannot be reached", isTransient: true },
  slow: { text: "the server did not answer in time", isTransient: true },
  busy: { text: "the server refuses messages at present", isTransient: true },
  unknown: { text: "the connection ended before the server confirmed the message", isTransient: true },
  certificate: { text: "the certificate of the server is not trusted", isTransient: false },
  credentials: { text: "the server refuses the credentials", isTransient: false },
  recipient: { text: "the recipient is refused", isTransient: false },
  refused: { text: "the server refuses the message", isTransient: false },
  misconfigured: { text: "no channel for this kind of contact", isTransient: false },
} satisfies Record<string, FailureClass>

/** A class of failure: a key of the table that says whether it passes. */
export type FailureReason = keyof typeof failureClasses

export class MessageFailure extends Data.TaggedError("MessageFailure")<{
  readonly channel: "email" | "sms"
  readonly reason: FailureReason
  /** The status of the answer, if there was one. */
  readonly status?: number
}> {
  override get message(): string {
    const { channel, reason, status } = this
    const answer = status === undefined ? "" : `, status ${status}`
    return `${channel === "email" ? "e-mail" : "text message"} not sent: ${failureClasses[reason].text} (${reason}${answer})`
  }
}

/** The options of a channel or of the messages are not usable. The message contains no secret. */
export class MessagesUnusable extends Data.TaggedError("MessagesUnusable")<{ readonly message: string }> {}
