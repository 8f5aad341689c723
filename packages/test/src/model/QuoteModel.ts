/**
 * A model of quotes, their prices and the balances behind them that predicts every response. It is written from the
 * specification and the decisions, not from the code, with plain data and loops only.
 * Source: wire contract 5.3, 5.5, 5.7, 7.1, 7.4 and 11 (39, 49, 51); D-122, D-123, D-128, D-130.
 */

export type Currency = "USD" | "EUR" | "MXN" | "BTC"
type Status = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED"

interface ModelJob {
  readonly asks: "pull" | "push" | "confirm" | "refund" | "cancel"
  readonly due: number
}

interface ModelQuote {
  /** The source of the money: the balance, a pull from an external account with the suffix `pulled`, or a payer. */
  readonly source: "ACCOUNT" | "PULL" | "PAYER"
  readonly pulled: string
  readonly from: Currency
  readonly to: Currency
  /** The suffix of the external destination; `undefined` if the destination is the customer's own account. */
  readonly suffix: string | undefined
  readonly sending: number
  readonly receiving: number
  readonly expiresAt: number
  status: Status
  isFunded: boolean
  pulledAt: number | undefined
  pushedAt: number | undefined
  isCancelled: boolean
  refund: "PENDING" | "COMPLETED" | "FAILED" | undefined
  refundedFrom: number
  events: Array<string>
  jobs: Array<ModelJob>
}

/** The state as plain data; it is cloned to try a call. */
export interface QuoteState {
  now: number
  readonly balances: Record<"USD" | "EUR" | "BTC", number>
  readonly quotes: Record<string, ModelQuote>
}

/** A call whose response the model predicts: a new quote, its execution, a payer's money, or a cancellation. */
export type Call =
  | {
      readonly _tag: "Quote"
      readonly source: "ACCOUNT" | "PULL" | "USD" | "BTC"
      readonly pulled: string
      readonly to: "EUR" | "MXN" | "USD"
      readonly suffix: string
      readonly side: "SENDING" | "RECEIVING"
      readonly amount: number
      readonly isExecuted: boolean
    }
  | { readonly _tag: "Execute"; readonly id: string }
  | { readonly _tag: "Send"; readonly id: string; readonly amount: number }
  | { readonly _tag: "Cancel"; readonly id: string }

/** The response to a call: an error code, or the resulting state; for a quote with its id and price. */
export interface Answer {
  readonly code?: string
  readonly id?: string
  readonly status?: string
  readonly sending?: number
  readonly receiving?: number
  readonly fees?: number
}

const lifeMillis = 300_000
const pullDelayMillis: Readonly<Record<string, number>> = { "005": 30_000 }
const pushDelayMillis: Readonly<Record<string, number>> = { "003": 360_000 }

/** Smallest units received per unit sent, by the sandbox's rates: 0.92, 17.5 and 1/64000 per dollar. */
const units: Readonly<Record<string, readonly [bigint, bigint]>> = {
  "USD EUR": [23n, 25n],
  "USD MXN": [35n, 2n],
  "USD USD": [1n, 1n],
  "BTC EUR": [184n, 3125n],
  "BTC MXN": [28n, 25n],
  "BTC USD": [8n, 125n],
}

const up = (top: bigint, bottom: bigint) => (top + bottom - 1n) / bottom

/** Prices a quote. The fee of an exchange is 0.5 %; charges are rounded up, payouts down. */
const priceOf = (from: Currency, to: Currency, side: "SENDING" | "RECEIVING", amount: number) => {
  const [top, bottom] = units[`${from} ${to}`] ?? [0n, 1n]
  const bps = from === to ? 0n : 50n
  const fixed = BigInt(amount)
  const sending = side === "SENDING" ? fixed : up(fixed * bottom * 10_000n, top * (10_000n - bps))
  const fee = side === "SENDING" ? up(fixed * bps, 10_000n) : sending - up(fixed * bottom, top)
  const receiving = side === "SENDING" ? ((fixed - fee) * top) / bottom : fixed
  return { sending: Number(sending), receiving: Number(receiving), fees: Number(fee) }
}

const need = <A>(found: A | undefined): A => {
  if (found === undefined) throw new Error("the model has no such record")
  return found
}

const become = (quote: ModelQuote, status: Status) => {
  quote.status = status
  quote.events.push(status)
}

