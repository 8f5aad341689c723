/**
 * Audits a history of quotes: it compares responses, records, ledger and webhooks with the model, and checks invariants. It
 * does not use the code of the rules.
 * Source: wire contract 5.5 and 5.7 (event sequences); D-122.
 */
import { expect } from "../harness/Expect.ts"
import { at, type QuoteHarness } from "../harness/QuoteHarness.ts"
import { permutations, quoteSequences, sum } from "./Auditing.ts"
import { bookProblems } from "./Books.ts"
import * as QuoteModel from "./QuoteModel.ts"

export interface Answered {
  readonly call: QuoteModel.Call
  readonly answer: QuoteModel.Answer
}

interface QuoteRecord {
  readonly id: string
  readonly transactionId: string
  readonly currency: string
  readonly sending: number
  readonly receiving: number
  readonly isPrefunded: boolean
  /** The response to the creation without its status. */
  readonly terms: object
}

/** The states that a quote may have at the next observation. */
const quoteTransitions: { readonly [from: string]: ReadonlyArray<string> } = {
  PENDING: ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"],
  PROCESSING: ["PROCESSING", "COMPLETED", "FAILED"],
  COMPLETED: ["COMPLETED", "FAILED"],
  FAILED: ["FAILED"],
  EXPIRED: ["EXPIRED"],
}

/** Sorts the quotes by id, so that equal states have equal JSON. */
const sorted = (state: QuoteModel.QuoteState) => ({
  ...state,
  quotes: Object.entries(state.quotes).toSorted(([a], [b]) => a.localeCompare(b)),
})

export class QuoteAuditor {
  readonly #pay: QuoteHarness
  readonly #quotes: Array<QuoteRecord> = []
  readonly #status = new Map<string, string>()
  readonly #sent = new Map<string, number>()
  #funded = 0
  /** The possible states of the service: concurrent calls may have run in several orders that cannot be distinguished yet. */
  #states: ReadonlyArray<QuoteModel.QuoteState>

  private constructor(pay: QuoteHarness, now: number) {
    this.#pay = pay
    this.#states = [{ now, balances: { USD: 0, EUR: 0, BTC: 0 }, quotes: {} }]
  }

  static async make(pay: QuoteHarness): Promise<QuoteAuditor> {
    return new QuoteAuditor(pay, await pay.clock.now())
  }

