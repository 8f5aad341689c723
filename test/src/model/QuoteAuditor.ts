/**
 * Watches a history of quotes from outside: the records, the books and the webhooks. It knows nothing of the rules' code; it only
 * checks what must hold whatever happened.
 * Source: wire contract 5.5 and 5.7 (event sequences); D-122.
 */
import { expect } from "vitest"
import { at, type QuoteHarness } from "../harness/QuoteHarness.ts"

interface Known {
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

const back = "REFUND_PENDING REFUND_COMPLETED"

/** Every sequence of events that a quote's transaction may have in the end. */
const sequences: { readonly [end: string]: ReadonlyArray<string> } = {
  EXPIRED: ["PENDING EXPIRED"],
  COMPLETED: ["PENDING PROCESSING COMPLETED", `PENDING PROCESSING ${back} COMPLETED`],
  FAILED: [
    "PENDING PROCESSING FAILED",
    `PENDING PROCESSING FAILED ${back}`,
    "PENDING PROCESSING FAILED REFUND_PENDING REFUND_FAILED",
    `PENDING PROCESSING COMPLETED FAILED ${back}`,
  ],
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

export class QuoteAuditor {
  readonly #pay: QuoteHarness
  readonly #quotes: Array<Known> = []
  readonly #status = new Map<string, string>()
  readonly #sent = new Map<string, number>()
  #funded = 0

  constructor(pay: QuoteHarness) {
    this.#pay = pay
  }

  funded(amount: number) {
    this.#funded += amount
  }

  /** A payer's money was taken: once, and no more than once. */
  sent(id: string, amount: number) {
    expect(this.#sent.has(id)).toBe(false)
    this.#sent.set(id, amount)
  }

  /** A quote was answered. */
  began(body: unknown) {
    const text = (...path: ReadonlyArray<string>) => String(at({ body }, ...path))
    const { status: _status, ...terms } = body as { readonly status: string }
    const known: Known = {
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
  at(index: number): Known | undefined {
    return this.#quotes.length === 0 ? undefined : this.#quotes[this.#quotes.length - 1 - (index % this.#quotes.length)]
  }

  /** What holds after every step: the books, the shown balances, and quotes in step with their transactions. */
  async check(isLast = false) {
    const pay = this.#pay
    await pay.checkBooks()
    const books = await pay.books()
    for (const { balance, entries, id } of books) {
      expect(balance, id).toBe(sum(entries.map(({ amount }) => amount)))
    }
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
  }

  /** What one quote took from the prefunded account in the end. */
  #took({ isPrefunded, sending }: Known, events: string): number {
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
      const events = pay.told(transactionId).join(" ")
      expect(sequences[status], `${id} ${status}`).toContain(events)
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
