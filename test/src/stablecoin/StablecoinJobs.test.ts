/** Why jobs of stablecoins fail, and which descriptions of a token are a defect. Source: wire contract areas 1.6.2, 1.6.3, 1.6.6. */
import { StablecoinFollowing, StablecoinProviderAccounts, Stablecoins, tenant } from "@countersign/core"
import { StablecoinProvider, vaultOf } from "@countersign/core/ports"
import type { ClaimedJob } from "@countersign/core/store"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { listAll } from "../../../packages/core/src/operation/Listing.ts"
import type {
  CredentialAnswer,
  ProviderInquiry,
  ProviderOutcome,
  TokenAnswer,
} from "../../../packages/core/src/ports/StablecoinProvider.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { idOf, link, mint, mintBody, register, stablecoinWorld, wallet } from "./StablecoinWorld.ts"

const token = {
  _tag: "Described",
  name: "Acme Dollar",
  symbol: "ACME",
  baseCurrency: "USD",
  decimals: 6,
  issuanceStatus: "PROVISIONED",
} as const satisfies TokenAnswer

interface Answers {
  begun: ProviderOutcome
  check: CredentialAnswer
  described: TokenAnswer
  inquired: ProviderInquiry
}

/** A provider whose later answers a test chooses. */
const provider = (first: TokenAnswer = token) => {
  const answers: Answers = {
    begun: { _tag: "Processing" },
    check: { _tag: "Accepted", providerAccountIds: ["account"] },
    described: first,
    inquired: { _tag: "Processing" },
  }
  const asked: Array<string> = []
  const answering = <A>(name: string, answer: () => A) =>
    Effect.sync(() => {
      asked.push(name)
      return answer()
    })
  const layer = Layer.succeed(StablecoinProvider, {
    environment: "SANDBOX",
    check: () => answering("check", () => answers.check),
    describe: () => answering("describe", () => answers.described),
    begin: () => answering("begin", () => answers.begun),
    inquire: () => answering("inquire", () => answers.inquired),
  })
  return { answers, asked, layer }
}

const claimed = (platformId: string, kind: string, payload: ClaimedJob["payload"]): ClaimedJob => ({
  id: "Job:00000000-0000-4000-8000-00000000dead",
  platformId,
  customerId: null,
  kind,
  queue: "work",
  attempt: 1,
  firstClaimedAt: 0,
  dueAt: 0,
  payload,
})

it("a job about an operation fails with what the provider answers instead of a report", async () => {
  const { answers, layer } = provider()
  await using pay = await stablecoinWorld({ ports: layer })
  await link(pay)
  const coin = idOf(await register(pay))
  const id = idOf(await mint(pay, coin, mintBody(await wallet(pay))))
  const job = claimed(pay.platformId, "stablecoin.follow", { stablecoinOperationId: id })
  const reasonFor = async (answer: ProviderInquiry) => {
    answers.inquired = answer
    const followed = Effect.flip(StablecoinFollowing.use((following) => following.follow(job)))
    return (await pay.run(followed, tenant(pay.platformId))) as { readonly reason?: string }
  }
  const said = "the provider does not report the operation"
  expect(await reasonFor({ _tag: "Unknown", cause: "away" })).toMatchObject({ reason: `${said}: Unknown: away` })
  expect(await reasonFor({ _tag: "Unavailable", cause: "down" })).toMatchObject({
    reason: `${said}: Unavailable: down`,
  })
  expect(await reasonFor({ _tag: "NotReceived" })).toMatchObject({ reason: `${said}: NotReceived` })
  expect(await reasonFor({ _tag: "CredentialsRefused" })).toMatchObject({ reason: `${said}: CredentialsRefused` })
  expect((await pay.send("GET", "/stablecoin-provider-accounts")).body).toMatchObject({ data: [{ status: "INVALID" }] })
})

it.each([
  ["CredentialsRefused", "INVALID"],
  ["Withdrawn", "REVOKED"],
] as const)(
  "a job about a token that the provider answers with %s stores that the link is %s",
  async (answer, status) => {
    const { answers, layer } = provider({ ...token, issuanceStatus: "PENDING_REVIEW" })
    await using pay = await harness({ ports: layer })
    await link(pay)
    const coin = idOf(await register(pay))
    answers.described = { _tag: answer }
    const describing = Stablecoins.use((coins) =>
      coins.describe(claimed(pay.platformId, "stablecoin.describe", { stablecoinId: coin })),
    )
    expect(await pay.run(Effect.flip(describing), tenant(pay.platformId))).toMatchObject({
      reason: `the provider does not describe the token: ${answer}`,
    })
    expect((await pay.send("GET", "/stablecoin-provider-accounts")).body).toMatchObject({ data: [{ status }] })
  },
)

it("a job about a token or about credentials fails with what the provider answers", async () => {
  const { answers, layer } = provider({ ...token, issuanceStatus: "PENDING_REVIEW" })
  await using pay = await harness({ ports: layer })
  const accountId = idOf(await link(pay))
  const coin = idOf(await register(pay))
  answers.described = { _tag: "NotFound" }
  const describing = Stablecoins.use((coins) =>
    coins.describe(claimed(pay.platformId, "stablecoin.describe", { stablecoinId: coin })),
  )
  expect(await pay.run(Effect.flip(describing), tenant(pay.platformId))).toMatchObject({
    reason: "the provider does not describe the token: NotFound",
  })
  answers.check = { _tag: "Unavailable", cause: "down" }
  const payload = { stablecoinProviderAccountId: accountId, linkedAt: await pay.clock.now() }
  const checking = StablecoinProviderAccounts.use((accounts) =>
    accounts.check(claimed(pay.platformId, "stablecoin.check", payload)),
  )
  expect(await pay.run(Effect.flip(checking), tenant(pay.platformId))).toMatchObject({
    reason: "the provider does not answer: down",
  })
})