  funded(amount: number) {
    this.#funded += amount
    for (const { balances } of this.#states) balances.USD += amount
  }

  advanced(millis: number) {
    for (const state of this.#states) QuoteModel.advance(state, millis)
  }

  settled() {
    for (const state of this.#states) QuoteModel.settle(state)
  }

  /** Applies concurrent calls to the model: keeps the states in which some order gives exactly these responses. */
  answered(all: ReadonlyArray<Answered>) {
    const after = (before: QuoteModel.QuoteState, order: ReadonlyArray<Answered>) => {
      const state = structuredClone(before)
      const isSame = order.every(({ answer, call }) => {
        const expected = QuoteModel.apply(state, call, answer)
        const names = ["code", "id", "status", "sending", "receiving", "fees"] as const
        return names.every((name) => expected[name] === answer[name])
      })
      return isSame ? [state] : []
    }
    const states = this.#states.flatMap((before) => permutations(all).flatMap((order) => after(before, order)))
    expect(
      states.length,
      `the model gives these responses in no order of the calls: ${JSON.stringify(all)}`,
    ).toBeGreaterThan(0)
    this.#states = [...new Map(states.map((state) => [JSON.stringify(sorted(state)), state])).values()]
  }

  /** Checks that the service has a state of the model: balances, states, and finally the events. */
  async #checkModel(isLast: boolean) {
    const pay = this.#pay
    const [usd, eur, btc] = await Promise.all((["USD", "EUR", "BTC"] as const).map((code) => pay.balances(code)))
    const actual = {
      balances: { USD: usd?.[0], EUR: eur?.[0], BTC: btc?.[0] },
      quotes: this.#quotes.map(({ id, transactionId }) => [
        id,
        this.#status.get(id),
        isLast ? pay.eventNames(transactionId).join(" ") : "",
      ]),
    }
    const shown = (state: QuoteModel.QuoteState) => ({
      balances: state.balances,
      quotes: this.#quotes.map(({ id }) => {
        const quote = state.quotes[id]
        return [id, quote && QuoteModel.statusOf(state, quote), isLast ? (quote?.events.join(" ") ?? "") : ""]
      }),
    })
    const matching = this.#states.filter((state) => JSON.stringify(shown(state)) === JSON.stringify(actual))
    const [first] = this.#states
    if (matching.length === 0 && first !== undefined) expect(actual).toEqual(shown(first))
    expect(matching.length).toBeGreaterThan(0)
    this.#states = matching
  }

  /** Records that a payer funded a quote, which must happen at most once. */
  sent(id: string, amount: number) {
    expect(this.#sent.has(id)).toBe(false)
    this.#sent.set(id, amount)
  }

  /** Records a created quote. */
  quoteCreated(body: unknown) {
    const text = (...path: ReadonlyArray<string>) => String(at({ body }, ...path))
    const { status: _status, ...terms } = body as { readonly status: string }
    const known: QuoteRecord = {
      id: text("id"),
      transactionId: text("transactionId"),
      currency: text("sendingCurrency", "code"),
      sending: Number(text("totalSendingAmount")),
      receiving: Number(text("totalReceivingAmount")),
      isPrefunded: text("source", "accountId").startsWith("InternalAccount:"),
      terms,
    }
    expect(this.#quotes.map(({ id }) => id)).not.toContain(known.id)
    this.#quotes.push(known)
  }

  /** Returns a quote by its distance from the latest one. */
  at(index: number): QuoteRecord | undefined {
    return this.#quotes.length === 0 ? undefined : this.#quotes[this.#quotes.length - 1 - (index % this.#quotes.length)]
  }

  /** Checks after every step the ledger, the balances, and that each quote agrees with its transaction. */
  async check(isLast = false) {
    const pay = this.#pay
    const books = await pay.books()
    expect(bookProblems(books)).toEqual([])
    const account = await pay.accountId("USD")
    const available = books.find(({ id }) => id === `available:${account}`)?.balance ?? 0
    expect(await pay.balances("USD")).toEqual([available, available])
    for (const { id, terms, transactionId } of this.#quotes) {
      // FAILED and EXPIRED are final, so these quotes are read once more only at the end.
      if (!isLast && ["EXPIRED", "FAILED"].includes(this.#status.get(id) ?? "")) continue
      const quote = await pay.getQuote(id)
      const status = String(at(quote, "status"))
      expect(quote.body, id).toEqual({ ...terms, status })
      const known = this.#status.get(id)
      if (known !== undefined) expect(quoteTransitions[known], id).toContain(status)
      this.#status.set(id, status)
      const transaction = await pay.send("GET", `/transactions/${transactionId}`)
      // A quote past its expiry reads EXPIRED before its transaction is updated.
      if (status !== "EXPIRED") expect(at(transaction, "status"), id).toBe(status)
    }
    await this.#checkModel(isLast)
  }

  /** Returns the net amount that a quote debited from the prefunded account. */
  #debited({ isPrefunded, sending }: QuoteRecord, events: string): number {
    return isPrefunded && events.includes("PROCESSING") && !events.includes("REFUND_COMPLETED") ? sending : 0
  }

  /** Checks the final state: each payment ended once, by an allowed sequence of events, and the ledger agrees with it. */
  async checkEnd() {
    await this.check(true)
    const pay = this.#pay
    const books = await pay.books()
    let expected = this.#funded
    let received = 0
    let stranded = 0
    for (const quote of this.#quotes) {
      const { id, isPrefunded, receiving, sending, transactionId } = quote
      const status = this.#status.get(id) ?? ""
      const events = pay.eventNames(transactionId).join(" ")
      expect(quoteSequences[status], `${id} ${status}`).toContain(events)
      const reply = await pay.send("GET", `/transactions/${transactionId}`)
      expect(at(reply, "status")).toBe(status)
      expect(pay.inbox.received.findLast(({ data }) => data["id"] === transactionId)?.data).toEqual(reply.body)
      const own = books.flatMap(({ currency, entries }) =>
        entries.filter(({ reference }) => reference === transactionId).map((entry) => ({ ...entry, currency })),
      )
      for (const entries of Map.groupBy(own, ({ currency }) => currency).values()) {
        expect(sum(entries.map(({ amount }) => amount))).toBe(0)
      }
      if (!events.includes("PROCESSING")) expect(own).toEqual([])
      const isKept = status === "COMPLETED" && !events.includes("REFUND")
      if (isKept && at(reply, "receivedAmount", "currency", "code") === "EUR") received += receiving
      if (events.endsWith("REFUND_FAILED")) stranded += isPrefunded ? sending : 0
      expected -= this.#debited(quote, events)
      // A payment of a wrong amount fails the quote.
      const sent = this.#sent.get(id)
      if (sent !== undefined && sent !== sending) expect(at(reply, "failureReason")).toBe("FUNDING_AMOUNT_MISMATCH")
    }
    const balance = (role: string) => sum(books.filter(({ id }) => id.startsWith(role)).map((book) => book.balance))
    expect([balance("held:"), balance("transit:")]).toEqual([0, 0])
    expect((await pay.balances("USD"))[0]).toBe(expected)
    expect((await pay.balances("EUR"))[0]).toBe(received)
    expect(balance("unapplied:")).toBeGreaterThanOrEqual(stranded)
    // Rounding never costs the service money: its fees are not negative.
    expect(balance("service-fee:")).toBeGreaterThanOrEqual(0)
  }
}
