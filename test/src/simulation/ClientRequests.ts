/**
 * How the clients of a simulated run ask. A careful client asks until it is answered, with the same key; what has no key and may not be done
 * twice is asked once, and its client does not know then whether it was done. What was answered is kept for the auditor.
 */
import type { Reply, Send } from "@countersign/test"
import type { Randomness } from "./Randomness.ts"
import type { Pay } from "./World.ts"

const triesMax = 400

/** What was answered to a request that made something. */
export type Body = { readonly [name: string]: unknown }

/** What every client was answered. */
export interface Answers {
  /** Of each key, what was answered, whole. */
  readonly byKey: Map<string, string>
  readonly actions: Set<string>
  readonly transactions: Set<string>
  /** Those of them that a client asked to cancel. */
  readonly cancelled: Set<string>
  /** Those of them that were sent to an address. */
  readonly arrivals: Set<string>
  /** Of each quote, its first answer. */
  readonly quotes: Map<string, Body>
  /** Those of them that an agent asked for. */
  readonly agentQuotes: Set<string>
  /** Of each name that a platform gave to a card, the card. */
  readonly cards: Map<string, string>
  /** Those that were frozen last. */
  readonly frozen: Set<string>
  /** Of each account outside, by its number, the identifier; `null`: it was refused. */
  readonly outside: Map<string, string | null>
  readonly removed: Set<string>
  /** The tokens of authorizations that were approved, and of those that were declined. */
  readonly approved: Set<string>
  readonly declined: Set<string>
  /** How many were asked once and not answered. */
  readonly unknown: { authorizations: number; arrivals: number }
  requests: number
  /** What was done, by name; a refusal has a name of its own. */
  readonly actionCounts: Map<string, number>
  /** Answers that may not be. */
  readonly problems: Array<string>
}

export const noAnswers = (): Answers => ({
  byKey: new Map(),
  actions: new Set(),
  transactions: new Set(),
  cancelled: new Set(),
  arrivals: new Set(),
  quotes: new Map(),
  agentQuotes: new Set(),
  cards: new Map(),
  frozen: new Set(),
  outside: new Map(),
  removed: new Set(),
  approved: new Set(),
  declined: new Set(),
  unknown: { authorizations: 0, arrivals: 0 },
  requests: 0,
  actionCounts: new Map(),
  problems: [],
})

/** One client: its name, its chance, and how it asks. */
export interface Client {
  readonly pay: Pay
  readonly random: Randomness
  readonly answers: Answers
  /** Asks again whenever the connection breaks or the service cannot answer. */
  readonly insist: (method: string, path: string, options?: Send) => Promise<Reply>
  /** Sends once; `undefined` means that the outcome is unknown. */
  readonly once: (method: string, path: string, options: Send) => Promise<Reply | undefined>
  /** Asks under a key of its own until it is answered: what was made, or `undefined` where it was refused. */
  readonly keyed: (path: string, options: Send) => Promise<Body | undefined>
  /** Asks again what was asked before, under its key. */
  readonly again: () => Promise<Body | undefined>
  /** A unique name. */
  readonly name: () => string
}

export const bodyOf = (reply: Reply): Body => (typeof reply.body === "object" ? (reply.body as Body) : {})
export const isDone = ({ status }: Reply): boolean => status < 300

/** What anything may be refused with, whatever a client tries. */
const refusals = [
  "AGENT_PAUSED",
  "AGENT_SPENDING_LIMIT_EXCEEDED",
  "AGENT_TRANSACTION_LIMIT_EXCEEDED",
  "AMOUNT_OUT_OF_RANGE",
  "CARD_ALREADY_CLOSED",
  "CARD_NOT_MUTABLE",
  "CONFLICT",
  "FORBIDDEN",
  "INSUFFICIENT_FUNDS",
  "INVALID_AMOUNT",
  "INVALID_BANK_ACCOUNT",
  "INVALID_INPUT",
  "INVALID_STATE_TRANSITION",
  "QUOTE_REQUEST_FAILED",
  "TRANSACTION_NOT_CANCELLABLE",
  "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
]

export const client = (pay: Pay, random: Randomness, answers: Answers, name: string): Client => {
  let names = 0
  const asked: Array<readonly [key: string, path: string, options: Send]> = []

  const heard = (path: string, reply: Reply): Reply => {
    const code = String(bodyOf(reply)["code"])
    const isGone = reply.status === 404 && answers.removed.size > 0
    if (!isDone(reply) && !isGone && !refusals.includes(code)) answers.problems.push(`${path} was refused: ${code}`)
    return reply
  }

  const send = async (method: string, path: string, options: Send): Promise<Reply | undefined> => {
    answers.requests += 1
    const reply = await pay.send(method, path, options).catch(() => undefined)
    return reply === undefined || reply.status >= 499 ? undefined : heard(path, reply)
  }

  const insist: Client["insist"] = async (method, path, options = {}) => {
    for (let left = triesMax; left > 0; left--) {
      const reply = await send(method, path, options)
      if (reply !== undefined) return reply
    }
    throw new Error(`${method} ${path} is never answered`)
  }

  const under = async (key: string, path: string, options: Send): Promise<Body | undefined> => {
    const reply = await insist("POST", path, { ...options, headers: { "idempotency-key": key } })
    const { requestId: _, ...body } = bodyOf(reply)
    const answer = `${reply.status} ${JSON.stringify(body)}`
    const before = answers.byKey.get(key)
    if (before !== undefined && before !== answer)
      answers.problems.push(`${key} was answered ${before}, then ${answer}`)
    answers.byKey.set(key, answer)
    return isDone(reply) ? body : undefined
  }

  const newName = () => `${name}-${names++}`
  return {
    pay,
    random,
    answers,
    insist,
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
    name: newName,
  }
}

/** Any of them; `undefined`: there are none. */
export const anyOf = <A>(random: Randomness, known: Iterable<A>): A | undefined => {
  const all = [...known]
  return all[random.below(Math.max(1, all.length))]
}

/** What a client can do, by name, and how often it does beside the others. Whether it was done: `undefined`, there was nothing to do it to. */
export interface ClientAction {
  readonly weight: number
  readonly run: (client: Client) => Promise<boolean | undefined>
}
export type ClientActions = { readonly [name: string]: ClientAction }
