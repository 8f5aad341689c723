/** Links, tokens, mints and burns that a provider of stablecoins refuses, delays, loses, fails or reports by itself. */
import { StablecoinOperations } from "@countersign/core"
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import { burnBody, credentials, mintBody, token } from "../stablecoin/StablecoinWorld.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

const accounts = "/stablecoin-provider-accounts"
const unknown = "01a1fdfa-4600-7000-8000-00000000ffff"
const sparkAddress = "spark1pgssy75lcn5suv6c0k3v0mq3xedcpfw2au2rjh5r4rxly9euvxr2h584rg25"

/** Sends a request with a key of its own choice. */
const keyed = ({ callers, prepare }: TranscriptSteps, path: string, body: object, key: string) =>
  prepare("POST", path, body, { ...callers.full.headers, "idempotency-key": key })

let keys = 0
const post = (it: TranscriptSteps, path: string, body: object) => {
  keys += 1
  return keyed(it, path, body, `provider-${keys}`)
}

const link = (it: TranscriptSteps, client: string, more: object = {}) =>
  post(it, accounts, { ...credentials(`provider_client_${client}`), ...more })

const register = (it: TranscriptSteps, name: string, more: object = {}) => post(it, "/stablecoins", token(name, more))

const links = async (it: TranscriptSteps) => {
  const { answerNext, call, pay } = it
  await register(it, "ACME")
  await link(it, "002")
  await link(it, "006")
  answerNext("StablecoinProvider.check", { _tag: "Unavailable", cause: "away" })
  await link(it, "100")
  answerNext("StablecoinProvider.check", { _tag: "Accepted", providerAccountIds: [] })
  await link(it, "100")
  answerNext("StablecoinProvider.check", { _tag: "Accepted", providerAccountIds: ["other"] })
  await link(it, "100", { providerAccountId: "mine" })
  const withdrawn = idAt(await link(it, "004"), "id")
  await pay.clock.advance("3 seconds")
  const refused = idAt(await link(it, "003"), "id")
  await register(it, "ACME")
  // The provider is away, then still accepts, then reaches another account.
  const again = { _tag: "Accepted", providerAccountIds: ["mine"], checkAgainAt: (await pay.clock.now()) + 5000 }
  answerNext("StablecoinProvider.check", again)
  const mine = idAt(await link(it, "100", { providerAccountId: "mine" }), "id")
  await link(it, "101", { providerAccountId: "mine" })
  answerNext("StablecoinProvider.check", { ...again, checkAgainAt: (await pay.clock.now()) + 20_000 })
  await pay.clock.advance("5 seconds")
  answerNext(
    "StablecoinProvider.check",
    { _tag: "Unavailable", cause: "away" },
    { _tag: "Accepted", providerAccountIds: ["other"] },
  )
  await pay.clock.advance("1 minute")
  for (const id of [refused, withdrawn, mine]) await call("GET", `${accounts}/${id}`)
  for (const id of [refused, withdrawn]) await register(it, "ACME", { stablecoinProviderAccountId: id })
  await register(it, "ACME")
  await register(it, "ACME", { stablecoinProviderAccountId: `StablecoinProviderAccount:${unknown}` })
  // An invalid account gets new credentials, and a revoked one is linked anew.
  await link(it, "100", { providerAccountId: "mine" })
  await link(it, "004")
  await pay.clock.advance("2 minutes")
  for (const query of [
    "?provider=BRALE",
    "?status=ACTIVE",
    "?status=INVALID",
    "?status=REVOKED&limit=1",
    "?status=NONE",
  ]) {
    await call("GET", `${accounts}${query}`)
  }
  const page = await call("GET", `${accounts}?limit=1`)
  await call("GET", `${accounts}?limit=2&cursor=${encodeURIComponent(idAt(page, "nextCursor"))}`)
  await call("GET", `${accounts}/StablecoinProviderAccount:${unknown}`)
  return { mine, refused }
}

const describedAs = (issuanceStatus: string, more: object = {}) => ({
  _tag: "Described",
  name: "Zero",
  symbol: "ZER",
  baseCurrency: "USD",
  decimals: 0,
  issuanceStatus,
  ...more,
})

