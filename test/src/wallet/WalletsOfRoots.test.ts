/** Which root the keys of a wallet come from, wherever a wallet is made or changed. Source: D-364. */
import { addWalletRoot, operatorOf, Platforms, walletRoots } from "@countersign/core"
import { P256, PortableCrypto } from "@countersign/core/crypto"
import { KeyVault } from "@countersign/core/ports"
import { clientClaim, Operator, Store } from "@countersign/core/store"
import { entropyToMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { describe, expect, it } from "vitest"
import { vaultOfRecord } from "../../../packages/core/src/service/wallet/RootVault.ts"
import { sealRoots } from "../../../packages/core/src/service/wallet/SealedRoots.ts"
import { walletRootClaim } from "../../../packages/core/src/store/Claims.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { commit } from "../../../packages/test/src/conformance/Suite.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { addSms, newWallet, signed, signIn, textAt } from "./People.ts"

const secret = Redacted.make("s".repeat(40))
const deployment = "PlatformConfig:00000000-0000-4000-8000-000000000000"

/** A service whose store has one root, and whose vault is open. */
const withRoots = async () => {
  const crypto = Layer.provideMerge(PortableCrypto.layer, SecureRandom.layerWebCrypto)
  const { data, first, vault } = await Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        const data = yield* sealRoots(secret, [Redacted.make(new Uint8Array(32).fill(7))])
        const opened = { service: undefined, roots: [Redacted.make(new Uint8Array(32).fill(7))] as const }
        return { data, first: data.roots[0].rootId, vault: yield* vaultOfRecord([secret], data, opened) }
      }),
      crypto,
    ),
  )
  const pay = await harness({ ports: Layer.succeed(KeyVault, vault) })
  const record = { kind: "WalletRoot", id: "WalletRoot", platformId: deployment, customerId: null, data } as const
  await pay.run(
    commit(changeSet({ inserts: [record], claims: [{ ...walletRootClaim, record }] }), operatorOf(deployment, "Grace")),
  )
  return Object.assign(pay, { first, vault })
}

const add = async (pay: Harness) => (await pay.run(addWalletRoot([secret], "Grace"))).rootId
const stored = async <K extends "Wallet" | "DelegatedKey">(pay: Harness, kind: K, id: string) =>
  (await pay.run(Store.use((store) => store.read({ records: [{ kind, id }] })))).record(kind, id)?.data
const rootOf = async (pay: Harness, accountId: string) => (await stored(pay, "Wallet", accountId))?.rootId

const secondPlatform = async (pay: Harness) => {
  const found = await pay.run(Store.use((store) => store.resolve(clientClaim("second"))))
  return found?.platformId ?? ""
}

