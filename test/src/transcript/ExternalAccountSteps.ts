/** External accounts whose verifier answers late, what it reports later, every change of status, proofs of ownership, and deletions. */
import { AccountVerifications, Ownerships } from "@countersign/core"
import { type BeneficiaryAnswer, type BeneficiaryResult, Verifier } from "@countersign/core/ports"
import { Clock, Effect, Layer } from "effect"
import { address, sign } from "../account/EthereumWallet.ts"
import { evm } from "../account/ExternalAccountRequests.ts"
import { externalAccountBody, idAt, quoteBetween } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"
import { signIn as signInBySca } from "../sca/TrustRequests.ts"
import { ownedWallets } from "./WalletKeys.ts"

const matched = { _tag: "Result", status: "MATCHED" } as const
const unknown = { _tag: "Unknown", cause: "the bank does not answer" } as const

/** The first answer about an account, and the later ones, by the end of its number. `undefined`: an answer in 90 seconds. */
const answers: Readonly<Record<string, ReadonlyArray<BeneficiaryResult | undefined>>> = {
  "201": [undefined, undefined, { ...matched, verifiedData: { fullName: "A. Lovelace" } }],
  "202": [{ ...matched, account: "UNDER_REVIEW" }],
  "203": [{ ...matched, account: "INACTIVE" }],
  "204": [{ _tag: "Invalid" }],
  "205": [unknown, unknown, { ...matched, status: "NOT_MATCHED" }],
  "206": [undefined, { _tag: "Invalid" }],
  "207": [undefined, { ...matched, account: "UNDER_REVIEW" }],
  "208": [{ ...matched, status: "PARTIAL_MATCH", verifiedData: { fullName: "Ada King" } }],
}

export const lateVerifier = Layer.effect(
  Verifier,
  Effect.map(Verifier, (inner) => {
    const counts = new Map<string, number>()
    const verifyBeneficiary: typeof inner.verifyBeneficiary = (check) => {
      const suffix = String(Object(check.accountInfo).accountNumber).slice(-3)
      const count = counts.get(suffix) ?? 0
      counts.set(suffix, count + 1)
      const known = answers[suffix]
      if (known === undefined) return inner.verifyBeneficiary(check)
      const later = (now: number): BeneficiaryResult => ({ _tag: "Later", at: now + 90_000 })
      return Effect.map(Clock.currentTimeMillis, (now) => known[Math.min(count, known.length - 1)] ?? later(now))
    }
    return { ...inner, verifyBeneficiary }
  }),
)

const ofCustomers = "/customers/external-accounts"
const ofPlatform = "/platform/external-accounts"

const verifications = async ({ call, callers, pay }: StepWorld) => {
  const made = new Map<string, string>()
  for (const suffix of [...Object.keys(answers), "102", "103", "104", "105", "106", "107"]) {
    const body = externalAccountBody(callers, suffix)
    const reply = await call("POST", ofCustomers, { body })
    if (reply.status === 201) made.set(suffix, idAt(reply, "id"))
    await pay.clock.advance("7 seconds")
  }
  await call("POST", ofCustomers, { body: externalAccountBody(callers, "208") })
  await call("POST", ofPlatform, { body: { ...externalAccountBody(callers, "208"), customerId: undefined } })
  const id = (suffix: string) => made.get(suffix) ?? ""
  await call("POST", "/transfer-in", {
    body: { source: { accountId: id("201") }, destination: { accountId: callers.accountId }, amount: 30 },
  })
  for (const suffix of ["202", "203"])
    await call("POST", "/quotes", { body: quoteBetween(callers.accountId, id(suffix), 40) })
  await pay.clock.advance("2 minutes")
  await pay.clock.advance("10 minutes")
  for (const suffix of ["201", "205", "206", "207"]) await call("GET", `${ofCustomers}/${id(suffix)}`)
  const report = (suffix: string, answer: BeneficiaryAnswer) =>
    pay.run(AccountVerifications.use((all) => all.report(id(suffix), answer)))
  await report("208", { ...matched, status: "PARTIAL_MATCH", verifiedData: { fullName: "Ada King" } })
  await report("208", { ...matched, status: "PARTIAL_MATCH", verifiedData: { fullName: "Ada B. King" } })
  await report("202", matched)
  await report("207", { ...matched, account: "ACTIVE" })
  await report("104", { _tag: "Invalid" })
  await call("GET", `${ofCustomers}/${id("208")}`)
  await call("DELETE", `${ofCustomers}/${id("208")}`)
  await report("208", { _tag: "Invalid" })
  await call("GET", `${ofCustomers}/${id("208")}`)
  await call("DELETE", `${ofCustomers}/${id("208")}`)
}