const tokens = async (it: TranscriptSteps) => {
  const { answerNext, call, pay } = it
  answerNext("StablecoinProvider.describe", { _tag: "NotFound" }, { _tag: "Unavailable", cause: "away" })
  for (const name of ["NONE", "AWAY"]) await register(it, name)
  const coin = idAt(await register(it, "ACME"), "id")
  await register(it, "ACME")
  await register(it, "REJ002")
  const rejected = idAt(await register(it, "REJ002"), "id")
  await pay.clock.advance("3 seconds")
  const failing = idAt(await register(it, "FAIL003"), "id")
  answerNext("StablecoinProvider.describe", describedAs("PROVISIONED"), describedAs("PENDING_REVIEW"))
  const whole = idAt(await register(it, "ZERO"), "id")
  const waiting = idAt(await register(it, "SLOW"), "id")
  await pay.clock.advance("14 minutes")
  answerNext("StablecoinProvider.describe", { _tag: "Unavailable", cause: "away" }, describedAs("PENDING_REVIEW"))
  await pay.clock.advance("10 minutes")
  answerNext("StablecoinProvider.describe", describedAs("PROVISIONING"), describedAs("REJECTED"))
  await pay.clock.advance("1 hour")
  const pending = idAt(await register(it, "WAIT001"), "id")
  for (const id of [rejected, failing, whole, waiting, pending]) await call("GET", `/stablecoins/${id}`)
  await register(it, "FAIL003")
  for (const query of [
    "?issuanceStatus=PROVISIONED",
    "?issuanceStatus=REJECTED&limit=1",
    "?serviceOperationsStatus=NOT_ENABLED&limit=1",
    "?serviceOperationsStatus=ENABLED",
    "?provider=BRALE&issuanceStatus=PENDING_REVIEW",
  ]) {
    await call("GET", `/stablecoins${query}`)
  }
  const page = await call("GET", "/stablecoins?limit=2")
  await call("GET", `/stablecoins?limit=2&cursor=${encodeURIComponent(idAt(page, "nextCursor"))}`)
  await call("GET", `/stablecoins/Stablecoin:${unknown}`)
  return { coin, pending, whole }
}

interface Coins {
  readonly coin: string
  readonly pending: string
  readonly whole: string
}

const bankOf = async ({ callers, prepare }: TranscriptSteps, suffix: string) =>
  idAt(await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, suffix, "8888888")), "id")

const walletOf = async ({ callers, prepare }: TranscriptSteps, suffix: string) => {
  const accountInfo = { accountType: "SPARK_WALLET", address: `${sparkAddress}${suffix}` }
  const body = { customerId: callers.customerId, currency: "BTC", accountInfo }
  return idAt(await prepare("POST", "/customers/external-accounts", body), "id")
}

const debit = (externalAccountId: string, type = "ACH_DEBIT") => ({ type, externalAccountId })

const refusals = async (it: TranscriptSteps, { coin, pending, whole }: Coins) => {
  const { callers, prepare } = it
  const to = await walletOf(it, "200")
  const from = await bankOf(it, "100")
  const mint = (body: object, id = coin) => post(it, `/stablecoins/${id}/mints`, body)
  const burn = (body: object, id = coin) => post(it, `/stablecoins/${id}/burns`, body)
  const internal = { type: "SERVICE_INTERNAL_ACCOUNT", accountId: callers.accountId }
  const balance = { type: "PROVIDER_INTERNAL_BALANCE", sourceTokenIdentifier: "USDC", cryptoNetwork: "SOLANA" }
  const missing = `ExternalAccount:${unknown}`
  for (const source of [internal, balance]) await mint(mintBody(to, source))
  for (const destination of [callers.accountId, missing, from]) await mint(mintBody(destination))
  for (const source of [debit(missing), debit(to)]) await mint(mintBody(to, source))
  for (const amount of ["0", "9999", "10001", "90071992547409920000"])
    await mint(mintBody(to, { type: "WIRE" }, { amount }))
  await mint(mintBody(to), pending)
  await mint(mintBody(to), `Stablecoin:${unknown}`)
  await burn(burnBody(from, internal))
  for (const destination of [missing, to]) await burn(burnBody(destination))
  await burn(burnBody(from), pending)
  for (const amount of ["0", "7", "0090071992547409", "90071992547410"])
    await mint(mintBody(to, { type: "WIRE" }, { amount }), whole)
  const idle = await bankOf(it, "101")
  await prepare("POST", `/sandbox/external-accounts/${idle}/status`, { status: "INACTIVE" })
  await mint(mintBody(to, debit(idle)))
  await burn(burnBody(idle))
}