describe("a wallet", () => {
  it("is of the newest root when it is made, and stays so when its credentials change", async () => {
    await using pay = await withRoots()
    const old = await newWallet(pay)
    expect(await rootOf(pay, old.accountId)).toBe(pay.first)
    const rootId = await add(pay)
    const young = await newWallet(pay, { email: "young@example.com" })
    expect(await rootOf(pay, young.accountId)).toBe(rootId)

    const session = await signIn(pay, old.emailId)
    const sms = textAt(await addSms(pay, old, session), "id")
    expect(await rootOf(pay, old.accountId)).toBe(pay.first)
    const other = await signIn(pay, sms, "SMS_OTP")
    expect(await signed(pay, "DELETE", `/auth/credentials/${old.emailId}`, other.key)).toMatchObject({ status: 204 })
    expect(await stored(pay, "Wallet", old.accountId)).toEqual({ credentialIds: [sms], rootId: pay.first })
  })

  it("has the words of its root, before and after another is added", async () => {
    await using pay = await withRoots()
    const wordsOf = async (accountId: string, rootId: string) => {
      const key = await pay.run(pay.vault.derive("wallet", accountId, rootId))
      return entropyToMnemonic(Redacted.value(key).subarray(0, 16), wordlist)
    }
    const old = await pay.device({ seed: "old", contacts: { email: "old@example.com" } })
    await old.signIn("EMAIL_OTP")
    const words = await old.exportWords()
    expect(words).toBe(await wordsOf(old.accountId, pay.first))
    const rootId = await add(pay)
    const young = await pay.device({ seed: "young", contacts: { email: "young@example.com" } })
    await young.signIn("EMAIL_OTP")
    expect(await young.exportWords()).toBe(await wordsOf(young.accountId, rootId))
    expect(await old.exportWords()).toBe(words)
  })

  it("is of the newest root when its first credential makes it", async () => {
    await using pay = await withRoots()
    const { accountId } = await newWallet(pay, { phoneNumber: "+14155550123" })
    expect(await stored(pay, "Wallet", accountId)).toBeUndefined()
    const rootId = await add(pay)
    const registered = await pay.send("POST", "/auth/credentials", { body: { type: "SMS_OTP", accountId } })
    expect(registered.status).toBe(201)
    expect(await rootOf(pay, accountId)).toBe(rootId)
  })

  it("is of the newest root when the platform adds its currency, and when the customer accepts the terms", async () => {
    await using pay = await withRoots()
    await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          clientId: "second",
          clientSecret: Redacted.make("second"),
          name: "Second",
          currencies: ["USD"],
          isRegulatedFinancialInstitution: false,
        }),
      ),
    )
    const headers = { authorization: `Basic ${btoa("second:second")}` }
    const send = (method: string, path: string, body: object) => pay.send(method, path, { as: "nobody", headers, body })
    const endUserTermsConsent = {
      acceptedAt: "2026-11-20T10:00:00Z",
      ipAddress: "203.0.113.7",
      termsVersion: "2025-10-13",
      acceptanceMethod: "CLICK_TO_ACCEPT",
    }
    const person = { customerType: "INDIVIDUAL", email: "ada@example.com" }
    const [agreed, waiting] = [
      await send("POST", "/customers", { ...person, endUserTermsConsent }),
      await send("POST", "/customers", { ...person, email: "bob@example.com" }),
    ]
    const supportedCurrencies = ["USD", "USDB"].map((currencyCode) => ({
      currencyCode,
      minAmount: 1,
      maxAmount: 1000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["INCOMING"],
    }))
    const rootId = await add(pay)
    expect((await send("PATCH", "/config", { supportedCurrencies })).status).toBe(200)
    await pay.settle()
    const consent = { customerType: "INDIVIDUAL", endUserTermsConsent }
    expect((await send("PATCH", `/customers/${textAt(waiting, "id")}`, consent)).status).toBe(200)
    const third = await add(pay)
    const late = await send("POST", "/customers", { ...person, email: "eve@example.com", endUserTermsConsent })
    const roots = await Promise.all(
      [agreed, waiting, late].map(async (customer) => {
        const path = `/customers/internal-accounts?customerId=${textAt(customer, "id")}&type=EMBEDDED_WALLET`
        const accounts = await pay.send("GET", path, { as: "nobody", headers })
        const id = textAt(accounts, "data", 0, "id")
        const platformId = await secondPlatform(pay)
        const read = Store.use((store) => store.read({ records: [{ kind: "Wallet", id }] }))
        return (await pay.run(read, operatorOf(platformId, "Grace"))).record("Wallet", id)?.data.rootId
      }),
    )
    expect(roots).toEqual([rootId, rootId, third])
  })
})

describe("a delegated key", () => {
  it("comes from the root of its wallet, and its resource does not show which", async () => {
    await using pay = await withRoots()
    const create = async (email: string) => {
      const wallet = await newWallet(pay, { email })
      const issue = { cardholderId: wallet.customerId, form: "VIRTUAL", fundingSources: [wallet.accountId] }
      const cardId = textAt(await pay.send("POST", "/cards", { body: issue }), "id")
      await pay.settle()
      return { cardId, wallet }
    }
    const delegate = async ({ cardId, wallet }: Awaited<ReturnType<typeof create>>) => {
      const { key } = await signIn(pay, wallet.emailId)
      const body = { cardId, internalAccountId: wallet.accountId, nickname: "Settlement" }
      expect((await signed(pay, "POST", "/auth/delegated-keys", key, body)).status).toBe(202)
      const found = await pay.send("GET", `/auth/delegated-keys?accountId=${wallet.accountId}`)
      expect(at(found, "data", 0)).not.toHaveProperty("rootId")
      return { keyId: textAt(found, "data", 0, "id"), publicKey: textAt(found, "data", 0, "publicKey") }
    }
    const old = await create("old@example.com")
    const rootId = await add(pay)
    const young = await create("young@example.com")
    for (const [root, made] of [
      [pay.first, old],
      [rootId, young],
    ] as const) {
      const { keyId, publicKey } = await delegate(made)
      expect((await stored(pay, "DelegatedKey", keyId))?.rootId).toBe(root)
      const derived = Effect.flatMap(pay.vault.derive("delegated-key", keyId, root), (seed) =>
        P256.use((p256) => p256.derive(seed)),
      )
      expect((await pay.run(derived)).publicKey.compressed).toBe(publicKey)
    }
    const listed = await pay.run(Effect.provideService(walletRoots, Operator, { _tag: "Operator" }))
    expect(listed).toMatchObject([
      { rootId: pay.first, wallets: 1, delegatedKeys: 1 },
      { rootId, wallets: 1, delegatedKeys: 1 },
    ])
  })
})
