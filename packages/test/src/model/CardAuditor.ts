/**
 * Audits a history of cards by its records, its ledger and its webhooks. It does not use the code of the rules. It checks
 * invariants: no spend without cover, each hold is released or captured once, the ledger balances, a closed card stays
 * closed.
 * Source: wire contract 3.3 and 3.5.
 */
import { Cards, Transactions } from "@countersign/core"
import type { CardTransactionResource, SandboxCardSimulationResponse } from "@countersign/core/models"
import { expect } from "../harness/Expect.ts"
import {
  cardTransactionTransitions,
  cardTransitions,
  endedCardProblems,
  ledgerSum,
  listAll,
  spentBy,
  sum,
} from "./Auditing.ts"
import { bookProblems } from "./Books.ts"
import type { CardModelWorld } from "./CardModelWorld.ts"

export class CardAuditor {
  readonly #world: CardModelWorld
  readonly #tokens = new Set<string>()
  readonly #declined = new Set<string>()
  #transactions: ReadonlyArray<CardTransactionResource> = []
  #funded = 0

  constructor(world: CardModelWorld) {
    this.#world = world
  }

  funded(amount: number) {
    this.#funded += amount
  }

  /** Returns the cardholder's debt. */
  async owed(): Promise<number> {
    const books = await this.#world.books()
    return 0 - sum(books.filter(({ id }) => id.startsWith("receivable:")).map(({ balance }) => balance))
  }

  /** Records the response to an authorization. */
  authorized({ declineReason, issuerTransactionToken }: SandboxCardSimulationResponse) {
    expect(this.#tokens).not.toContain(issuerTransactionToken)
    this.#tokens.add(issuerTransactionToken)
    if (declineReason !== undefined) this.#declined.add(issuerTransactionToken)
  }

  /** Returns a transaction of the last check by its distance from the latest one. */
  at(index: number): CardTransactionResource | undefined {
    const all = this.#transactions
    return all.length === 0 ? undefined : all[all.length - 1 - (index % all.length)]
  }

  async #readTransactions() {
    const all = await listAll((query) =>
      this.#world.run(Transactions.use((list) => list.list({ ...query, type: "CARD", sortOrder: "asc" }))),
    )
    this.#transactions = all.filter((each) => each.type === "CARD")
    return this.#transactions
  }

  /** Checks the invariants that hold after every step. */
  async check() {
    const books = await this.#world.books()
    // No spend without cover: no bounded account is negative.
    expect(bookProblems(books)).toEqual([])
    const transactions = await this.#readTransactions()
    const tokens = transactions.map(({ issuerTransactionToken }) => issuerTransactionToken)
    expect(new Set(tokens)).toEqual(new Set([...this.#tokens].filter((token) => !this.#declined.has(token))))
    for (const { accountId, id } of transactions) {
      // A hold is never released or captured twice, nor on another account.
      expect(ledgerSum(books, id, "held"), id).toBeGreaterThanOrEqual(0)
      const elsewhere = books.filter((book) => /^(?:held|available):/u.test(book.id) && !book.id.endsWith(accountId))
      expect(elsewhere.flatMap(({ entries }) => entries.filter((entry) => entry.reference === id))).toEqual([])
    }
    const held = sum(books.filter((book) => book.id.startsWith("held:")).map((book) => book.balance))
    expect(held).toBe(sum(transactions.map(({ id }) => ledgerSum(books, id, "held"))))
  }

  /** Returns the events about a record in order, each once. */
  #eventsOf(id: string, family: string) {
    const events = [...new Map(this.#world.inbox.received.map((event) => [event.id, event])).values()]
    return events.filter((event) => event.data["id"] === id && event.type.startsWith(family))
  }

  /** Checks the final state, in which every authorization has ended. */
  async checkEnd() {
    await this.check()
    const books = await this.#world.books()
    let spent = 0
    for (const transaction of this.#transactions) {
      const { id, status } = transaction
      expect(endedCardProblems(books, transaction)).toEqual([])
      spent += spentBy(transaction)
      const events = this.#eventsOf(id, "CARD_TRANSACTION.").map(({ type }) => type.split(".")[1] ?? "")
      expect(events[0]).toBe("AUTHORIZED")
      expect(events.at(-1)).toBe(status)
      for (const [at, event] of events.slice(1).entries())
        expect(cardTransactionTransitions[events[at] ?? ""], id).toContain(event)
    }
    const balance = (role: string) =>
      sum(books.filter(({ id }) => id.startsWith(`${role}:`)).map((book) => book.balance))
    expect(balance("available") + balance("receivable")).toBe(this.#funded - spent)
    await this.#checkCards()
  }

  async #checkCards() {
    for (const cardId of this.#world.cards) {
      const card = await this.#world.run(Cards.use((cards) => cards.get(cardId)))
      const states = this.#eventsOf(cardId, "CARD.STATE_CHANGE").map(({ data }) => String(data["state"]))
      for (const [at, state] of states.entries()) {
        expect(cardTransitions[at === 0 ? "PROCESSING" : (states[at - 1] ?? "")], cardId).toContain(state)
      }
      expect(states.at(-1)).toBe(card.state)
      // The funding sources are those of the last event about them.
      const sources = this.#eventsOf(cardId, "CARD.FUNDING_SOURCE_CHANGE").at(-1)?.data["fundingSources"]
      if (sources !== undefined) expect(card.fundingSources, cardId).toEqual(sources)
    }
  }
}
