/** API tokens and their secrets, webhook keys, the configuration, parked jobs, and audit records with each filter. */
import { DomainOwnership } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { idAt } from "../confinement/Bodies.ts"
import { basic } from "../confinement/Callers.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"
import { park } from "../confinement/OperatorSteps.ts"

const wrongToken = "Token:00000000-0000-7000-8000-000000000009"

/** Domains are proven, refused, or not known, by their last label. */
export const domainAnswers = Layer.succeed(DomainOwnership, {
  check: ({ domain }) => {
    if (domain.endsWith(".test")) return Effect.succeed("NOT_PROVEN")
    return Effect.succeed(domain.endsWith(".invalid") ? "UNKNOWN" : "PROVEN")
  },
})

const tokens = async ({ call, callers, pay, prepare }: StepWorld) => {
  const create = (body: object) => call("POST", "/tokens", { body })
  const now = await pay.clock.now()
  const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
  await create({ name: "Late", permissions: ["VIEW"], expiresAt: at(0) })
  await create({ name: "Twice", permissions: ["VIEW", "VIEW"] })
  const short = await create({ name: "Short", permissions: ["VIEW", "MANAGE"], expiresAt: at(600) })
  await pay.clock.advance("5 seconds")
  const long = await create({ name: "Long", permissions: ["MANAGE"] })
  const path = `/tokens/${idAt(long, "id")}`
  const [clientId, first] = [idAt(long, "clientId"), idAt(long, "clientSecret")]
  const as = (secret: string) => basic(clientId, secret)
  await prepare("GET", "/tokens?name=Long", undefined, as(first))
  await call("DELETE", `${path}/secrets/${idAt(long, "secrets", 0, "id")}`)
  await pay.clock.advance("7 seconds")
  const second = await call("POST", `${path}/secrets`, { body: { overlapSeconds: 90 } })
  await call("GET", path)
  await prepare("POST", `${path}/secrets`, { overlapSeconds: 30 }, as(idAt(second, "clientSecret")))
  await prepare("DELETE", path, undefined, as(idAt(second, "clientSecret")))
  await prepare("DELETE", `${path}/secrets/${idAt(second, "id")}`, undefined, as(idAt(second, "clientSecret")))
  await pay.clock.advance("40 seconds")
  await prepare("GET", path, undefined, as(idAt(second, "clientSecret")))
  await pay.clock.advance("60 seconds")
  await prepare("GET", path, undefined, as(first))
  const third = await call("POST", `${path}/secrets`, { body: { overlapSeconds: 0 } })
  for (let count = 0; count < 3; count++) await call("POST", `${path}/secrets`, { body: {} })
  await call("DELETE", `${path}/secrets/Secret:00000000-0000-7000-8000-000000000009`)
  await call("DELETE", `${path}/secrets/${idAt(third, "id")}`)
  await call("POST", `${wrongToken.replace("Token", "/tokens/Token")}/secrets`, { body: {} })
  for (const method of ["GET", "DELETE"]) await call(method, `/tokens/${wrongToken}`)
  await call("DELETE", `/tokens/${wrongToken}/secrets/Secret:00000000-0000-7000-8000-000000000009`)
  const from = encodeURIComponent(at(3))
  for (const filter of ["name=Short", `createdAfter=${from}&limit=2`, `createdBefore=${from}&limit=2`, "limit=2"])
    await call("GET", `/tokens?${filter}`)
  for (const filter of [`updatedAfter=${encodeURIComponent(at(20))}`, `updatedBefore=${from}&limit=1`])
    await call("GET", `/tokens?${filter}`)
  const cursor = encodeURIComponent(idAt(await call("GET", "/tokens?limit=3"), "nextCursor"))
  await call("GET", `/tokens?limit=3&cursor=${cursor}`)
  await pay.clock.advance("2 hours")
  await prepare("GET", "/tokens?limit=1", undefined, basic(idAt(short, "clientId"), idAt(short, "clientSecret")))
  await call("GET", `/tokens/${idAt(short, "id")}`)
  await prepare("GET", "/tokens?limit=1", undefined, callers.only.VIEW.headers)
  await call("DELETE", path)
  await prepare("GET", "/tokens", undefined, as(idAt(third, "clientSecret")))
}

const keys = async ({ call, pay }: StepWorld) => {
  const rotate = (overlapSeconds: number) => call("POST", "/webhooks/keys/rotate", { body: { overlapSeconds } })
  await rotate(3600)
  await pay.clock.advance("9 seconds")
  await rotate(7200)
  await call("POST", "/sandbox/webhooks/test")
  await rotate(0)
  const all = await call("GET", "/webhooks/keys")
  await call("POST", `/webhooks/keys/${idAt(all, "data", 0, "id")}/reveal`)
  await call("POST", "/webhooks/keys/wrong/reveal")
  await rotate(600)
  await pay.clock.advance("1 hour")
  await call("GET", "/webhooks/keys")
  await rotate(-1)
}