it("a job whose operation or whose credentials are no longer those that it was made for does not ask the provider", async () => {
  const { asked, layer } = provider()
  await using pay = await stablecoinWorld({ ports: layer })
  const accountId = idOf(await link(pay))
  const coin = idOf(await register(pay))
  const id = idOf(await mint(pay, coin, mintBody(await wallet(pay))))
  const before = [...asked]
  const attempt = StablecoinFollowing.use((following) =>
    following.attempt(claimed(pay.platformId, "stablecoin.attempt", { stablecoinOperationId: id })),
  )
  const payload = { stablecoinProviderAccountId: accountId, linkedAt: 1 }
  const check = StablecoinProviderAccounts.use((accounts) =>
    accounts.check(claimed(pay.platformId, "stablecoin.check", payload)),
  )
  await pay.run(Effect.all([Effect.exit(attempt), Effect.exit(check)]), tenant(pay.platformId))
  expect(asked).toEqual(before)
})

it("a provider is not asked where the stored credentials do not open", async () => {
  const { asked, layer } = provider({ ...token, issuanceStatus: "PENDING_REVIEW" })
  await using pay = await stablecoinWorld({ ports: layer })
  const accountId = idOf(await link(pay))
  const linkedAt = await pay.clock.now()
  const coin = idOf(await register(pay))
  const before = [...asked]
  const otherRoot = vaultOf(Redacted.make("b".repeat(32)))
  await using other = await pay.join({ ports: Layer.merge(layer, otherRoot) })
  const checked = Effect.flip(
    StablecoinProviderAccounts.use((accounts) =>
      accounts.check(claimed(pay.platformId, "stablecoin.check", { stablecoinProviderAccountId: accountId, linkedAt })),
    ),
  )
  expect(await other.run(checked, tenant(pay.platformId))).toMatchObject({
    reason: "the stored credentials do not open",
  })
  const described = Effect.flip(
    Stablecoins.use((coins) => coins.describe(claimed(pay.platformId, "stablecoin.describe", { stablecoinId: coin }))),
  )
  expect(await other.run(described, tenant(pay.platformId))).toMatchObject({
    reason: "the provider does not describe the token: Unavailable",
  })
  expect(asked).toEqual(before)
})

it("an operation is followed by no process whose root is another one", async () => {
  const { asked, layer } = provider()
  await using pay = await stablecoinWorld({ ports: layer })
  await link(pay)
  const coin = idOf(await register(pay))
  const id = idOf(await mint(pay, coin, mintBody(await wallet(pay))))
  const before = [...asked]
  await using other = await pay.join({ ports: Layer.merge(layer, vaultOf(Redacted.make("b".repeat(32)))) })
  const job = claimed(pay.platformId, "stablecoin.follow", { stablecoinOperationId: id })
  const followed = Effect.flip(StablecoinFollowing.use((following) => following.follow(job)))
  expect(await other.run(followed, tenant(pay.platformId))).toMatchObject({
    reason: "the provider does not report the operation: Unavailable: the stored credentials do not open",
  })
  expect(asked).toEqual(before)
})

it("a mint that may have begun is kept by a process whose root is another one, and begun once", async () => {
  const { answers, asked, layer } = provider()
  await using pay = await stablecoinWorld({ ports: layer })
  await link(pay)
  const coin = idOf(await register(pay))
  const body = mintBody(await wallet(pay))
  answers.begun = { _tag: "Unknown", cause: "lost" }
  expect((await mint(pay, coin, body, "once")).status).toBe(503)
  await using other = await pay.join({ ports: Layer.merge(layer, vaultOf(Redacted.make("b".repeat(32)))) })
  expect((await mint(other, coin, body, "once")).status).toBe(503)
  const [stored, ...more] = await pay.run(listAll("StablecoinOperation", {}), tenant(pay.platformId))
  expect([stored?.data.request, more]).toEqual([expect.anything(), []])
  const again = await mint(pay, coin, body, "once")
  expect([again.status, idOf(again)]).toEqual([201, stored?.id])
  expect(asked.filter((call) => call === "begin")).toEqual(["begin"])
})

it("an operation that the provider has not begun is not shown", async () => {
  const { answers, layer } = provider()
  await using pay = await stablecoinWorld({ ports: layer })
  await link(pay)
  const coin = idOf(await register(pay))
  answers.begun = { _tag: "Unknown", cause: "lost" }
  expect((await mint(pay, coin, mintBody(await wallet(pay)))).status).toBe(503)
  const [stored] = await pay.run(listAll("StablecoinOperation", {}), tenant(pay.platformId))
  expect(stored?.data.status).toBe("CREATED")
  expect((await pay.send("GET", `/stablecoin-operations/${stored?.id}`)).status).toBe(404)
})

describe("a token", () => {
  it.each([
    [0, 201],
    [36, 201],
    [37, 500],
    [-1, 500],
    [1.5, 500],
  ])("with %d decimals is answered with %d", async (decimals, status) => {
    await using pay = await harness({ ports: provider({ ...token, decimals }).layer })
    await link(pay)
    expect((await register(pay)).status).toBe(status)
  })
})