/** Returns the status with expiry applied. */
export const statusOf = ({ now }: QuoteState, { expiresAt, status }: ModelQuote): Status =>
  status === "PENDING" && now >= expiresAt ? "EXPIRED" : status

/** Returns money: to the balance that paid, crypto to the customer's account of its currency, other money to its sender. */
const giveBack = ({ balances }: QuoteState, { from, source }: ModelQuote, amount: number) => {
  if (source === "ACCOUNT") balances.USD += amount
  else if (from === "BTC") balances.BTC += amount
}

const refunded = (state: QuoteState, quote: ModelQuote) => {
  const isBack = quote.suffix !== "007"
  quote.refund = isBack ? "COMPLETED" : "FAILED"
  quote.events.push(isBack ? "REFUND_COMPLETED" : "REFUND_FAILED")
  if (isBack) giveBack(state, quote, quote.sending)
  if (quote.status === "PROCESSING") become(quote, isBack ? "COMPLETED" : "FAILED")
}

const refund = (state: QuoteState, quote: ModelQuote) => {
  quote.refund = "PENDING"
  quote.refundedFrom = state.now
  quote.events.push("REFUND_PENDING")
  quote.jobs.push({ asks: "refund", due: state.now })
}

/** Whether the outcome of the rail is still unknown. */
const isOpen = ({ isFunded, refund: back, status }: ModelQuote) =>
  isFunded && back === undefined && status === "PROCESSING"

const deliver = (state: QuoteState, quote: ModelQuote) => {
  become(quote, "COMPLETED")
  if (quote.suffix === undefined && quote.to === "EUR") state.balances.EUR += quote.receiving
  if (quote.suffix === "005") quote.jobs.push({ asks: "confirm", due: state.now + 1000 })
}

const fail = (state: QuoteState, quote: ModelQuote) => {
  become(quote, "FAILED")
  refund(state, quote)
}

const push = (state: QuoteState, quote: ModelQuote) => {
  if (!isOpen(quote)) return
  const { suffix } = quote
  if (suffix === undefined) return deliver(state, quote)
  quote.pushedAt ??= state.now
  const at = quote.pushedAt + (pushDelayMillis[suffix] ?? 0)
  if (state.now < at) return void quote.jobs.push({ asks: "push", due: at })
  if (suffix === "006") return refund(state, quote)
  return ["002", "004", "007"].includes(suffix) ? fail(state, quote) : deliver(state, quote)
}

const pull = (state: QuoteState, quote: ModelQuote) => {
  quote.pulledAt ??= state.now
  const at = quote.pulledAt + (pullDelayMillis[quote.pulled] ?? 0)
  if (state.now < at) return void quote.jobs.push({ asks: "pull", due: at })
  if (quote.pulled !== "000") return become(quote, "FAILED")
  quote.isFunded = true
  quote.jobs.push({ asks: "push", due: state.now })
}

const work = (state: QuoteState, quote: ModelQuote, { asks }: ModelJob) => {
  switch (asks) {
    case "pull":
      return pull(state, quote)
    case "push":
      return push(state, quote)
    case "confirm":
      return fail(state, quote)
    case "cancel": {
      const delay = pushDelayMillis[quote.suffix ?? ""] ?? 0
      return isOpen(quote) && state.now < (quote.pushedAt ?? 0) + delay ? refund(state, quote) : undefined
    }
    case "refund": {
      const at = quote.refundedFrom + 1000
      if (state.now < at) quote.jobs.push({ asks: "refund", due: at })
      else refunded(state, quote)
    }
  }
}

/** Runs all jobs that are due now. */
export const settle = (state: QuoteState): void => {
  for (let isDue = true; isDue; ) {
    isDue = false
    for (const quote of Object.values(state.quotes)) {
      if (statusOf(state, quote) !== quote.status) become(quote, "EXPIRED")
      const due = quote.jobs.filter((job) => job.due <= state.now)
      quote.jobs = quote.jobs.filter((job) => job.due > state.now)
      for (const job of due) work(state, quote, job)
      isDue ||= due.length > 0
    }
  }
}

