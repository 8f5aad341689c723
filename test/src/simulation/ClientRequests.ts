/**
 * The requests of the clients of a simulated run. A client repeats a request with the same key until it is answered. A request without a key
 * that must not run twice is sent once, and a lost response leaves its outcome unknown. The auditor reads the recorded responses.
 */
import type { Reply, Send } from "@countersign/test"
import type { Answers, Body } from "./Answers.ts"
import type { Randomness } from "./Randomness.ts"
import type { Pay } from "./World.ts"

const triesMax = 400

/** One client: its name, its random numbers and its ways to send a request. */
export interface Client {
  readonly pay: Pay
  readonly random: Randomness
  readonly answers: Answers
  /** Repeats the request while the connection breaks or the service is unavailable. */
  readonly insist: (method: string, path: string, options?: Send) => Promise<Reply>
  /** Like `insist`; `lost` is the number of attempts whose answer was lost. */
  readonly repeat: (
    method: string,
    path: string,
    options?: Send,
  ) => Promise<{ readonly reply: Reply; readonly lost: number }>
  /** Sends once; `undefined` means that the outcome is unknown. */
  readonly once: (method: string, path: string, options: Send) => Promise<Reply | undefined>
  /** Repeats the request under a new key until it is answered; `undefined` if it was refused. */
  readonly keyed: (path: string, options: Send) => Promise<Body | undefined>
  /** Repeats an earlier request under its key. */
  readonly again: () => Promise<Body | undefined>
  /** Sends a request of any client again under its key. */
  readonly under: (key: string, path: string, options: Send) => Promise<Body | undefined>
  /** A unique name. */
  readonly name: () => string
}

export const bodyOf = (reply: Reply): Body => (typeof reply.body === "object" ? (reply.body as Body) : {})
export const isDone = ({ status }: Reply): boolean => status < 300

/** Error codes that any request may be refused with. */
const refusals = [
  "AGENT_PAUSED",
  "AGENT_SPENDING_LIMIT_EXCEEDED",
  "AGENT_TRANSACTION_LIMIT_EXCEEDED",
  "AMOUNT_OUT_OF_RANGE",
  "CARD_ALREADY_CLOSED",
  "CARD_NOT_MUTABLE",
  "CONFLICT",
  "DATA_MISMATCH",
  "EXPIRED",
  "FORBIDDEN",
  "INCOMPLETE",
  "INSUFFICIENT_FUNDS",
  "INVALID_AMOUNT",
  "INVALID_BANK_ACCOUNT",
  "INVALID_INPUT",
  "INVALID_STATE_TRANSITION",
  "INVITATION_ALREADY_CLAIMED",
  "INVITATION_CANCELLED",
  "LOW_QUALITY",
  "QUOTE_REQUEST_FAILED",
  "SCA_SESSION_REQUIRED",
  "SUSPECTED_FRAUD",
  "TRANSACTION_NOT_CANCELLABLE",
  "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
  "UNSUITABLE_DOCUMENT",
  "WEBHOOK_ENDPOINT_NOT_SET",
]

/** Error codes that a request which a wallet signs may be refused with in addition. */
const signedRefusals = [
  "EMAIL_OTP_CREDENTIAL_SET_CHANGED",
  "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
  "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
  "RATE_LIMITED",
  "REQUEST_ID_MISSING",
  "SMS_OTP_CREDENTIAL_ALREADY_EXISTS",
  "UNAUTHORIZED",
  "WALLET_SIGNATURE_BODY_MISMATCH",
  "WALLET_SIGNATURE_INVALID",
  "WALLET_SIGNATURE_MALFORMED",
  "WALLET_SIGNATURE_MISSING",
]

const isSigned = (path: string): boolean =>
  /^\/(?:auth|internal-accounts|customers)\/|^\/quotes\/[^/]+\/execute$/u.test(path)

/** Credentials and sessions end: by a deletion, and a session by time. */
const mayEnd = (path: string): boolean => /^\/auth\/(?:credentials|sessions)\//u.test(path)

export const client = (pay: Pay, random: Randomness, answers: Answers, name: string): Client => {
  let names = 0
  const asked: Array<readonly [key: string, path: string, options: Send]> = []

  const checked = (path: string, reply: Reply): Reply => {
    const code = String(bodyOf(reply)["code"])
    if (!isDone(reply)) answers.codes.set(code, (answers.codes.get(code) ?? 0) + 1)
    const isGone = reply.status === 404 && (answers.removed.size > 0 || mayEnd(path))
    const isRefused = refusals.includes(code) || (isSigned(path) && signedRefusals.includes(code))
    if (!isDone(reply) && !isGone && !isRefused) answers.problems.push(`${path} was refused: ${code}`)
    return reply
  }

  const send = async (method: string, path: string, options: Send): Promise<Reply | undefined> => {
    answers.requests += 1
    const reply = await pay.send(method, path, options).catch(() => undefined)
    return reply === undefined || reply.status >= 499 ? undefined : checked(path, reply)
  }

  const repeat: Client["repeat"] = async (method, path, options = {}) => {
    for (let lost = 0; lost < triesMax; lost++) {
      const reply = await send(method, path, options)
      if (reply !== undefined) return { reply, lost }
    }
    throw new Error(`${method} ${path} is never answered`)
  }

  const insist: Client["insist"] = async (...request) => (await repeat(...request)).reply

  const under = async (key: string, path: string, options: Send): Promise<Body | undefined> => {
    const reply = await insist("POST", path, {
      ...options,
      headers: { ...options.headers, "idempotency-key": key },
    })
    const { requestId: _, ...body } = bodyOf(reply)
    const answer = `${reply.status} ${JSON.stringify(body)}`
    const before = answers.byKey.get(key)
    if (before !== undefined && before !== answer)
      answers.problems.push(`${key} was answered ${before}, then ${answer}`)
    answers.byKey.set(key, answer)
    if (before === undefined) answers.keyed.set(key, { path, options, storedAt: await pay.wallNow() })
    return isDone(reply) ? body : undefined
  }

  const newName = () => `${name}-${names++}`
  return {
    pay,
    random,
    answers,
    insist,
    repeat,
    once: send,
    keyed: (path, options) => {
      const key = newName()
      asked.push([key, path, options])
      return under(key, path, options)
    },
    again: async () => {
      const one = asked[random.below(Math.max(1, asked.length))]
      return one && under(...one)
    },
    under,
    name: newName,
  }
}

/** A random element; `undefined` if there is none. */
export const anyOf = <A>(random: Randomness, known: Iterable<A>): A | undefined => {
  const all = [...known]
  return all[random.below(Math.max(1, all.length))]
}

/** An action of a client and its relative frequency. `run` returns whether it succeeded, or `undefined` if it had no target. */
export interface ClientAction {
  readonly weight: number
  readonly run: (client: Client) => Promise<boolean | undefined>
}
export type ClientActions = { readonly [name: string]: ClientAction }