const statuses = async ({ call, callers, pay }: StepWorld) => {
  const made = await call("POST", ofCustomers, {
    body: { ...externalAccountBody(callers, "301"), defaultUmaDepositAccount: true, platformAccountId: "acc-301" },
  })
  await call("POST", ofCustomers, {
    body: { ...externalAccountBody(callers, "302"), defaultUmaDepositAccount: true },
  })
  await call("GET", `${ofCustomers}/${idAt(made, "id")}`)
  const path = `/sandbox/external-accounts/${idAt(made, "id")}/status`
  for (const status of ["PENDING", "UNDER_REVIEW", "ACTIVE", "INACTIVE", "ACTIVE", "CLOSED", "UNVERIFIED"]) {
    await call("POST", path, { body: { status } })
    await pay.clock.advance("11 seconds")
  }
  await call("POST", ofPlatform, { body: { ...evm(`0x${"d1".repeat(20)}`), defaultUmaDepositAccount: true } })
  await call("POST", ofCustomers, { body: { ...evm(`0x${"d3".repeat(20)}`), defaultUmaDepositAccount: true } })
  const nobody = "Customer:00000000-0000-7000-8000-000000000009"
  await call("POST", ofCustomers, { body: { ...evm(`0x${"d2".repeat(20)}`), customerId: nobody } })
}