/** Advances the time, from one due time to the next. */
export const advance = (state: QuoteState, millis: number): void => {
  const end = state.now + millis
  for (;;) {
    settle(state)
    const next = Math.min(...Object.values(state.quotes).flatMap(({ jobs }) => jobs.map(({ due }) => due)))
    if (next > end) break
    state.now = next
  }
  state.now = end
  settle(state)
}

const start = (state: QuoteState, quote: ModelQuote) => {
  become(quote, "PROCESSING")
  quote.isFunded = quote.source !== "PULL"
  if (quote.source === "ACCOUNT") state.balances.USD -= quote.sending
  quote.jobs.push({ asks: quote.source === "PULL" ? "pull" : "push", due: state.now })
}

const ask = (state: QuoteState, call: Extract<Call, { readonly _tag: "Quote" }>, { id = "none" }: Answer): Answer => {
  const { amount, isExecuted, pulled, side, suffix, to } = call
  const source = call.source === "ACCOUNT" || call.source === "PULL" ? call.source : "PAYER"
  const from = call.source === "BTC" ? "BTC" : "USD"
  if (amount < 1) return { code: "INVALID_AMOUNT" }
  if (source === "PULL" && to === "USD" && pulled === suffix) return { code: "SELF_PAYMENT" }
  const price = priceOf(from, to, side, amount)
  if (price.receiving < 1) return { code: "AMOUNT_OUT_OF_RANGE" }
  if (isExecuted && source === "ACCOUNT" && state.balances.USD < price.sending) return { code: "INVALID_INPUT" }
  const quote: ModelQuote = {
    source,
    pulled,
    from,
    to,
    suffix: to === "EUR" ? undefined : suffix,
    sending: price.sending,
    receiving: price.receiving,
    expiresAt: state.now + lifeMillis,
    status: "PENDING",
    isFunded: false,
    pulledAt: undefined,
    pushedAt: undefined,
    isCancelled: false,
    refund: undefined,
    refundedFrom: 0,
    events: ["PENDING"],
    jobs: [],
  }
  if (isExecuted && source !== "PAYER") start(state, quote)
  state.quotes[id] = quote
  return { id, status: quote.status, ...price }
}

const execute = (state: QuoteState, quote: ModelQuote): Answer => {
  if (quote.source === "PAYER") return { code: "INVALID_INPUT" }
  if (statusOf(state, quote) !== "PENDING") return { code: "CONFLICT" }
  if (quote.source === "ACCOUNT" && state.balances.USD < quote.sending) return { code: "INVALID_INPUT" }
  start(state, quote)
  return { status: quote.status }
}

const send = (state: QuoteState, quote: ModelQuote, amount: number): Answer => {
  if (quote.source !== "PAYER" || statusOf(state, quote) !== "PENDING") return { code: "INVALID_INPUT" }
  if (amount === quote.sending) start(state, quote)
  else {
    become(quote, "PROCESSING")
    become(quote, "FAILED")
    quote.refund = "COMPLETED"
    quote.events.push("REFUND_PENDING", "REFUND_COMPLETED")
    giveBack(state, quote, amount)
  }
  return { status: quote.status }
}

/** Cancels a quote. Only a payout on a rail that supports cancellation can be cancelled: dollars by ACH. */
const cancel = (state: QuoteState, quote: ModelQuote): Answer => {
  if (quote.to !== "USD" || !isOpen(quote)) return { code: "TRANSACTION_NOT_CANCELLABLE" }
  if (!quote.isCancelled) {
    quote.isCancelled = true
    if (quote.pushedAt !== undefined) quote.jobs.push({ asks: "cancel", due: state.now })
    else {
      // The payout was not submitted to a rail, so the refund completes at once.
      quote.events.push("REFUND_PENDING", "REFUND_COMPLETED")
      quote.refund = "COMPLETED"
      giveBack(state, quote, quote.sending)
      become(quote, "COMPLETED")
    }
  }
  return { status: quote.status }
}

/** Applies a call to the state and returns its response. A quote gets the id of the actual response. */
export const apply = (state: QuoteState, call: Call, actual: Answer): Answer => {
  switch (call._tag) {
    case "Quote":
      return ask(state, call, actual)
    case "Execute":
      return execute(state, need(state.quotes[call.id]))
    case "Send":
      return send(state, need(state.quotes[call.id]), call.amount)
    case "Cancel":
      return cancel(state, need(state.quotes[call.id]))
  }
}
