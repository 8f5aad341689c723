/** Quotes of customers under strong authentication: challenges by each factor, answers right, wrong and late, and several purposes. */
import { ScaProvider } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { externalAccountBody, idAt, quoteBetween } from "../confinement/Bodies.ts"
import type { Written } from "./TranscriptWorld.ts"

const passkeyAnswer = { passkeyAssertion: { id: "key-1" }, origin: "https://sandbox.example" }
const right = { code: "123456", endUserIpAddress: "203.0.113.7" }

const newCustomer = async ({ prepare }: Written, region: string, phoneNumber: string) => {
  const body = { customerType: "INDIVIDUAL", fullName: "Emmy Noether", region, phoneNumber, currencies: ["USD"] }
  const customerId = idAt(await prepare("POST", "/customers", body), "id")
  const accounts = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
  const accountId = idAt(accounts, "data", 0, "id")
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 10_000 })
  const account = externalAccountBody({ customerId }, "000")
  const external = idAt(await prepare("POST", "/customers/external-accounts", account), "id")
  return { customerId, accountId, external }
}
type Holder = Awaited<ReturnType<typeof newCustomer>>

const ask = async (it: Written, { accountId, external }: Holder, amount: number, more: object = {}) =>
  it.call("POST", "/quotes", { body: { ...quoteBetween(accountId, external, amount), ...more } })

const authorize = (it: Written, id: string, body: object) => it.call("POST", `/quotes/${id}/authorize`, { body })
const resend = (it: Written, id: string) => it.call("POST", `/quotes/${id}/authorize/resend`)
const execute = (it: Written, id: string, body?: object) =>
  it.call("POST", `/quotes/${id}/execute`, body === undefined ? {} : { body })

const codes = async (it: Written, holder: Holder, outside: Holder) => {
  const free = idAt(await ask(it, outside, 101), "id")
  await authorize(it, free, right)
  await resend(it, free)
  await ask(it, holder, 102, { immediatelyExecute: true, scaFactor: "PASSKEY" })
  const first = idAt(await ask(it, holder, 103, { immediatelyExecute: true }), "id")
  await it.pay.clock.advance("7 seconds")
  await authorize(it, first, { code: "000000" })
  await authorize(it, first, passkeyAnswer)
  await authorize(it, first, { ...passkeyAnswer, ...right })
  await authorize(it, first, {})
  await authorize(it, first, { passkeyAssertion: { id: "key-1" } })
  for (const _ of [1, 2, 3, 4, 5, 6]) await resend(it, first)
  await authorize(it, first, right)
  await authorize(it, first, right)
  await resend(it, first)
  await it.call("GET", `/quotes/${first}`)
  const second = idAt(await ask(it, holder, 104), "id")
  await resend(it, second)
  await execute(it, second, { scaFactor: "SMS_OTP" })
  await execute(it, second)
  await it.pay.clock.advance("20 minutes")
  await authorize(it, second, right)
  await it.call("GET", `/quotes/${second}`)
  const third = idAt(await ask(it, holder, 105), "id")
  await execute(it, third, { scaFactor: "PASSKEY" })
  const short = idAt(await ask(it, holder, 9000), "id")
  const spent = idAt(await ask(it, holder, 1500), "id")
  for (const id of [spent, short]) await execute(it, id)
  for (const id of [short, spent]) await authorize(it, id, right)
}

/** A payer who sends the money, and a passkey. */
const passkeys = async (it: Written, holder: Holder) => {
  const source = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: holder.customerId }
  const sent = idAt(await ask(it, holder, 201, { source }), "id")
  await it.call("POST", "/sandbox/send", { body: { quoteId: sent, currencyCode: "USD" } })
  await authorize(it, sent, right)
  await it.call("POST", "/sandbox/send", { body: { quoteId: sent, currencyCode: "USD" } })
  const enrollment = { type: "PASSKEY", origin: passkeyAnswer.origin, credential: { id: "key-1" } }
  await it.call("POST", `/sca/factors/confirm?customerId=${holder.customerId}`, { body: enrollment })
  const byKey = idAt(await ask(it, holder, 202, { immediatelyExecute: true, scaFactor: "PASSKEY" }), "id")
  await resend(it, byKey)
  await authorize(it, byKey, right)
  await authorize(it, byKey, { ...passkeyAnswer, endUserIpAddress: null })
  const last = idAt(await ask(it, holder, 203), "id")
  await execute(it, last, { scaFactor: "PASSKEY" })
  await it.pay.clock.advance("30 seconds")
  await authorize(it, last, passkeyAnswer)
}