/** Proofs by a signature of each kind, by liveness, and those that are wrong, late, repeated or of another wallet. */
const ownership = async (it: StepWorld) => {
  const { call, callers, pay, prepare } = it
  const european = await prepare("POST", "/customers", { customerType: "INDIVIDUAL", fullName: "Emmy", region: "EU" })
  const customerId = idAt(european, "id")
  const signed = { body: { method: "WALLET_SIGNATURE" } }
  const open = async (body: object) => `${ofCustomers}/${idAt(await call("POST", ofCustomers, { body }), "id")}`
  for (const { accountType, address: own, currency, sign: signBy } of ownedWallets) {
    const accountInfo = { accountType, address: own }
    const path = await open({ customerId, currency, accountInfo, ownershipType: "FIRST_PARTY" })
    const challenge = await call("POST", `${path}/challenge`, signed)
    const message = idAt(challenge, "messageToSign")
    await call("POST", `${path}/verify`, { body: { signature: signBy(`${message} `) } })
    const again = idAt(await call("POST", `${path}/challenge`, signed), "messageToSign")
    const signatureScheme = accountType === "SPARK_WALLET" ? { signatureScheme: "electrum" } : {}
    await call("POST", `${path}/verify`, { body: { signature: ` ${signBy(again)} `, ...signatureScheme } })
  }
  const path = await open({ ...evm(address, { ownershipType: "FIRST_PARTY" }), customerId })
  const id = path.split("/").at(-1) ?? ""
  const accounts = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDC`)
  const send = () => call("POST", "/quotes", { body: quoteBetween(idAt(accounts, "data", 0, "id"), id, 3) })
  await send()
  await call("POST", `${path}/verify`, { body: { signature: "0x00" } })
  const late = idAt(await call("POST", `${path}/challenge`, signed), "messageToSign")
  await pay.clock.advance("1 day")
  await call("POST", `${path}/verify`, { body: { signature: sign(late) } })
  await call("POST", `${path}/challenge`, { body: { method: "LIVENESS" } })
  await call("POST", `${path}/verify`, { body: { signature: sign(late) } })
  const report = (isOwner: boolean) => pay.run(Ownerships.use((all) => all.report(id, isOwner)))
  await report(false)
  await report(true)
  await send()
  await call("GET", path)
  await call("POST", `${path}/challenge`, { body: { method: "LIVENESS" } })
  await report(true)
  await call("POST", `${path}/challenge`, signed)
  const outside = evm(`0x${"e5".repeat(20)}`)
  for (const [ownershipType, digit] of [
    ["THIRD_PARTY", "e"],
    ["FIRST_PARTY", "f"],
  ] as const) {
    const held = { ...evm(`0x${digit.repeat(40)}`).accountInfo, vaspName: "Meridian Custody" }
    await call(
      "POST",
      `${await open({ currency: "USDC", ownershipType, accountInfo: held, customerId })}/challenge`,
      signed,
    )
  }
  await call("POST", `${await open({ ...outside, customerId: callers.customerId })}/challenge`, signed)
}

/** A trusted account is not deleted, and one that leaves ACTIVE is trusted no more. */
const trust = async ({ call, pay, prepare }: StepWorld) => {
  const body = { customerType: "INDIVIDUAL", fullName: "Emmy", region: "EU", phoneNumber: "+14155550123" }
  const customerId = idAt(await prepare("POST", "/customers", body), "id")
  await signInBySca(pay, customerId)
  const account = idAt(await call("POST", ofCustomers, { body: externalAccountBody({ customerId }, "501") }), "id")
  const path = `${ofCustomers}/${account}`
  const challengeId = idAt(await call("POST", `${path}/trust`), "scaChallenge", "id")
  await call("POST", `${path}/trust/confirm`, { body: { challengeId, code: "123456" } })
  await call("DELETE", path)
  await call("POST", `/sandbox/external-accounts/${account}/status`, { body: { status: "UNDER_REVIEW" } })
  await call("DELETE", path)
}

/** What agents may not add or delete. */
const agents = async ({ call, callers, prepare }: StepWorld) => {
  const { agent, neighbour } = callers
  const path = "/agents/me/external-accounts"
  const made = idAt(
    await call("POST", path, { body: { ...externalAccountBody(callers, "401"), customerId: undefined } }),
    "id",
  )
  await call("POST", path, { body: externalAccountBody(callers, "401"), agent: neighbour })
  await call("DELETE", `${path}/${made}`, { agent: neighbour })
  await prepare("PATCH", `/agents/${agent.agentId}/policy`, { permissions: ["VIEW_TRANSACTIONS"] })
  await call("POST", path, { body: externalAccountBody(callers, "402") })
  await call("DELETE", `${path}/${made}`)
  await call("GET", `${path}?limit=1`)
}

/** The directories, with each filter alone and a page of each. */
const directories = async ({ call }: StepWorld) => {
  const lists = ["/discoveries?country=PH", "/discoveries?currency=NGN", "/discoveries?country=NG&currency=PHP"]
  for (const path of [...lists, "/discoveries", "/uma-providers?limit=1&sortOrder=asc"]) await call("GET", path)
  const cursor = idAt(await call("GET", "/vasps?limit=2"), "nextCursor")
  await call("GET", `/vasps?limit=2&cursor=${encodeURIComponent(cursor)}`)
  await call("GET", "/vasps?limit=2&cursor=x")
}

export const externalAccountSteps = async (it: StepWorld) => {
  await it.prepare("POST", `/sandbox/internal-accounts/${it.callers.accountId}/fund`, { amount: 9000 })
  await verifications(it)
  await statuses(it)
  await ownership(it)
  await trust(it)
  await agents(it)
  await directories(it)
}
