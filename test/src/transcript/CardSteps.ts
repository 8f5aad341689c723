/** Cards: what their issue, their updates and their reveal refuse, and what the issuer answers late, never or by itself. */
import { CardProvisionings, CardReveals, tenant } from "@countersign/core"
import { Issuer } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { idAt, ids } from "../confinement/Bodies.ts"
import { businessInfo } from "../customer/CustomerRequests.ts"
import { contacts, newWallet, signed, signIn, signing } from "../wallet/People.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

/** An issuer with a static 3-D Secure factor, which debits a wallet only by a delegated key. */
export const cardSettings = Layer.effect(
  Issuer,
  Effect.map(Issuer, (sandbox) => ({ ...sandbox, needsDelegatedKeys: true, takesThreeDSecurePassword: true })),
).pipe(Layer.provide(Sandbox.layer))

const unknown = "01a1fdfa-4600-7000-8000-00000000ffff"

const accountsOf = async ({ prepare }: TranscriptSteps, customerId: string, currency: string) => {
  const page = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=${currency}`)
  return ids(page.body)[0] ?? ""
}

/** A card's produced form, which expires at the end of a month. */
const produced = (last4: string, expMonth: number, expYear: number) => ({
  _tag: "Done" as const,
  brand: "VISA" as const,
  last4,
  expMonth,
  expYear,
  processorRef: `processor-${last4}`,
})

interface Holders {
  readonly customerId: string
  readonly usd: string
  readonly usdc: string
  readonly usdb: string
  readonly otherUsd: string
}

const issues = async (it: TranscriptSteps, { customerId, otherUsd, usd, usdb, usdc }: Holders) => {
  const { answerNext, call, pay, prepare } = it
  const issue = (more: object) => {
    const body = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [usd], ...more }
    return call("POST", "/cards", { body, isKeyed: true })
  }
  await issue({ fundingSources: [usd, usdb, usd] })
  await issue({ cardholderId: `Customer:${unknown}` })
  const business = { customerType: "BUSINESS", platformCustomerId: "engines-77", region: "US", businessInfo }
  await issue({ cardholderId: idAt(await prepare("POST", "/customers", business), "id") })
  const pending = { customerType: "INDIVIDUAL", platformCustomerId: "pending-7", fullName: "Mary 001", region: "US" }
  await issue({ cardholderId: idAt(await prepare("POST", "/customers", pending), "id") })
  await issue({ fundingSources: [`InternalAccount:${unknown}`, otherUsd, usdc] })
  await issue({ fundingSources: [usdb, usd] })
  answerNext("Issuer.admits", false)
  await issue({})
  answerNext(
    "Issuer.provision",
    { _tag: "Unknown", cause: "away" },
    { _tag: "Later", at: (await pay.clock.now()) + 40_000 },
    produced("1111", 11, 2026),
  )
  const password = { threeDSecurePassword: "correct horse", platformCardId: "one", maxSpendPerTransaction: 250 }
  const one = idAt(await issue(password), "id")
  await issue({ platformCardId: "one" })
  await call("POST", `/cards/${one}/reveal`)
  await call("PATCH", `/cards/${one}`, { body: { state: "FROZEN" } })
  await pay.clock.advance("2 minutes")
  const waiting = idAt(await issue({ platformCardId: "waiting-001" }), "id")
  const refused = idAt(await issue({ platformCardId: "refused-001" }), "id")
  const report = (cardId: string, outcome: Parameters<(typeof CardProvisionings)["Service"]["report"]>[1]) =>
    it.run(
      `report ${outcome._tag}`,
      CardProvisionings.use((all) => all.report(cardId, outcome)),
    )
  await pay.clock.advance("3 seconds")
  await report(waiting, produced("2222", 2, 2031))
  await report(waiting, { _tag: "Refused" })
  await report(refused, { _tag: "Refused" })
  await report(refused, produced("3333", 3, 2031))
  await report(`Card:${unknown}`, { _tag: "Refused" })
  const both = idAt(await issue({ fundingSources: [usdb] }), "id")
  await pay.clock.advance("1 minute")
  return { one, waiting, refused, both }
}

const updates = async (it: TranscriptSteps, holders: Holders, cards: Awaited<ReturnType<typeof issues>>) => {
  const { answerNext, call, pay } = it
  const { usd, usdb, usdc } = holders
  const patch = (id: string, body: object) => call("PATCH", `/cards/${id}`, { body })
  const { both, one, refused, waiting } = cards
  await patch(one, {})
  await patch(one, { state: "CLOSED", maxSpendPerTransaction: 7 })
  await patch(`Card:${unknown}`, { state: "FROZEN" })
  await patch(one, { fundingSources: [usdb] })
  await patch(one, { fundingSources: [usd, usd] })
  await patch(one, { fundingSources: [usdc] })
  await patch(one, { fundingSources: [usd] })
  await patch(refused, { state: "CLOSED" })
  await patch(refused, { state: "ACTIVE" })
  await patch(one, { state: "ACTIVE" })
  answerNext(
    "Issuer.changeState",
    { _tag: "Unknown", cause: "away" },
    { _tag: "Later", at: (await pay.clock.now()) + 30_000 },
  )
  await patch(one, { state: "FROZEN" })
  await pay.clock.advance("2 minutes")
  await patch(one, { state: "FROZEN" })
  await patch(one, { state: "ACTIVE", maxSpendPerTransaction: 251 })
  await patch(waiting, { maxSpendPerTransaction: null })
  await call("POST", `/cards/${refused}/reveal`)
  answerNext("Issuer.reveal", { _tag: "Unknown", cause: "away" })
  await call("POST", `/cards/${one}/reveal`)
  await call("POST", `/cards/${one}/reveal`)
  await call("POST", `/cards/Card:${unknown}/reveal`)
  await it.run(
    "reveal without a token",
    CardReveals.use((all) => all.reveal(one, "https://pay.example.com")),
    tenant(pay.platformId),
  )
  for (const query of [
    `accountId=${usdb}`,
    `cardholderId=${holders.customerId}&limit=1`,
    "platformCardId=one",
    "state=CLOSED",
    "state=ACTIVE&limit=1",
  ])
    await call("GET", `/cards?${query}`)
  const page = await call("GET", "/cards?limit=2")
  await call("GET", `/cards?limit=2&cursor=${encodeURIComponent(idAt(page, "nextCursor"))}`)
  await call("GET", `/cards/Card:${unknown}`)
  return both
}

/** Keys that may debit a wallet for a card: three calls, of which the owner signs two. */
const delegations = async (it: TranscriptSteps, usdCard: string) => {
  const { call, callers, pay, prepare } = it
  const { accountId, customerId, emailId } = await newWallet(pay, { ...contacts, email: "keys@example.com" })
  const { key } = await signIn(pay, emailId)
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const cardId = idAt(await call("POST", "/cards", { body: issue }), "id")
  const other = idAt(await call("POST", "/cards", { body: issue }), "id")
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 700 })
  await pay.clock.advance("1 minute")
  const path = "/auth/delegated-keys"
  const bodyOf = (more: object = {}) => ({ cardId, internalAccountId: accountId, nickname: "First", ...more })
  const create = (body: object) => call("POST", path, { body, key })
  await create(bodyOf({ cardId: `Card:${unknown}` }))
  await create(bodyOf({ internalAccountId: `InternalAccount:${unknown}` }))
  await create(bodyOf({ internalAccountId: callers.accountId }))
  await create(bodyOf({ cardId: usdCard }))
  const buy = (id: string, amount: number) =>
    call("POST", `/sandbox/cards/${id}/simulate/authorization`, {
      body: { amount, currency: "USDB", merchant: { descriptor: "Shop 000", mcc: "5411", country: "US" } },
    })
  await buy(cardId, 10)
  // A key that is registered, and not activated.
  const pending = await signed(pay, "POST", path, key, bodyOf({ nickname: "Second" }))
  const first = await create(bodyOf())
  const keyId = idAt(first, "id")
  await create(bodyOf())
  await buy(cardId, 11)
  await buy(other, 12)
  const listed = await call("GET", `${path}?accountId=${accountId}`)
  const source = idAt(first, "fundingSourceId")
  for (const query of [`fundingSourceId=${source}`, "", `accountId=${callers.accountId}`])
    await call("GET", `${path}?${query}`)
  const [waiting] = ids(listed.body).filter((id) => id !== keyId)
  await call("DELETE", `${path}/${String(waiting)}`)
  const headers = { ...callers.full.headers, ...(await signing(pending, key)) }
  await prepare("POST", path, bodyOf({ nickname: "Second" }), headers)
  await prepare("POST", path, bodyOf({ nickname: "Other" }), headers)
  await pay.clock.advance("5 seconds")
  await call("DELETE", `${path}/${keyId}`)
  await call("DELETE", `${path}/${keyId}`)
  await call("DELETE", `${path}/DelegatedKey:${unknown}`)
  await call("GET", `${path}/DelegatedKey:${unknown}`)
  await buy(cardId, 13)
  await prepare("POST", path, bodyOf({ nickname: "Second" }), headers)
  await prepare("POST", path, bodyOf({ nickname: "Second" }), headers)
  await call("DELETE", `${path}/${String(waiting)}`)
  const late = await signed(pay, "POST", path, key, bodyOf({ nickname: "Fourth" }))
  const again = idAt(await create(bodyOf({ nickname: "Third" })), "id")
  // A replaced source is another one, which the keys of the former do not debit.
  const stable = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDB`)
  const crypto = ids(stable.body).find((id) => id !== accountId) ?? ""
  for (const id of [crypto, accountId]) await call("PATCH", `/cards/${cardId}`, { body: { fundingSources: [id] }, key })
  const replaced = { ...callers.full.headers, ...(await signing(late, key)) }
  await prepare("POST", path, bodyOf({ nickname: "Fourth" }), replaced)
  await call("GET", `${path}/${again}`)
  await call("PATCH", `/cards/${other}`, { body: { state: "CLOSED" } })
  await create(bodyOf({ cardId: other }))
  await call("PATCH", `/cards/${cardId}`, { body: { state: "CLOSED" } })
  await call("GET", `${path}?accountId=${accountId}`)
  await prepare("GET", `/customers/${customerId}`)
}

export const cardSteps = async (it: TranscriptSteps) => {
  const { callers, prepare } = it
  const { customerId } = callers
  const other = { customerType: "INDIVIDUAL", fullName: "Grace Hopper", region: "US" }
  const otherId = idAt(await prepare("POST", "/customers", other), "id")
  const holders = {
    customerId,
    usd: callers.accountId,
    usdc: await accountsOf(it, customerId, "USDC"),
    usdb: await accountsOf(it, customerId, "USDB"),
    otherUsd: await accountsOf(it, otherId, "USD"),
  }
  await delegations(it, await updates(it, holders, await issues(it, holders)))
}