/** A trusted account needs a session instead, and wrong answers lock the customer. */
const sessions = async (it: Written, holder: Holder) => {
  const { accountId, customerId, external } = holder
  await it.prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 7000 })
  const login = async () => {
    await it.call("POST", `/sca/login/start?customerId=${customerId}`, { body: { factor: "SMS_OTP" } })
    await it.call("POST", `/sca/login/complete?customerId=${customerId}`, { body: { factor: "SMS_OTP", ...right } })
  }
  await login()
  const path = `/customers/external-accounts/${external}/trust`
  const challengeId = idAt(await it.call("POST", path), "scaChallenge", "id")
  await it.call("POST", `${path}/confirm`, { body: { challengeId, code: "123456" } })
  await ask(it, holder, 301, { immediatelyExecute: true })
  await it.pay.clock.advance("16 minutes")
  await ask(it, holder, 302, { immediatelyExecute: true })
  const waiting = idAt(await ask(it, holder, 303), "id")
  await execute(it, waiting)
  await login()
  await execute(it, waiting)
  const untrust = `/customers/external-accounts/${external}/untrust`
  const second = idAt(await it.call("POST", untrust), "scaChallenge", "id")
  await it.call("POST", `${untrust}/confirm`, { body: { challengeId: second, code: "123456" } })
  const locked = idAt(await ask(it, holder, 304, { immediatelyExecute: true }), "id")
  for (const _ of [1, 2, 3, 4, 5, 6]) await authorize(it, locked, { code: "000000" })
  await authorize(it, locked, right)
  await ask(it, holder, 305, { immediatelyExecute: true })
}

export const quoteChallengeSteps = async (it: Written) => {
  const holder = await newCustomer(it, "EU", "+14155550123")
  const outside = await newCustomer(it, "US", "+14155550124")
  await codes(it, holder, outside)
  await passkeys(it, holder)
  await sessions(it, holder)
}

/** A provider that challenges a payment for its payee, too. */
export const twoPurposes = Layer.effect(
  ScaProvider,
  Effect.map(ScaProvider, (provider) => ({
    ...provider,
    purposes: ({ isExchange, isPayout }: { readonly isExchange: boolean; readonly isPayout: boolean }) =>
      Effect.succeed(["PAYMENT", `EXCHANGE ${isExchange}`, `PAYOUT ${isPayout}`] as const),
  })),
).pipe(Layer.provide(Sandbox.layer))

export const quotePurposeSteps = async (it: Written) => {
  const holder = await newCustomer(it, "EU", "+14155550123")
  const first = idAt(await ask(it, holder, 401, { immediatelyExecute: true }), "id")
  await authorize(it, first, right)
  await authorize(it, first, { code: "000000" })
  await it.pay.clock.advance("20 seconds")
  await resend(it, first)
  await authorize(it, first, right)
  await authorize(it, first, right)
  const enrollment = { type: "PASSKEY", origin: passkeyAnswer.origin, credential: { id: "key-1" } }
  await it.call("POST", `/sca/factors/confirm?customerId=${holder.customerId}`, { body: enrollment })
  const source = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: holder.customerId }
  it.answerNext("ScaProvider.challenge", {
    passkeyOptions: { challenge: "abc" },
    allowedOrigins: ["https://a.example"],
  })
  const byKey = idAt(await ask(it, holder, 402, { source, scaFactor: "PASSKEY" }), "id")
  for (const _ of [1, 2, 3]) await authorize(it, byKey, passkeyAnswer)
  const late = idAt(await ask(it, holder, 403, { immediatelyExecute: true }), "id")
  await authorize(it, late, right)
  await it.pay.clock.advance("6 minutes")
  await authorize(it, late, right)
  await it.call("GET", `/quotes/${late}`)
}
