/**
 * Watches a history of transfers from outside: the answers, the records, the books and the webhooks, and holds each against the
 * model. What was answered at once must be what the model answers in some order.
 * Source: wire contract 5.7 (event sequences); issue "Books".
 */
import type { Book } from "@countersign/adapter-memory"
import { Customers, ExternalAccounts, InternalAccounts, Transactions } from "@countersign/core"
import type { TransactionResource } from "@countersign/core/models"
import { expect } from "../harness/Expect.ts"
import { eventNames } from "../harness/TransferCalls.ts"
import type { World } from "../harness/World.ts"
import { listAll, permutations, sum } from "./Auditing.ts"
import { bookProblems } from "./Books.ts"
import * as PayModel from "./PayModel.ts"

interface Answered {
  readonly call: PayModel.Call
  readonly answer: PayModel.Answer
}

const customersMax = 3
const infoOf = (currency: PayModel.Currency, suffix: string, number: number) => {
  const beneficiary = {
    beneficiaryType: "INDIVIDUAL" as const,
    fullName: "Ada Lovelace",
    address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "DE" },
  }
  return currency === "USD"
    ? {
        accountType: "USD_ACCOUNT" as const,
        accountNumber: `${number}${suffix}`,
        routingNumber: "021000021",
        beneficiary,
      }
    : { accountType: "EUR_ACCOUNT" as const, iban: `DE8937040044053${number}${suffix}`, beneficiary }
}

export class TransferAuditor {
  readonly #world: World
  /** Where the service may be: what was done at once may have happened in several orders that nobody can tell apart yet. */
  #states: ReadonlyArray<PayModel.PayState>
  readonly #accounts = new Map<string, string>()
  readonly #externals = new Map<string, string>()

  private constructor(world: World, now: number) {
    this.#world = world
    this.#states = [{ now, customers: {}, externals: {}, transfers: {} }]
  }

