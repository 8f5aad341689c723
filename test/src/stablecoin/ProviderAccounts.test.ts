/** Links to providers of stablecoins, and registrations, over HTTP in the sandbox. Source: wire contract areas 1.6.2, 1.6.3, 1.6.7, 1.6.9. */

import { tenant } from "@countersign/core"
import { StablecoinProvider } from "@countersign/core/ports"
import { SandboxStablecoins } from "@countersign/core/sandbox"
import { Clock, Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { replayKeyOf } from "../../../packages/core/src/operation/Idempotency.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { codeOf, credentials, idOf, link, newKey, post, register, stablecoinWorld, token } from "./StablecoinWorld.ts"

const linkPath = "/stablecoin-provider-accounts"

describe("a link", () => {
  it("is active, and shows no credentials", async () => {
    await using pay = await stablecoinWorld()
    const linked = await link(pay, "provider_client_123", { providerAccountId: "2VcUIonJeVQzFoBuC7LdFT0dRe4" })
    const resource = {
      id: expect.stringMatching(/^StablecoinProviderAccount:/u),
      provider: "BRALE",
      providerAccountId: "2VcUIonJeVQzFoBuC7LdFT0dRe4",
      providerEnvironment: "SANDBOX",
      status: "ACTIVE",
      lastVerifiedAt: "2026-11-21T12:00:00Z",
      createdAt: "2026-11-21T12:00:00Z",
      updatedAt: "2026-11-21T12:00:00Z",
    }
    expect([linked.status, linked.body]).toEqual([201, resource])
    expect((await pay.send("GET", `${linkPath}/${idOf(linked)}`)).body).toEqual(linked.body)
    expect((await pay.send("GET", linkPath)).body).toEqual({ data: [linked.body], hasMore: false, totalCount: 1 })
    expect((await pay.send("GET", `${linkPath}?status=INVALID`)).body).toMatchObject({ totalCount: 0 })
    expect((await pay.send("GET", `${linkPath}?provider=BRALE&status=ACTIVE`)).body).toMatchObject({ totalCount: 1 })
    const unknown = await pay.send("GET", `${linkPath}/StablecoinProviderAccount:01a1fdfa-4600-7000-8000-00000000ffff`)
    expect(codeOf(unknown)).toEqual([404, "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND", undefined])
  })

  // Proves: ERR-STABLECOIN_PROVIDER_ACCOUNT_INVALID
  it("is refused with bad credentials, and while it is active", async () => {
    await using pay = await stablecoinWorld()
    expect(codeOf(await link(pay, "client_002"))).toEqual([400, "STABLECOIN_PROVIDER_ACCOUNT_INVALID", undefined])
    expect((await link(pay, "client_100")).status).toBe(201)
    expect(codeOf(await link(pay, "client_100"))).toEqual([409, "CONFLICT", "PROVIDER_ACCOUNT_LINKED"])
    expect((await pay.send("GET", linkPath)).body).toMatchObject({ totalCount: 1 })
  })

  it("names the account if the credentials reach several", async () => {
    await using pay = await stablecoinWorld()
    const refused = await link(pay, "client_006")
    expect(codeOf(refused)).toEqual([400, "INVALID_INPUT", "PROVIDER_ACCOUNT_ID_REQUIRED"])
    expect(at(refused, "details", "errors", 0, "field")).toBe("providerAccountId")
    const one = await link(pay, "client_006", { providerAccountId: "one" })
    const two = await link(pay, "client_006", { providerAccountId: "two" })
    expect([at(one, "providerAccountId"), at(two, "providerAccountId")]).toEqual(["one", "two"])
  })

  it.each([
    ["003", "INVALID"],
    ["004", "REVOKED"],
  ])("with the suffix %s is %s after 30 seconds", async (suffix, status) => {
    await using pay = await stablecoinWorld()
    const id = idOf(await link(pay, `client_${suffix}`))
    await pay.clock.advance(29_999)
    expect((await pay.send("GET", `${linkPath}/${id}`)).body).toMatchObject({ status: "ACTIVE" })
    await pay.clock.advance(1)
    expect((await pay.send("GET", `${linkPath}/${id}`)).body).toMatchObject({
      status,
      lastVerifiedAt: "2026-11-21T12:00:00Z",
      updatedAt: "2026-11-21T12:00:30Z",
    })
    const audit = await pay.send("GET", "/audit-records?operation=STABLECOIN_PROVIDER_STATUS")
    expect(at(audit, "data")).toMatchObject([{ target: id, actor: { type: "SERVICE" }, details: { status } }])
  })

  it("that is invalid gets new credentials under its id; a revoked one is linked as another", async () => {
    await using pay = await stablecoinWorld()
    const account = { providerAccountId: "mine" }
    const first = idOf(await link(pay, "client_003", account))
    await pay.clock.advance("30 seconds")
    const again = await link(pay, "client_100", account)
    const ciphertexts = JSON.stringify(await pay.snapshot()).match(/"ciphertext":"[0-9a-f]+"/gu) ?? []
    expect(new Set(ciphertexts).size, "the earlier secret is erased").toBe(1)
    expect(again.body).toMatchObject({ id: first, status: "ACTIVE", lastVerifiedAt: "2026-11-21T12:00:30Z" })
    // The check of the earlier credentials does not concern the new ones.
    await pay.clock.advance("1 hour")
    expect((await pay.send("GET", `${linkPath}/${first}`)).body).toMatchObject({ status: "ACTIVE" })
    const revoked = idOf(await link(pay, "client_004", { providerAccountId: "other" }))
    await pay.clock.advance("30 seconds")
    const anew = idOf(await link(pay, "client_100", { providerAccountId: "other" }))
    expect(anew).not.toBe(revoked)
  })

  it("is checked at the time of its present credentials, not of earlier ones", async () => {
    let refuses = true
    const refusingOnce = Layer.effect(
      StablecoinProvider,
      Effect.map(StablecoinProvider, (inner) => ({
        ...inner,
        describe: () => Effect.succeed({ _tag: refuses ? "CredentialsRefused" : "NotFound" } as const),
      })),
    ).pipe(Layer.provide(SandboxStablecoins.layer))
    await using pay = await harness({ ports: refusingOnce })
    const id = idOf(await link(pay, "client_003"))
    const status = async () => at(await pay.send("GET", `${linkPath}/${id}`), "status")
    await register(pay)
    expect(await status()).toBe("INVALID")
    refuses = false
    await pay.clock.advance("10 seconds")
    await link(pay, "client_003")
    await pay.clock.advance("29 seconds")
    expect(await status()).toBe("ACTIVE")
    await pay.clock.advance("1 second")
    expect(await status()).toBe("INVALID")
  })

  it("needs a key and valid fields, and lists every problem", async () => {
    await using pay = await stablecoinWorld()
    const body = { provider: "OTHER", apiClientId: "", apiClientSecret: "s".repeat(256) }
    const refused = await pay.send("POST", linkPath, { body })
    expect(refused.status).toBe(400)
    const fields = (at(refused, "details", "errors") as ReadonlyArray<{ readonly field: string }>).map(
      ({ field }) => field,
    )
    expect(fields.toSorted()).toEqual(["Idempotency-Key", "apiClientId", "apiClientSecret", "provider"])
    expect(JSON.stringify(refused.body)).not.toContain("ssss")
    const long = await post(pay, linkPath, credentials(), "k".repeat(256))
    expect(at(long, "details", "errors", 0, "field")).toBe("Idempotency-Key")
    for (const path of ["/stablecoins", "/stablecoins/Stablecoin:x/mints", "/stablecoins/Stablecoin:x/burns"]) {
      const bare = await pay.send("POST", path, { body: {} })
      expect(JSON.stringify(bare.body)).toContain('"Idempotency-Key"')
    }
  })

  it("is replayed for the same secret only, for seven days, and its secret is stored nowhere in clear", async () => {
    await using pay = await stablecoinWorld()
    const secret = { apiClientSecret: "a-very-secret-text" }
    const first = await link(pay, "client_100", secret, "key")
    const again = await link(pay, "client_100", secret, "key")
    expect([again.headers.get("idempotency-replayed"), again.body]).toEqual(["true", first.body])
    const other = await link(pay, "client_100", { apiClientSecret: "another-text" }, "key")
    expect(codeOf(other)).toEqual([409, "CONFLICT", "IDEMPOTENCY_KEY_REUSED"])
    const stored = JSON.stringify(await pay.snapshot())
    expect(stored).toContain("client_100")
    expect(stored).not.toContain("a-very-secret-text")
    expect(stored).toContain("ciphertext")
    // A plain hash of the body would help to guess a weak secret.
    const plain = { key: "key", method: "POST", path: linkPath, body: { ...credentials("client_100"), ...secret } }
    expect(stored).not.toContain(replayKeyOf(tenant(pay.platformId), plain).fingerprint)
    expect(stored).toContain(replayKeyOf(tenant(pay.platformId), plain).key)
    const { store } = await pay.snapshot()
    const replays = JSON.stringify(store).match(/"expiresAt":(\d+)/gu) ?? []
    const week = 7 * 24 * 60 * 60 * 1000
    expect(replays).toContain(`"expiresAt":${Date.parse("2026-11-21T12:00:00Z") + week}`)
  })

  it("opens its secret for the provider, and only for it", async () => {
    const seen: Array<string> = []
    const watching = Layer.effect(
      StablecoinProvider,
      Effect.map(StablecoinProvider, (inner) => ({
        ...inner,
        describe: (query: Parameters<typeof inner.describe>[0]) => {
          seen.push(Redacted.value(query.account.credentials.apiClientSecret))
          return inner.describe(query)
        },
      })),
    ).pipe(Layer.provide(SandboxStablecoins.layer))
    await using pay = await harness({ ports: watching })
    await link(pay, "client_003", { apiClientSecret: "first" })
    await pay.clock.advance("30 seconds")
    await link(pay, "client_003", { apiClientSecret: "second ✓" })
    await register(pay)
    expect(seen).toEqual(["second ✓"])
  })

  it("is unavailable in a deployment without a provider", async () => {
    await using pay = await harness({ ports: Layer.succeed(StablecoinProvider, StablecoinProvider.defaultValue()) })
    const refused = await link(pay)
    expect(codeOf(refused)).toEqual([503, "SERVICE_UNAVAILABLE", "STABLECOIN_PROVIDER_UNAVAILABLE"])
    expect(refused.headers.get("retry-after")).toBe("5")
  })
})

describe("a registration", () => {
  it("describes the token as the provider does", async () => {
    await using pay = await stablecoinWorld()
    const account = idOf(await link(pay))
    const registered = await register(pay, "ACME")
    expect([registered.status, registered.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^Stablecoin:/u),
        name: "Acme Dollar",
        symbol: "ACME",
        baseCurrency: "USD",
        network: "SPARK",
        decimals: 6,
        issuanceStatus: "PROVISIONED",
        serviceOperationsStatus: "NOT_ENABLED",
        networkTokenIdentifier: "btkn1acme",
        provider: "BRALE",
        stablecoinProviderAccountId: account,
        providerEnvironment: "SANDBOX",
        providerTokenIdentifier: "ACME",
        createdAt: "2026-11-21T12:00:00Z",
        updatedAt: "2026-11-21T12:00:00Z",
      },
    ])
    const list = async (query: string) => at(await pay.send("GET", `/stablecoins${query}`), "totalCount")
    expect((await pay.send("GET", `/stablecoins/${idOf(registered)}`)).body).toEqual(registered.body)
    expect(await list("")).toBe(1)
    expect(await list("?issuanceStatus=PROVISIONED&serviceOperationsStatus=NOT_ENABLED&provider=BRALE")).toBe(1)
    expect(await list("?issuanceStatus=FAILED")).toBe(0)
    expect(await list("?serviceOperationsStatus=ENABLED")).toBe(0)
  })

  it.each([
    ["ACME001", "PENDING_REVIEW", "PROVISIONED"],
    ["ACME002", "REJECTED", "REJECTED"],
    ["ACME003", "PROVISIONING", "FAILED"],
  ])("of %s begins %s and ends %s after 30 seconds", async (name, first, last) => {
    await using pay = await stablecoinWorld()
    await link(pay)
    const id = idOf(await register(pay, name))
    const status = async () => at(await pay.send("GET", `/stablecoins/${id}`), "issuanceStatus")
    expect(await status()).toBe(first)
    await pay.clock.advance(29_999)
    expect(await status()).toBe(first)
    await pay.clock.advance(1)
    expect(await status()).toBe(last)
    expect((await pay.send("GET", `/stablecoins/${id}`)).body).toMatchObject({ symbol: "ACME", name: "Acme Dollar" })
    const audit = await pay.send("GET", `/audit-records?operation=STABLECOIN_ISSUANCE_STATUS&target=${id}`)
    expect(at(audit, "totalCount")).toBe(first === last ? 0 : 1)
  })

  it("is refused twice, by either name, unless the first was not issued", async () => {
    await using pay = await stablecoinWorld()
    await link(pay)
    await register(pay, "ONE", { networkTokenIdentifier: "first" })
    const taken = [409, "CONFLICT", "STABLECOIN_REGISTERED"]
    expect(codeOf(await register(pay, "ONE", { networkTokenIdentifier: "second" }))).toEqual(taken)
    expect(codeOf(await register(pay, "TWO", { networkTokenIdentifier: "first" }))).toEqual(taken)
    for (const name of ["NO002", "NO003"]) {
      expect((await register(pay, name)).status).toBe(201)
      await pay.clock.advance("30 seconds")
      expect((await register(pay, name)).status).toBe(201)
    }
  })

  // Proves: ERR-STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED, ERR-STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND
  it("chooses the only active account, and asks for one among several", async () => {
    await using pay = await stablecoinWorld()
    expect(codeOf(await register(pay))).toEqual([404, "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND", undefined])
    await link(pay, "client_004")
    const first = idOf(await link(pay, "client_100"))
    const unnamed = codeOf(await register(pay))
    expect(unnamed).toEqual([400, "STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED", undefined])
    const named = await register(pay, "NAMED", { stablecoinProviderAccountId: first })
    expect(named.body).toMatchObject({ stablecoinProviderAccountId: first })
    await pay.clock.advance("30 seconds")
    expect((await register(pay, "ONLY")).body).toMatchObject({ stablecoinProviderAccountId: first })
    const unknown = "StablecoinProviderAccount:01a1fdfa-4600-7000-8000-00000000ffff"
    const refused = await register(pay, "X", { stablecoinProviderAccountId: unknown })
    expect(codeOf(refused)).toEqual([404, "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND", undefined])
  })

  it.each([
    ["003", "STABLECOIN_PROVIDER_ACCOUNT_INVALID"],
    ["004", "STABLECOIN_PROVIDER_ACCOUNT_REVOKED"],
  ])("is refused with an account whose credentials %s are no longer valid, named or not", async (suffix, code) => {
    await using pay = await stablecoinWorld()
    const id = idOf(await link(pay, `client_${suffix}`))
    await pay.clock.advance("30 seconds")
    expect(codeOf(await register(pay))).toEqual([400, code, undefined])
    expect(codeOf(await register(pay, "X", { stablecoinProviderAccountId: id }))).toEqual([400, code, undefined])
  })

  // Proves: ERR-STABLECOIN_PROVIDER_ACCOUNT_REVOKED
  it("notices by itself that the credentials are refused, and stores what the link is then", async () => {
    const refusing = Layer.effect(
      StablecoinProvider,
      Effect.map(StablecoinProvider, (inner) => ({
        ...inner,
        describe: () => Effect.succeed({ _tag: "Withdrawn" } as const),
      })),
    ).pipe(Layer.provide(SandboxStablecoins.layer))
    await using pay = await harness({ ports: refusing })
    const id = idOf(await link(pay))
    expect(codeOf(await register(pay))).toEqual([400, "STABLECOIN_PROVIDER_ACCOUNT_REVOKED", undefined])
    expect((await pay.send("GET", `${linkPath}/${id}`)).body).toMatchObject({ status: "REVOKED" })
  })

  it("is asked about as often as the provider says, until the issuance has ended", async () => {
    const asked: Array<number> = []
    const slow = Layer.effect(
      StablecoinProvider,
      Effect.map(StablecoinProvider, (inner) => ({
        ...inner,
        describe: (query: Parameters<typeof inner.describe>[0]) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            asked.push((now - query.registeredAt) / 60_000)
            const described = yield* inner.describe(query)
            if (described._tag !== "Described") return described
            if (asked.length === 1)
              return { ...described, issuanceStatus: "PENDING_REVIEW", askAgainAt: now + 60_000 } as const
            // It names no time: the service chooses.
            return asked.length < 4 ? ({ ...described, issuanceStatus: "PROVISIONING" } as const) : described
          }),
      })),
    ).pipe(Layer.provide(SandboxStablecoins.layer))
    await using pay = await harness({ ports: slow })
    await link(pay)
    const id = idOf(await register(pay))
    await pay.clock.advance("2 hours")
    expect(asked).toEqual([0, 1, 16, 31])
    expect((await pay.send("GET", `/stablecoins/${id}`)).body).toMatchObject({ issuanceStatus: "PROVISIONED" })
  })

  it("of a token that the provider does not have is refused", async () => {
    const empty = Layer.effect(
      StablecoinProvider,
      Effect.map(StablecoinProvider, (inner) => ({
        ...inner,
        describe: () => Effect.succeed({ _tag: "NotFound" } as const),
      })),
    ).pipe(Layer.provide(SandboxStablecoins.layer))
    await using pay = await harness({ ports: empty })
    await link(pay)
    expect(codeOf(await register(pay))).toEqual([400, "INVALID_INPUT", "TOKEN_NOT_FOUND"])
  })

  it("is replayed with its first body", async () => {
    await using pay = await stablecoinWorld()
    await link(pay)
    const key = newKey()
    const first = await post(pay, "/stablecoins", token("ACME001"), key)
    await pay.clock.advance("30 seconds")
    const again = await post(pay, "/stablecoins", token("ACME001"), key)
    expect(again.body).toEqual(first.body)
    const other = await post(pay, "/stablecoins", token("OTHER"), key)
    expect(codeOf(other)).toEqual([409, "CONFLICT", "IDEMPOTENCY_KEY_REUSED"])
  })
})