/** Outcomes by the ends of the account that pays, else of the one that is paid. */
const outcomes = async (it: TranscriptSteps, { coin }: Coins) => {
  const { call, pay } = it
  const made: Array<string> = []
  const mint = async (body: object) => {
    made.push(idAt(await post(it, `/stablecoins/${coin}/mints`, body), "id"))
    await pay.clock.advance("250 millis")
  }
  for (const suffix of ["002", "005"]) {
    await mint(mintBody(await walletOf(it, suffix), { type: "WIRE" }, { amount: `0${suffix}0000` }))
  }
  await mint(mintBody(await walletOf(it, "220"), debit(await bankOf(it, "004")), { description: "First" }))
  await mint(mintBody(await walletOf(it, "202"), debit(await bankOf(it, "203"), "SAME_DAY_ACH_DEBIT")))
  await mint(mintBody(await walletOf(it, "006"), { type: "WIRE" }, { amount: "7770000" }))
  const unfunded = made.at(-1) ?? ""
  const burned: Array<string> = []
  const paid = await bankOf(it, "204")
  for (const rail of ["WIRE", "SAME_DAY_ACH_CREDIT"]) {
    const destination = { type: "EXTERNAL_ACCOUNT", externalAccountId: paid, rail }
    const body = burnBody("", { type: "PROVIDER_INTERNAL_BALANCE" }, { destination, amount: "3330000" })
    burned.push(idAt(await post(it, `/stablecoins/${coin}/burns`, { ...body, description: `By ${rail}` }), "id"))
  }
  await pay.clock.advance("1 minute")
  for (const id of [...made.slice(1), ...burned.slice(1)]) await call("GET", `/stablecoin-operations/${id}`)
  const list = `/stablecoins/${coin}/operations`
  for (const query of ["?operationType=BURN&limit=2", "?operationType=MINT&limit=1"])
    await call("GET", `${list}${query}`)
  const page = await call("GET", `${list}?limit=2`)
  await call("GET", `${list}?limit=3&cursor=${encodeURIComponent(idAt(page, "nextCursor"))}`)
  await call("GET", `/stablecoins/Stablecoin:${unknown}/operations`)
  return unfunded
}

/** Instructions whose answers are lost, and their requests repeated with the same key. */
const attempts = async (it: TranscriptSteps, { coin }: Coins) => {
  const { answerNext, call, pay } = it
  const to = await walletOf(it, "300")
  const body = mintBody(to, { type: "WIRE" }, { amount: "4560000" })
  const mint = (key: string, other: object = body) => keyed(it, `/stablecoins/${coin}/mints`, other, key)
  const lost = { _tag: "Unknown", cause: "connection lost" }
  answerNext("StablecoinProvider.begin", lost, lost)
  answerNext("StablecoinProvider.inquire", lost, { _tag: "NotReceived" })
  await mint("lost")
  const records = await call("GET", "/operator/records?type=StablecoinOperation&limit=1")
  await call("GET", `/stablecoin-operations/${idAt(records, "data", 0, "id")}`)
  await pay.clock.advance("7 seconds")
  await mint("lost", { ...body, amount: "4570000" })
  for (const _ of [1, 2, 3, 4]) await mint("lost")
  await pay.clock.advance("7 minutes")
  const listed = await call("GET", `/stablecoins/${coin}/operations?limit=1`)
  await call("GET", `/stablecoin-operations/${idAt(listed, "data", 0, "id")}`)
  // The provider is certainly not reached, and the key begins another operation.
  answerNext("StablecoinProvider.begin", { _tag: "Unavailable", cause: "down" })
  await mint("down")
  await mint("down")
  await pay.clock.advance("10 minutes")
  // Nobody repeats the request: a job finds the operation, or that the provider has not received it.
  answerNext("StablecoinProvider.begin", lost, lost)
  await mint("left")
  await mint("left too", { ...body, amount: "4580000" })
  answerNext("StablecoinProvider.inquire", lost, { _tag: "NotReceived" }, { _tag: "Unavailable", cause: "down" })
  await pay.clock.advance("61 seconds")
  await pay.clock.advance("20 minutes")
  await mint("left")
  await mint("left too", { ...body, amount: "4580000" })
  // A first answer that is beyond the first status.
  const debitBody = mintBody(to, debit(await bankOf(it, "301")), { amount: "5550000" })
  answerNext("StablecoinProvider.begin", { _tag: "Processing" }, { _tag: "Failed", reason: "FUNDING_RETURNED" })
  answerNext("StablecoinProvider.inquire", { _tag: "Processing", providerStatus: "at work" }, lost)
  await mint("beyond", debitBody)
  await mint("ended", { ...debitBody, amount: "5560000" })
  await pay.clock.advance("5 minutes")
  await pay.clock.advance("20 minutes")
}