  /** All of them know the same customers, accounts and transfers. */
  get #state(): PayModel.PayState {
    const [first] = this.#states
    if (first === undefined) throw new Error("the service is nowhere where the model could be")
    return first
  }

  static async make(world: World): Promise<TransferAuditor> {
    const auditor = new TransferAuditor(world, await world.clock.now())
    await auditor.join()
    return auditor
  }

  /** A customer joins, while there are few. */
  async join() {
    if (Object.keys(this.#state.customers).length >= customersMax) return
    const created = Customers.use((all) => all.create({ customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }))
    const { id } = (await this.#world.run(created)).body
    const { data } = await this.#world.run(InternalAccounts.use((all) => all.list({ customerId: id, limit: 100 })))
    for (const { balance, id: accountId } of data) this.#accounts.set(`${id} ${balance.currency.code}`, accountId)
    for (const { customers } of this.#states) customers[id] = PayModel.newCustomer()
  }

  customerAt(index: number): string {
    const ids = Object.keys(this.#state.customers)
    return ids[index % ids.length] ?? ""
  }

  accountOf(customerId: string, currency: PayModel.Currency): string {
    return this.#accounts.get(`${customerId} ${currency}`) ?? ""
  }

  /** The latest transfer, or one so many before it. */
  transferAt(index: number): string | undefined {
    const ids = Object.keys(this.#state.transfers)
    return ids.length === 0 ? undefined : ids[ids.length - 1 - (index % ids.length)]
  }

  /** An account outside, made when it is first wanted; `undefined`: its customer is gone, and it was never made. */
  async external(customerId: string, currency: PayModel.Currency, suffix: string): Promise<string | undefined> {
    const name = `${customerId} ${currency} ${suffix}`
    const known = this.#externals.get(name)
    if (known !== undefined || this.#state.customers[customerId]?.isDeleted === true) return known
    const accountInfo = infoOf(currency, suffix, 1000 + this.#externals.size)
    const { body } = await this.#world.run(
      ExternalAccounts.use((all) => all.create({ customerId, currency, accountInfo })),
    )
    this.#externals.set(name, body.id)
    for (const { externals } of this.#states) externals[body.id] = { customerId, currency, suffix, status: "ACTIVE" }
    return body.id
  }

  advanced(millis: number) {
    for (const state of this.#states) PayModel.advance(state, millis)
  }

  settled() {
    for (const state of this.#states) PayModel.settle(state)
  }

  /** Takes what was answered at once: as it would have been in some order. */
  answered(all: ReadonlyArray<Answered>) {
    const after = (before: PayModel.PayState, order: ReadonlyArray<Answered>) => {
      const state = structuredClone(before)
      const isSame = order.every(({ answer, call }) => {
        const expected = PayModel.apply(state, call, answer)
        return expected.code === answer.code && expected.id === answer.id && expected.amount === answer.amount
      })
      return isSame ? [state] : []
    }
    const states = this.#states.flatMap((before) => permutations(all).flatMap((order) => after(before, order)))
    expect(states.length, `no order of these has these answers: ${JSON.stringify(all)}`).toBeGreaterThan(0)
    this.#states = [...new Map(states.map((state) => [JSON.stringify(state), state])).values()]
  }

  async #transactions(): Promise<ReadonlyArray<TransactionResource>> {
    return listAll((query) => this.#world.run(Transactions.use((all) => all.list({ ...query, sortOrder: "asc" }))))
  }

  /** What the service shows: balances and debts by customer and currency, and the transfers. */
  async #seen(books: ReadonlyArray<Book>) {
    const balances = new Map(books.map(({ balance, id }) => [id, balance]))
    const balance = (id: string) => balances.get(id) ?? 0
    const found = await this.#transactions()
    const isFund = (one: TransactionResource) => one.type === "INCOMING" && one.source.sourceType === "REALTIME_FUNDING"
    return {
      customers: Object.keys(this.#state.customers).map((id) =>
        PayModel.currencies.map((currency) => {
          const accountId = this.accountOf(id, currency)
          const owed = -balance(`receivable:${id}:${currency}`)
          return [balance(`available:${accountId}`), balance(`held:${accountId}`), Math.max(0, owed)]
        }),
      ),
      transfers: found
        .filter((one) => !isFund(one))
        .map((one) => [one.id, one.status, "refund" in one ? (one.refund?.status ?? null) : null])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    }
  }

  /** The same of the model. */
  #shown(state: PayModel.PayState) {
    return {
      customers: Object.values(state.customers).map(({ accounts }) =>
        PayModel.currencies.map((currency) => {
          const { available, held, owed } = accounts[currency]
          return [available, held, owed]
        }),
      ),
      transfers: Object.entries(state.transfers)
        .map(([id, { refund, status }]) => [id, status, refund])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    }
  }

  /** What holds after every step: the service is where the model is, and the books add up. */
  async check() {
    const books = await this.#world.books()
    const seen = await this.#seen(books)
    const fitting = this.#states.filter((state) => JSON.stringify(this.#shown(state)) === JSON.stringify(seen))
    if (fitting.length === 0) expect(seen).toEqual(this.#shown(this.#state))
    this.#states = fitting
    expect(bookProblems(books)).toEqual([])
    for (const book of books) {
      if (book.id.startsWith("receivable:")) expect(book.balance, book.id).toBeLessThanOrEqual(0)
    }
  }

  /** What holds when all work is done: every transfer was told as the model has it, once each and in order, to its last record. */
  async checkEnd() {
    await this.check()
    const books = await this.#world.books()
    const ended = new Map((await this.#transactions()).map((one) => [one.id, one]))
    const heard = new Map(Object.keys(this.#state.transfers).map((id) => [id, eventNames(this.#world, id).join(" ")]))
    const isHeard = (state: PayModel.PayState) =>
      Object.entries(state.transfers).every(([id, { events }]) => events.join(" ") === heard.get(id))
    const eventsOf = (state: PayModel.PayState) =>
      new Map(Object.entries(state.transfers).map(([id, { events }]) => [id, events.join(" ")]))
    if (!this.#states.some(isHeard)) expect(heard).toEqual(eventsOf(this.#state))
    for (const [id, { refund, status }] of Object.entries(this.#state.transfers)) {
      const last = this.#world.inbox.received.findLast((event) => event.data["id"] === id)
      expect(last?.data).toEqual(ended.get(id))
      expect([status, refund]).not.toContain("PENDING")
      const own = books.flatMap((book) => book.entries.filter((entry) => entry.reference === id))
      expect(sum(own.map((entry) => entry.amount))).toBe(0)
    }
    const balance = (role: string) => sum(books.filter(({ id }) => id.startsWith(role)).map((book) => book.balance))
    expect([balance("held:"), balance("transit:")]).toEqual([0, 0])
    // Each balance that an account ever showed was told: the last one is the present one.
    const shown = new Map(
      this.#world.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").map(({ data }) => [data["id"], data]),
    )
    for (const [id, data] of shown) {
      const amount = books.find((book) => book.id === `available:${String(id)}`)?.balance
      expect(data).toMatchObject({ balance: { amount } })
    }
  }
}
