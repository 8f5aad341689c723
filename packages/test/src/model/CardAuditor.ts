/**
 * Watches a history of cards from outside: the records, the books and the webhooks. It knows nothing of the rules' code; it only
 * checks what must hold whatever happened: no spend without cover, each hold released or captured once, books that balance, and
 * a closed card that stays closed.
 * Source: wire contract 3.3 and 3.5; issue "Cards".
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

  /** What the cardholder owes. */
  async owed(): Promise<number> {
    const books = await this.#world.books()
    return 0 - sum(books.filter(({ id }) => id.startsWith("receivable:")).map(({ balance }) => balance))
  }

  /** An authorization was answered so. */
  authorized({ declineReason, issuerTransactionToken }: SandboxCardSimulationResponse) {
    expect(this.#tokens).not.toContain(issuerTransactionToken)
    this.#tokens.add(issuerTransactionToken)
    if (declineReason !== undefined) this.#declined.add(issuerTransactionToken)
  }

  /** The latest transaction at the last look, or one so many before it. */
  at(index: number): CardTransactionResource | undefined {
    const all = this.#transactions
    return all.length === 0 ? undefined : all[all.length - 1 - (index % all.length)]
  }

  async #look() {
    const all = await listAll((query) =>
      this.#world.run(Transactions.use((list) => list.list({ ...query, type: "CARD", sortOrder: "asc" }))),
    )
    this.#transactions = all.filter((each) => each.type === "CARD")
    return this.#transactions
  }

  /** What holds after every step. */
  async check() {
    const books = await this.#world.books()
    // No spend without cover: what a card takes is there.
    expect(bookProblems(books)).toEqual([])
    const transactions = await this.#look()
    const tokens = transactions.map(({ issuerTransactionToken }) => issuerTransactionToken)
    expect(new Set(tokens)).toEqual(new Set([...this.#tokens].filter((token) => !this.#declined.has(token))))
    for (const { accountId, id } of transactions) {
      // A hold is never released or captured more than once, nor against another account.
      expect(ledgerSum(books, id, "held"), id).toBeGreaterThanOrEqual(0)
      const elsewhere = books.filter((book) => /^(?:held|available):/u.test(book.id) && !book.id.endsWith(accountId))
      expect(elsewhere.flatMap(({ entries }) => entries.filter((entry) => entry.reference === id))).toEqual([])
    }
    const held = sum(books.filter((book) => book.id.startsWith("held:")).map((book) => book.balance))
    expect(held).toBe(sum(transactions.map(({ id }) => ledgerSum(books, id, "held"))))
  }

  /** The events about a record in order, each once. */
  #told(id: string, family: string) {
    const events = [...new Map(this.#world.inbox.received.map((event) => [event.id, event])).values()]
    return events.filter((event) => event.data["id"] === id && event.type.startsWith(family))
  }

  /** What holds when all work is done and every authorization has ended. */
  async checkEnd() {
    await this.check()
    const books = await this.#world.books()
    let spent = 0
    for (const transaction of this.#transactions) {
      const { id, status } = transaction
      expect(endedCardProblems(books, transaction)).toEqual([])
      spent += spentBy(transaction)
      const events = this.#told(id, "CARD_TRANSACTION.").map(({ type }) => type.split(".")[1] ?? "")
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
      const states = this.#told(cardId, "CARD.STATE_CHANGE").map(({ data }) => String(data["state"]))
      for (const [at, state] of states.entries()) {
        expect(cardTransitions[at === 0 ? "PROCESSING" : (states[at - 1] ?? "")], cardId).toContain(state)
      }
      expect(states.at(-1)).toBe(card.state)
      // Its sources are what the last event about them told.
      const sources = this.#told(cardId, "CARD.FUNDING_SOURCE_CHANGE").at(-1)?.data["fundingSources"]
      if (sources !== undefined) expect(card.fundingSources, cardId).toEqual(sources)
    }
  }
}