const currency = (currencyCode: string, minAmount: number, maxAmount: number) => ({
  currencyCode,
  minAmount,
  maxAmount,
  requiredCounterpartyFields:
    currencyCode === "EUR"
      ? [
          { name: "FULL_NAME", mandatory: true },
          { name: "BIRTH_DATE", mandatory: false },
        ]
      : [],
  enabledTransactionTypes: ["INCOMING", "OUTGOING"],
})

const fee = (sourceCurrency: string, variableFeeBps: number, amount: number, fixed = "USD") => ({
  feeType: "CROSS_CURRENCY_TRANSACTION",
  sourceCurrency,
  variableFeeBps,
  fixedFee: { amount, currency: fixed },
})

const configuration = async ({ call, callers, pay, prepare }: StepWorld) => {
  const patch = async (body: object) => {
    await pay.clock.advance("3 seconds")
    return call("PATCH", "/config", { body })
  }
  await patch({ supportedCurrencies: [currency("USD", 1, 9), currency("EUR", 8, 7), currency("USD", 1, 9)] })
  await patch({ feeConfigs: [fee("USD", 10, 7), fee("USD", 20, 8)] })
  await patch({ feeConfigs: [fee("EUR", 10, 7, "EUR")] })
  await patch({ feeConfigs: [fee("USD", 120, 17), fee("USDC", 30, 0)] })
  await patch({ feeConfigs: [fee("USDC", 0, 0), fee("EUR", 0, 19)] })
  await patch({ embeddedWalletConfig: { appName: "Pay", otpLength: 8, alphanumeric: true } })
  await patch({ embeddedWalletConfig: { otpLength: 6, expirationSeconds: 120, replyToEmailAddress: "a@example.com" } })
  await patch({ cardTokenization2faConfig: { displayName: "Card", email: { subject: "Code" } } })
  await patch({ cardTokenization2faConfig: { sms: { bodyText: "Your code" }, email: { fromName: "Pay" } } })
  await patch({ webhookEndpoint: "http://10.0.0.1/hooks" })
  await patch({ webhookEndpoint: "ftp://platform.example/hooks" })
  await patch({ umaDomain: "pay.test" })
  await patch({ umaDomain: "pay.invalid" })
  await patch({ umaDomain: "nowhere" })
  await patch({ umaDomain: "pay.example.com" })
  await patch({ umaDomain: "pay.example.com", webhookEndpoint: "https://other.example/hooks" })
  const { other } = callers
  if (other !== undefined) {
    await prepare("PATCH", "/config", { umaDomain: "pay.example.com" }, other.headers)
    await prepare("PATCH", "/config", { umaDomain: "pay.example.org" }, other.headers)
  }
  await patch({ supportedCurrencies: [currency("USD", 1, 5000), currency("EUR", 2, 700), currency("JPY", 5, 90_000)] })
  await call("GET", "/platform/internal-accounts")
  await call("GET", `/customers/internal-accounts?customerId=${callers.customerId}&limit=4`)
  await patch({ webhookEndpoint: null })
}

const jobs = async (it: StepWorld) => {
  const { call } = it
  const parked = [await park(it, 11), await park(it, 12, "transfer.push"), await park(it, 13, "card.state")]
  const cursor = encodeURIComponent(idAt(await call("GET", "/jobs/parked?limit=2"), "nextCursor"))
  await call("GET", `/jobs/parked?limit=2&cursor=${cursor}`)
  await call("GET", "/jobs/parked?cursor=x")
  await call("POST", `/jobs/${parked[1]}/drop`)
  for (const id of parked) await call("POST", `/jobs/${id}/resume`)
  await call("POST", `/jobs/${parked[0]}/resume`)
  await call("POST", "/jobs/Job:00000000-0000-7000-8000-000000000099/drop")
}

/** Each filter alone, and a page with a cursor. */
const audits = async ({ call, callers, pay, prepare }: StepWorld) => {
  const [from, to] = [-40, -12].map((seconds) => seconds * 1000)
  const now = await pay.clock.now()
  const at = (millis = 0) => encodeURIComponent(new Date(now + millis).toISOString())
  const newest = await call("GET", "/audit-records?limit=1")
  const config = idAt(newest, "data", 0, "target")
  await prepare("POST", `/customers/${callers.customerId}/end-access`)
  for (const filter of [
    `actor=${idAt(newest, "data", 0, "actor", "id")}&limit=1`,
    "operation=TOKEN_DELETE",
    `target=${config}&limit=1`,
    `customerId=${callers.customerId}`,
    "outcome=DONE&limit=1",
    `startDate=${at(from)}&limit=1&sortOrder=asc`,
    `endDate=${at(to)}&limit=1`,
  ])
    await call("GET", `/audit-records?${filter}`)
  const cursor = encodeURIComponent(idAt(await call("GET", "/audit-records?limit=2&sortOrder=asc"), "nextCursor"))
  await call("GET", `/audit-records?limit=2&sortOrder=asc&cursor=${cursor}`)
  await call("GET", `/audit-records?limit=2&cursor=${cursor}`)
}

export const platformSteps = async (it: StepWorld) => {
  await tokens(it)
  await keys(it)
  await jobs(it)
  await configuration(it)
  await audits(it)
}
