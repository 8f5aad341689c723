/** The reports of an issuer. */
import { Issuer } from "@countersign/core/ports"
import { Sandbox, SandboxIssuer } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import {
  approved,
  balanceOf,
  cardHarness,
  clear,
  getCard,
  issueCard,
  membersOf,
  readyCard,
  textOf,
  transaction,
} from "../card/CardWorld.ts"
import type { ReportCases } from "./ReportCase.ts"

/** An issuer that produces cards later. */
const laterIssuer = Layer.effect(
  Issuer,
  Effect.map(Issuer, (sandbox) => ({
    ...sandbox,
    provision: () => Effect.succeed({ _tag: "Later" as const, at: Date.UTC(2100, 0, 1) }),
  })),
).pipe(Layer.provide(SandboxIssuer.layer))

const produced = { outcome: "Done", brand: "VISA", last4: "4242", expMonth: 12, expYear: 2030 }

export const cardReportCases: ReportCases = {
  "/issuer/card": {
    start: async () => {
      const pay = await cardHarness({ ports: Layer.merge(Sandbox.layer, laterIssuer) })
      const reference = textOf(await issueCard(pay), "id")
      await pay.settle()
      const state = async () => {
        const { last4, state: now } = membersOf(await getCard(pay, reference))
        return [now, last4]
      }
      return { pay, about: { reference }, content: produced, newer: { outcome: "Refused" }, state }
    },
    before: ["PROCESSING", undefined],
    after: ["ACTIVE", "4242"],
    newest: ["ACTIVE", "4242"],
  },
  "/issuer/collection": {
    start: async () => {
      const pay = await readyCard()
      const id = await approved(pay, pay.cardId, 300, { suffix: "006" })
      await clear(pay, id, 100)
      const state = async () => [(await transaction(pay, id))["status"], await balanceOf(pay)]
      const about = { reference: `${id}:0` }
      return { pay, about, content: { outcome: "Done" }, newer: { outcome: "Refused" }, state }
    },
    before: ["EXCEPTION", [900, 1000]],
    after: ["SETTLED", [900, 900]],
    newest: ["SETTLED", [900, 900]],
  },
  "/issuer/authorization": {
    start: async () => {
      const pay = await readyCard()
      const merchant = { descriptor: "Shop", mcc: "5411", country: "US" }
      const content = { direction: "DEBIT", amount: 300, currency: "USD", merchant, isFinancial: false }
      const about = { cardId: pay.cardId, issuerTransactionToken: "token-1" }
      return { pay, about, content, newer: { ...content, amount: 5 }, state: () => balanceOf(pay) }
    },
    before: [1000, 1000],
    after: [700, 1000],
    newest: [700, 1000],
    answer: { outcome: "Approved", cardTransactionId: expect.stringMatching(/^CardTransaction:|^Transaction:/u) },
  },
  "/issuer/message": {
    start: async () => {
      const pay = await readyCard()
      const cardTransactionId = await approved(pay, pay.cardId, 300)
      const state = async () => {
        await pay.settle()
        return [(await transaction(pay, cardTransactionId))["status"], await balanceOf(pay)]
      }
      const about = { cardId: pay.cardId, cardTransactionId, messageId: "message-1" }
      return {
        pay,
        about,
        content: { outcome: "Clearing", amount: 100 },
        newer: { outcome: "Clearing", amount: 50 },
        state,
      }
    },
    before: ["AUTHORIZED", [700, 1000]],
    after: ["PARTIALLY_SETTLED", [700, 900]],
    newest: ["PARTIALLY_SETTLED", [700, 900]],
    answer: { status: expect.any(String) },
  },
}
