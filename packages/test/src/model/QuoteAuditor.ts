/**
 * Watches a history of quotes from outside: the records, the books and the webhooks. It knows nothing of the rules' code; it only
 * checks what must hold whatever happened.
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
  /** The creation's answer, but for its status. */
  readonly terms: object
}

/** What may lie between two looks at one quote. */
const mayBecome: { readonly [from: string]: ReadonlyArray<string> } = {
  PENDING: ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"],
  PROCESSING: ["PROCESSING", "COMPLETED", "FAILED"],
  COMPLETED: ["COMPLETED", "FAILED"],
  FAILED: ["FAILED"],
  EXPIRED: ["EXPIRED"],
}

/** With its quotes in one order, whichever was made first. */
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
  /** Where the service may be: what was done at once may have happened in several orders that nobody can tell apart yet. */
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

  /** Takes what was answered at once: as it would have been in some order. */
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
    expect(states.length, `no order of these has these answers: ${JSON.stringify(all)}`).toBeGreaterThan(0)
    this.#states = [...new Map(states.map((state) => [JSON.stringify(sorted(state)), state])).values()]
  }

  /** The service is where the model is: balances, states, and in the end what was told. */
  async #checkModel(isLast: boolean) {
    const pay = this.#pay
    const [usd, eur, btc] = await Promise.all((["USD", "EUR", "BTC"] as const).map((code) => pay.balances(code)))
    const seen = {
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
    const fitting = this.#states.filter((state) => JSON.stringify(shown(state)) === JSON.stringify(seen))
    const [first] = this.#states
    if (fitting.length === 0 && first !== undefined) expect(seen).toEqual(shown(first))
    expect(fitting.length).toBeGreaterThan(0)
    this.#states = fitting
  }

  /** A payer's money was taken: once, and no more than once. */
  sent(id: string, amount: number) {
    expect(this.#sent.has(id)).toBe(false)
    this.#sent.set(id, amount)
  }

  /** A quote was answered. */
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

  /** The latest quote, or one so many before it. */
  at(index: number): QuoteRecord | undefined {
    return this.#quotes.length === 0 ? undefined : this.#quotes[this.#quotes.length - 1 - (index % this.#quotes.length)]
  }

  /** What holds after every step: the books, the shown balances, and quotes in step with their transactions. */
  async check(isLast = false) {
    const pay = this.#pay
    const books = await pay.books()
    expect(bookProblems(books)).toEqual([])
    const account = await pay.accountId("USD")
    const available = books.find(({ id }) => id === `available:${account}`)?.balance ?? 0
    expect(await pay.balances("USD")).toEqual([available, available])
    for (const { id, terms, transactionId } of this.#quotes) {
      // What has failed or expired stays so: it is looked at once more in the end.
      if (!isLast && ["EXPIRED", "FAILED"].includes(this.#status.get(id) ?? "")) continue
      const quote = await pay.getQuote(id)
      const status = String(at(quote, "status"))
      expect(quote.body, id).toEqual({ ...terms, status })
      const known = this.#status.get(id)
      if (known !== undefined) expect(mayBecome[known], id).toContain(status)
      this.#status.set(id, status)
      const transaction = await pay.send("GET", `/transactions/${transactionId}`)
      // The end that time brings is read of the quote before it is written.
      if (status !== "EXPIRED") expect(at(transaction, "status"), id).toBe(status)
    }
    await this.#checkModel(isLast)
  }

  /** What one quote took from the prefunded account in the end. */
  #took({ isPrefunded, sending }: QuoteRecord, events: string): number {
    return isPrefunded && events.includes("PROCESSING") && !events.includes("REFUND_COMPLETED") ? sending : 0
  }

  /** What holds when all work is done: every payment ended once, by an allowed sequence, and the money is where it says. */
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
      expected -= this.#took(quote, events)
      // A payer is asked to pay once, and a wrong amount completes nothing.
      const sent = this.#sent.get(id)
      if (sent !== undefined && sent !== sending) expect(at(reply, "failureReason")).toBe("FUNDING_AMOUNT_MISMATCH")
    }
    const balance = (role: string) => sum(books.filter(({ id }) => id.startsWith(role)).map((book) => book.balance))
    expect([balance("held:"), balance("transit:")]).toEqual([0, 0])
    expect((await pay.balances("USD"))[0]).toBe(expected)
    expect((await pay.balances("EUR"))[0]).toBe(received)
    expect(balance("unapplied:")).toBeGreaterThanOrEqual(stranded)
    // No rounding made the service pay: what it earned is never negative.
    expect(balance("service-fee:")).toBeGreaterThanOrEqual(0)
  }
}