/** What the provider reports by itself, early, late and twice. */
const reports = async (it: TranscriptSteps, { coin }: Coins) => {
  const { answerNext, call, pay } = it
  const body = mintBody(await walletOf(it, "400"), { type: "WIRE" }, { amount: "6660000" })
  const waiting = { _tag: "AwaitsFunding", fundingInstructions: { rail: "WIRE", reference: "R7" } } as const
  answerNext("StablecoinProvider.begin", waiting, waiting)
  const one = idAt(await post(it, `/stablecoins/${coin}/mints`, body), "id")
  const two = idAt(await post(it, `/stablecoins/${coin}/mints`, { ...body, amount: "6670000" }), "id")
  const report = async (id: string, reported: Parameters<(typeof StablecoinOperations)["Service"]["report"]>[1]) => {
    await pay.run(StablecoinOperations.use((all) => all.report(id, reported)))
    await pay.clock.advance("2 seconds")
    await call("GET", `/stablecoin-operations/${id}`)
  }
  await report(one, { _tag: "Accepted", providerStatus: "seen" })
  await report(one, { _tag: "Processing", providerStatus: "minting" })
  await report(one, { ...waiting, providerStatus: "late" })
  await report(one, { _tag: "Failed", reason: "PROVIDER_TRANSFER_FAILED" })
  await report(one, { _tag: "Completed" })
  // The time for its funding ends before the provider is asked again.
  answerNext("StablecoinProvider.begin", { ...waiting, askAgainAt: (await pay.clock.now()) + 30 * 86_400_000 })
  await post(it, `/stablecoins/${coin}/mints`, { ...body, amount: "6680000" })
  await report(two, { _tag: "Completed", providerStatus: "complete" })
}

/** Credentials that the provider refuses or withdraws while operations are under way. */
const troubles = async (it: TranscriptSteps, { coin }: Coins, { mine, refused }: Awaited<ReturnType<typeof links>>) => {
  const { answerNext, call, pay } = it
  const to = await walletOf(it, "500")
  const body = mintBody(to, { type: "WIRE" }, { amount: "8880000" })
  const mint = (key: string, id = coin) => keyed(it, `/stablecoins/${id}/mints`, body, key)
  answerNext("StablecoinProvider.begin", { _tag: "CredentialsRefused" })
  await mint("refused")
  await mint("refused again")
  await call("GET", `${accounts}/${mine}`)
  await link(it, "100", { providerAccountId: "mine" })
  const lost = { _tag: "Unknown", cause: "connection lost" }
  answerNext("StablecoinProvider.begin", lost)
  answerNext("StablecoinProvider.inquire", { _tag: "CredentialsRefused" })
  await mint("refused late")
  await mint("refused late")
  await link(it, "100", { providerAccountId: "mine" })
  await pay.clock.advance("5 minutes")
  await mint("refused late")
  await mint("followed")
  answerNext("StablecoinProvider.inquire", { _tag: "Withdrawn" }, { _tag: "Withdrawn" })
  await pay.clock.advance("1 minute")
  await call("GET", `${accounts}/${mine}`)
  await mint("revoked")
  // A registration and a question about an issuance are refused.
  answerNext("StablecoinProvider.check", { _tag: "Accepted", providerAccountIds: ["second"] })
  const second = idAt(await link(it, "700", { providerAccountId: "second" }), "id")
  await register(it, "SOON001", { stablecoinProviderAccountId: second })
  answerNext("StablecoinProvider.describe", { _tag: "Withdrawn" })
  await pay.clock.advance("1 minute")
  await call("GET", `${accounts}/${second}`)
  for (const [index, _tag] of (["CredentialsRefused", "Withdrawn"] as const).entries()) {
    const id = idAt(await link(it, `80${index}`), "id")
    await pay.clock.advance("3 seconds")
    answerNext("StablecoinProvider.describe", { _tag })
    await register(it, `NEVER${index}`, { stablecoinProviderAccountId: id })
    await call("GET", `${accounts}/${id}`)
  }
  await call("GET", `${accounts}/${refused}`)
  // What a job finds settled already: the link, and the issuance.
  const checkAgainAt = (await pay.clock.now()) + 3_600_000
  answerNext("StablecoinProvider.check", { _tag: "Accepted", providerAccountIds: ["third"], checkAgainAt })
  const third = { stablecoinProviderAccountId: idAt(await link(it, "900", { providerAccountId: "third" }), "id") }
  const last = idAt(await register(it, "LAST", third), "id")
  answerNext("StablecoinProvider.begin", { _tag: "Withdrawn" })
  await mint("withdrawn", last)
  await pay.clock.advance("1 hour")
}

export const providerSteps = async (it: TranscriptSteps) => {
  keys = 0
  const linked = await links(it)
  const coins = await tokens(it)
  await refusals(it, coins)
  const unfunded = await outcomes(it, coins)
  await attempts(it, coins)
  await reports(it, coins)
  await troubles(it, coins, linked)
  await it.pay.clock.advance("8 days")
  await it.call("GET", `/stablecoin-operations/${unfunded}`)
}
