/**
 * Audits a history of transfers: it compares responses, records, ledger and webhooks with the model. The responses to
 * concurrent calls must be those of the model in some order of the calls.
 * Source: wire contract 5.7 (event sequences); D-114.
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
  /** The possible states of the service: concurrent calls may have run in several orders that cannot be distinguished yet. */
  #states: ReadonlyArray<PayModel.PayState>
  readonly #accounts = new Map<string, string>()
  readonly #externals = new Map<string, string>()

  private constructor(world: World, now: number) {
    this.#world = world
    this.#states = [{ now, customers: {}, externals: {}, transfers: {} }]
  }

  /** Any of the possible states; all have the same customers, accounts and transfers. */
  get #state(): PayModel.PayState {
    const [first] = this.#states
    if (first === undefined) throw new Error("the model has no state that matches the service")
    return first
  }

  static async make(world: World): Promise<TransferAuditor> {
    const auditor = new TransferAuditor(world, await world.clock.now())
    await auditor.join()
    return auditor
  }

  /** Creates a customer, up to the maximum. */
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

  /** Returns a transfer by its distance from the latest one. */
  transferAt(index: number): string | undefined {
    const ids = Object.keys(this.#state.transfers)
    return ids.length === 0 ? undefined : ids[ids.length - 1 - (index % ids.length)]
  }

  /** Returns an external account and creates it if needed; `undefined` if its customer was deleted before. */
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

  /** Applies concurrent calls to the model: keeps the states in which some order gives exactly these responses. */
  answered(all: ReadonlyArray<Answered>) {
    const orders = permutations(all)
    const after = (before: PayModel.PayState, order: ReadonlyArray<Answered>) => {
      const state = structuredClone(before)
      const isSame = order.every(({ answer, call }) => {
        const expected = PayModel.apply(state, call, answer)
        return expected.code === answer.code && expected.id === answer.id && expected.amount === answer.amount
      })
      return isSame ? [state] : []
    }
    const states = this.#states.flatMap((before) => orders.flatMap((order) => after(before, order)))
    expect(
      states.length,
      `the model gives these responses in no order of the calls: ${JSON.stringify(all)}`,
    ).toBeGreaterThan(0)
    this.#states = [...new Map(states.map((state) => [JSON.stringify(state), state])).values()]
  }

  async #transactions(): Promise<ReadonlyArray<TransactionResource>> {
    return listAll((query) => this.#world.run(Transactions.use((all) => all.list({ ...query, sortOrder: "asc" }))))
  }

  /** Returns the state of the service: balances and debts by customer and currency, and the transfers. */
  async #serviceState(books: ReadonlyArray<Book>) {
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

  /** Returns the state of the model in the same form. */
  #modelState(state: PayModel.PayState) {
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

  /** Checks after every step that the service has a state of the model and that the ledger balances. */
  async check() {
    const books = await this.#world.books()
    const actual = await this.#serviceState(books)
    const matching = this.#states.filter((state) => JSON.stringify(this.#modelState(state)) === JSON.stringify(actual))
    if (matching.length === 0) expect(actual).toEqual(this.#modelState(this.#state))
    this.#states = matching
    expect(bookProblems(books)).toEqual([])
    for (const book of books) {
      if (book.id.startsWith("receivable:")) expect(book.balance, book.id).toBeLessThanOrEqual(0)
    }
  }

  /** Checks the final state: each transfer emitted the events of the model, in order, and the last one has its final record. */
  async checkEnd() {
    await this.check()
    const books = await this.#world.books()
    const ended = new Map((await this.#transactions()).map((one) => [one.id, one]))
    const received = new Map(
      Object.keys(this.#state.transfers).map((id) => [id, eventNames(this.#world, id).join(" ")]),
    )
    const matchesEvents = (state: PayModel.PayState) =>
      Object.entries(state.transfers).every(([id, { events }]) => events.join(" ") === received.get(id))
    const eventsOf = (state: PayModel.PayState) =>
      new Map(Object.entries(state.transfers).map(([id, { events }]) => [id, events.join(" ")]))
    if (!this.#states.some(matchesEvents)) expect(received).toEqual(eventsOf(this.#state))
    for (const [id, { refund, status }] of Object.entries(this.#state.transfers)) {
      const last = this.#world.inbox.received.findLast((event) => event.data["id"] === id)
      expect(last?.data).toEqual(ended.get(id))
      expect([status, refund]).not.toContain("PENDING")
      const own = books.flatMap((book) => book.entries.filter((entry) => entry.reference === id))
      expect(sum(own.map((entry) => entry.amount))).toBe(0)
    }
    const balance = (role: string) => sum(books.filter(({ id }) => id.startsWith(role)).map((book) => book.balance))
    expect([balance("held:"), balance("transit:")]).toEqual([0, 0])
    // The last balance event of each account has its present balance.
    const shown = new Map(
      this.#world.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").map(({ data }) => [data["id"], data]),
    )
    for (const [id, data] of shown) {
      const amount = books.find((book) => book.id === `available:${String(id)}`)?.balance
      expect(data).toMatchObject({ balance: { amount } })
    }
  }
}
