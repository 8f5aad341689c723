/** Reports of the embedding program with a text that no store keeps: each is stored in a form that it does. Source: D-359. */
import { CardProvisionings, CardTransactions, Deposits, StablecoinOperations, Verifications } from "@countersign/core"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { approved, cardHarness, getCard, issueCard, readyCard, textOf, transaction } from "../card/CardWorld.ts"
import { newBusiness } from "../customer/CustomerRequests.ts"
import { idOf, mint, mintBody, operation, stablecoin, stablecoinWorld, wallet } from "../stablecoin/StablecoinWorld.ts"

it("a verification is stored with a clean reason", async () => {
  await using pay = await harness()
  const customerId = await newBusiness(pay)
  const errors = [{ resourceId: customerId, type: "MISSING_FIELD", field: "taxId", reason: "gone\u0000" }] as const
  await pay.run(Verifications.use((all) => all.report(customerId, { status: "RESOLVE_ERRORS", errors, owners: [] })))
  const { body } = await pay.send("GET", `/verifications?customerId=${customerId}`)
  expect(body).toMatchObject({ data: [{ errors: [{ reason: "gone\uFFFD" }] }] })
})

it("a deposit is stored with the clean name of its sender", async () => {
  await using pay = await cardHarness({}, 0)
  const source = { accountHolderName: "Sam\ud800" }
  const deposit = { accountId: pay.accountId, amount: 900, source, depositId: "bank-1" }
  const stored = await pay.run(Deposits.use((deposits) => deposits.report(deposit)))
  expect(stored).toMatchObject({ counterpartyInformation: { FULL_NAME: "Sam\uFFFD" } })
})

it("a mint is stored with the clean status of its provider", async () => {
  await using pay = await stablecoinWorld()
  const id = idOf(await mint(pay, await stablecoin(pay), mintBody(await wallet(pay))))
  const report = { _tag: "Processing", providerStatus: "sent\u0000" } as const
  await pay.run(StablecoinOperations.use((all) => all.report(id, report)))
  expect((await operation(pay, id)).body).toMatchObject({ status: "PROCESSING", providerStatus: "sent\uFFFD" })
})

it("a card is stored with its clean digits, and a transaction with the clean identifier of a message", async () => {
  await using pay = await readyCard()
  const waiting = textOf(await issueCard(pay, { platformCardId: "own 001" }), "id")
  const made = {
    _tag: "Done",
    brand: "VISA",
    last4: "42\u00002",
    expMonth: 1,
    expYear: 2030,
    processorRef: "card",
    issuerRef: "issuer",
  } as const
  await pay.run(CardProvisionings.use((cards) => cards.report(waiting, made)))
  expect((await getCard(pay, waiting)).body).toMatchObject({ state: "ACTIVE", last4: "42\uFFFD2" })
  const cardTransactionId = await approved(pay, pay.cardId, 300)
  const clearing = { _tag: "Clearing", amount: 100 } as const
  const message = { cardId: pay.cardId, cardTransactionId, messageId: "message\u0000", message: clearing }
  await pay.run(CardTransactions.use((network) => network.receive(message)))
  await pay.settle()
  expect(await transaction(pay, cardTransactionId)).toMatchObject({ status: "PARTIALLY_SETTLED" })
})
