/**
 * Watches a history of transfers from outside: the records, the books and the webhooks. It knows nothing of the rules' code; it
 * only checks what must hold whatever happened.
 * Source: wire contract 5.7 (event sequences); issue "Books".
 */
import { Transactions } from "@countersign/core"
import type { TransactionResource } from "@countersign/core/models"
import { expect } from "vitest"
import type { AgentWorld } from "../harness/AgentWorld.ts"
import { balances, told } from "../harness/PayWorld.ts"

/** What may lie between two looks at one transaction. */
const mayBecome: { readonly [from: string]: ReadonlyArray<string> } = {
  PENDING: ["PENDING", "PROCESSING", "COMPLETED", "FAILED"],
  PROCESSING: ["PROCESSING", "COMPLETED", "FAILED"],
  COMPLETED: ["COMPLETED", "FAILED"],
  FAILED: ["FAILED"],
}

const refund = "REFUND_PENDING REFUND_COMPLETED"

/** Every sequence of events that a transaction may have when all work is done, by its direction and end. */
const sequences: { readonly [end: string]: ReadonlyArray<string> } = {
  "INCOMING COMPLETED": ["PENDING COMPLETED"],
  "INCOMING FAILED": ["PENDING FAILED", "PENDING COMPLETED FAILED"],
  "OUTGOING COMPLETED": ["PENDING PROCESSING COMPLETED", `PENDING PROCESSING ${refund} COMPLETED`],
  "OUTGOING FAILED": [`PENDING PROCESSING FAILED ${refund}`, `PENDING PROCESSING COMPLETED FAILED ${refund}`],
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

export class TransferAuditor {
  readonly #world: AgentWorld
  readonly #status = new Map<string, string>()
  readonly #ids: Array<string> = []
  #funded = 0

  constructor(world: AgentWorld) {
    this.#world = world
  }

  funded(amount: number) {
    this.#funded += amount
  }

  /** A transfer was answered with this record. */
  began(transaction: TransactionResource) {
    expect(transaction.status).toBe("PENDING")
    expect(this.#ids).not.toContain(transaction.id)
    this.#ids.push(transaction.id)
  }

  /** The latest transfer, or one so many before it. */
  at(index: number): string | undefined {
    return this.#ids.length === 0 ? undefined : this.#ids[this.#ids.length - 1 - (index % this.#ids.length)]
  }

  async #all(): Promise<ReadonlyArray<TransactionResource>> {
    const all: Array<TransactionResource> = []
    let cursor: string | undefined
    do {
      const page = await this.#world.run(
        Transactions.use((transactions) =>
          transactions.list({ limit: 7, sortOrder: "asc", ...(cursor === undefined ? {} : { cursor }) }),
        ),
      )
      all.push(...page.data)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return all
  }

  /** What holds after every step: each currency balances, balances are sums of entries, states follow the arrows. */
  async check() {
    const books = await this.#world.books()
    for (const [currency, accounts] of Map.groupBy(books, (book) => book.currency)) {
      expect({ currency, total: sum(accounts.map((book) => book.balance)) }).toEqual({ currency, total: 0 })
    }
    for (const book of books) {
      expect(book.balance).toBe(sum(book.entries.map((entry) => entry.amount)))
      if (book.floor === 0) expect(book.balance, book.id).toBeGreaterThanOrEqual(0)
    }
    const balance = (id: string) => books.find((book) => book.id === id)?.balance ?? 0
    const available = balance(`available:${this.#world.accountId}`)
    const total = available + balance(`held:${this.#world.accountId}`)
    expect(await balances(this.#world)).toEqual([available, total])
    for (const { id, status } of await this.#all()) {
      const known = this.#status.get(id)
      if (known !== undefined) expect(mayBecome[known], id).toContain(status)
      this.#status.set(id, status)
    }
  }

  /** What one transaction moved on the account's available money when all is done. */
  #moves(transaction: TransactionResource, events: string): number {
    const { type } = transaction
    if (type === "INCOMING") {
      return transaction.status === "COMPLETED" || events.includes("COMPLETED") ? transaction.receivedAmount.amount : 0
    }
    if (transaction.type !== "OUTGOING") return 0
    return transaction.refund === undefined ? -transaction.sentAmount.amount : 0
  }

  /** What holds when all work is done: every transaction ended once, by an allowed sequence, and the money is where it says. */
  async checkEnd() {
    await this.check()
    const books = await this.#world.books()
    const ended = await this.#all()
    const transfers = ended.filter(({ id }) => this.#ids.includes(id))
    expect(transfers.map(({ id }) => id).toSorted()).toEqual(this.#ids.toSorted())
    let expected = this.#funded
    let takenBack = 0
    for (const transaction of transfers) {
      const { id, status, type } = transaction
      const events = told(this.#world, id).join(" ")
      expect(sequences[`${type} ${status}`], `${id} ${type} ${status}`).toContain(events)
      const last = this.#world.inbox.received.findLast((event) => event.data["id"] === id)
      expect(last?.data).toMatchObject({
        id,
        status,
        ...("refund" in transaction ? { refund: transaction.refund } : {}),
      })
      expected += this.#moves(transaction, events)
      if (type === "INCOMING" && events === "PENDING COMPLETED FAILED") takenBack += transaction.receivedAmount.amount
      const own = books.flatMap((book) => book.entries.filter((entry) => entry.reference === id))
      expect(sum(own.map((entry) => entry.amount))).toBe(0)
      if (type === "OUTGOING" && transaction.refund !== undefined) {
        expect(transaction.refund.status).toBe("COMPLETED")
      }
    }
    const balance = (role: string) => sum(books.filter(({ id }) => id.startsWith(role)).map((book) => book.balance))
    expect(balance("held:")).toBe(0)
    expect(balance("transit:")).toBe(0)
    // What is owed was paid out of nobody's balance.
    expect(balance("available:") + balance("receivable:")).toBe(expected - takenBack)
    // Each balance that the account ever showed was told: the last one is the present one.
    const shown = this.#world.inbox.received.findLast((event) => event.type === "INTERNAL_ACCOUNT.BALANCE_UPDATED")
    if (shown !== undefined) {
      expect(shown.data).toMatchObject({ balance: { amount: balance("available:") } })
    }
  }
}
