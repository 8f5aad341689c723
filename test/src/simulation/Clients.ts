/**
 * The clients of a simulated run. Each asks until it is answered, with the same key, as a careful client does; what was answered is kept for
 * the auditor.
 */
import type { AgentParts, Harness, Reply, Send } from "@countersign/test"
import type { Chance } from "./Chance.ts"

type Pay = Harness & AgentParts

const triesMax = 400

/** What every client was answered. */
export interface Answers {
  /** Of each key, the identifier that its answer named; `null`: it was refused. */
  readonly byKey: Map<string, string | null>
  readonly actions: Array<string>
  readonly transactions: Array<string>
  requests: number
  /** Answers that may not be. */
  readonly problems: Array<string>
}

export const noAnswers = (): Answers => ({ byKey: new Map(), actions: [], transactions: [], requests: 0, problems: [] })

/** Asks again whenever the connection breaks or the service cannot answer. */
const insist = async (pay: Pay, answers: Answers, method: string, path: string, options: Send): Promise<Reply> => {
  for (let left = triesMax; left > 0; left--) {
    answers.requests += 1
    const reply = await pay.send(method, path, options).catch(() => undefined)
    if (reply !== undefined && reply.status < 499) return reply
  }
  throw new Error(`${method} ${path} is never answered`)
}

interface Identified {
  readonly id: string
  readonly code?: string
}

const keyed = async (pay: Pay, answers: Answers, key: string, path: string, options: Send): Promise<string | null> => {
  const reply = await insist(pay, answers, "POST", path, { ...options, headers: { "idempotency-key": key } })
  const { code, id } = reply.body as Identified
  const answer = reply.status < 300 ? id : null
  const before = answers.byKey.get(key)
  if (before !== undefined && before !== answer) answers.problems.push(`${key} was answered ${before}, then ${answer}`)
  answers.byKey.set(key, answer)
  if (answer === null && !refusals.includes(code ?? "")) answers.problems.push(`${path} was refused: ${code}`)
  return answer
}

/** What money may be refused with, whatever a client tries. */
const refusals = [
  "AGENT_PAUSED",
  "AGENT_SPENDING_LIMIT_EXCEEDED",
  "AGENT_TRANSACTION_LIMIT_EXCEEDED",
  "CONFLICT",
  "FORBIDDEN",
  "INVALID_AMOUNT",
  "INSUFFICIENT_FUNDS",
  "INVALID_INPUT",
]

const of = (luck: Chance, known: ReadonlyArray<string>): string | undefined =>
  known[luck.below(Math.max(1, known.length))]

/** One client's life: so many requests, each drawn by its own chance. */
export const live = async (pay: Pay, luck: Chance, answers: Answers, name: string, steps: number): Promise<void> => {
  const suffixes: readonly [string, ...ReadonlyArray<string>] = ["000", "000", "002", "004", "005"]
  const source = () => pay.sources[luck.pick(suffixes)] ?? ""
  const remember = (list: Array<string>, id: string | null) => {
    if (id !== null && !list.includes(id)) list.push(id)
  }
  const asks: Array<readonly [key: string, path: string, options: Send, list: Array<string>]> = []
  const ask = async (path: string, options: Send, list: Array<string>) => {
    const key = `${name}-${asks.length}`
    asks.push([key, path, options, list])
    remember(list, await keyed(pay, answers, key, path, options))
  }
  const money = () => luck.below(2500)

  const deeds: ReadonlyArray<() => Promise<unknown>> = [
    () =>
      ask(
        "/agents/me/transfer-in",
        {
          as: { token: pay.accessToken },
          body: { source: { accountId: source() }, destination: { accountId: pay.accountId }, amount: money() },
        },
        answers.actions,
      ),
    () =>
      ask(
        "/transfer-in",
        { body: { source: { accountId: source() }, destination: { accountId: pay.accountId }, amount: money() } },
        answers.transactions,
      ),
    () =>
      ask(
        "/transfer-out",
        {
          body: {
            source: { accountId: pay.accountId },
            destination: { accountId: source() },
            ...(luck.once(6) ? {} : { amount: money() }),
            paymentRail: luck.pick(["ACH", "WIRE", "RTP"]),
          },
        },
        answers.transactions,
      ),
    async () => {
      const actionId = of(luck, answers.actions)
      if (actionId === undefined) return
      const verdict = luck.once(3) ? "reject" : "approve"
      await insist(pay, answers, "POST", `/agents/${pay.agentId}/actions/${actionId}/${verdict}`, { body: {} })
    },
    async () => {
      const transactionId = of(luck, answers.transactions)
      if (transactionId !== undefined)
        await insist(pay, answers, "POST", `/transactions/${transactionId}/cancel`, { body: {} })
    },
    // The answer was lost on the client's side: it asks again much later.
    async () => {
      const asked = asks[luck.below(Math.max(1, asks.length))]
      if (asked !== undefined) remember(asked[3], await keyed(pay, answers, asked[0], asked[1], asked[2]))
    },
    () =>
      insist(pay, answers, "PATCH", `/agents/${pay.agentId}/policy`, {
        body: { spendingLimits: { dailyLimit: 2000 + luck.below(6000), perTransactionLimit: 2500 } },
      }),
    () => insist(pay, answers, "PATCH", `/agents/${pay.agentId}`, { body: { isPaused: luck.once(3) } }),
  ]
  const weights = [6, 4, 5, 4, 2, 3, 1, 1]
  const bag = deeds.flatMap((deed, index) => Array.from({ length: weights[index] ?? 1 }, () => deed))
  for (let step = 0; step < steps; step++) await bag[luck.below(bag.length)]?.()
}
