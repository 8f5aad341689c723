/** A second root of wallet keys beside the first: which wallets use which, and when one may be retired. Source: D-364. */
import {
  addWalletRoot,
  openWalletRoots,
  operatorOf,
  retireWalletRoot,
  rotateWalletSecret,
  walletRoots,
  walletVault,
} from "@countersign/core"
import { type KeyPurpose, KeyVault } from "@countersign/core/ports"
import { Operator, Store } from "@countersign/core/store"
import { Duration, Effect, Exit, Redacted } from "effect"
import { Hex } from "effect/encoding"
import { describe, expect, it } from "vitest"
import {
  retirementDelayMillis,
  type WalletRoot,
  walletRootsMax,
} from "../../../packages/core/src/model/wallet/WalletRoot.ts"
import { RetirementRules } from "../../../packages/core/src/model/wallet/WalletRootRules.ts"
import { deriveOfWallet, newestRoot, storedRoots } from "../../../packages/core/src/service/wallet/RootVault.ts"
import { secretIdOf } from "../../../packages/core/src/service/wallet/SealedRoots.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, id, ownerOf } from "../../../packages/test/src/conformance/Examples.ts"
import { commit } from "../../../packages/test/src/conformance/Suite.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { provePrecedence } from "../../../packages/test/src/proof/RulesProof.ts"

const secretOf = (letter: string) => Redacted.make(letter.repeat(40))
const [a, b] = [secretOf("a"), secretOf("b")]
type Secrets = Parameters<typeof walletVault>[0]

/** A process that has started with these secrets, and keeps what it opened. */
const processOf = async (pay: Harness, ...secrets: Secrets) => {
  const vault = await pay.run(Effect.provide(KeyVault, walletVault(secrets)))
  const textOf = Effect.map((key: Redacted.Redacted<Uint8Array>) => Hex.encode(Redacted.value(key)))
  return {
    newest: () => pay.run(Effect.provideService(newestRoot, KeyVault, vault)),
    key: (rootId?: string) =>
      pay.run(textOf(Effect.provideService(deriveOfWallet("wallet", "an account", rootId), KeyVault, vault))),
    refusal: (rootId: string) =>
      pay.run(Effect.flip(Effect.provideService(deriveOfWallet("wallet", "an account", rootId), KeyVault, vault))),
    serviceKey: (purpose: KeyPurpose) => pay.run(textOf(vault.derive(purpose, ""))),
  }
}

const add = (pay: Harness, ...secrets: Secrets) => pay.run(addWalletRoot(secrets, "Grace"))
const asOperator = Effect.provideService(Operator, { _tag: "Operator" })
const list = (pay: Harness) => pay.run(asOperator(walletRoots))
const retire = (pay: Harness, rootId: string) => pay.run(asOperator(retireWalletRoot(rootId, "Grace")))
const retireRefusal = (pay: Harness, rootId: string) =>
  pay.run(Effect.flip(asOperator(retireWalletRoot(rootId, "Grace"))))
const recordOf = async (pay: Harness) => {
  const found = await pay.run(storedRoots)
  if (found === undefined) throw new Error("the store has no roots")
  return found
}

/** Makes a wallet of a root in the store, in the account with this number. */
const wallet = (pay: Harness, number: number, rootId?: string, status: "ACTIVE" | "CLOSED" = "ACTIVE") => {
  const accountId = id("InternalAccount", number)
  const account = { type: "EMBEDDED_WALLET", status, currency: "USDB" } as const
  const data = { credentialIds: [], ...(rootId === undefined ? {} : { rootId }) }
  const inserts = [
    { kind: "InternalAccount", id: accountId, ...ownerOf(id("Customer", number)), data: account },
    { kind: "Wallet", id: accountId, ...ownerOf(id("Customer", number)), data },
  ] as const
  return pay.run(commit(changeSet({ inserts }), alpha))
}

const settled = (pay: Harness) => pay.clock.advance(Duration.millis(retirementDelayMillis))

describe("a new wallet root", () => {
  it("is that of new wallets in every process at once, and each opens both", async () => {
    await using pay = await harness()
    const [one, other] = [await processOf(pay, a), await processOf(pay, a)]
    const first = (await one.newest()) ?? ""
    const before = await one.key(first)
    expect(await one.key()).toBe(before)
    const { rootId } = await add(pay, a)
    expect(rootId).not.toBe(first)
    // The other process has not met the root: it opens it for the first wallet of it.
    const key = await other.key(rootId)
    expect(key).not.toBe(before)
    expect([await one.newest(), await other.newest()]).toEqual([rootId, rootId])
    const later = await processOf(pay, a)
    for (const process of [one, other, later]) {
      expect([await process.key(rootId), await process.key(first), await process.key()]).toEqual([key, before, before])
    }
  })

  it("changes no key of the service", async () => {
    await using pay = await harness()
    const process = await processOf(pay, a)
    const purposes = ["quorum", "request-body", "otp-code", "card-password"] as const
    const keys = async (of: typeof process) => Promise.all(purposes.map(of.serviceKey))
    const before = await keys(process)
    const first = (await process.newest()) ?? ""
    await add(pay, a)
    await settled(pay)
    await retire(pay, first)
    expect(await keys(process)).toEqual(before)
    expect(await keys(await processOf(pay, a))).toEqual(before)
    // A leak of the wallets' roots tells nothing of the service's root.
    const { data } = await recordOf(pay)
    expect(data.service?.rootId).toMatch(/^[0-9a-f]{16}$/u)
    expect([first, ...data.roots.map((root) => root.rootId)]).not.toContain(data.service?.rootId)
  })

  it("goes on with a store that began with one root for all, and never retires that root", async () => {
    await using pay = await harness()
    await pay.run(openWalletRoots([a]))
    const found = await recordOf(pay)
    const { service: _, ...old } = found.data
    const update = { kind: "WalletRoot", id: found.id, version: found.version, data: old } as const
    const deployment = { ...alpha, platformId: found.platformId }
    await pay.run(commit(changeSet({ updates: [update] }), deployment))
    const process = await processOf(pay, a)
    const [quorum, key, first] = [await process.serviceKey("quorum"), await process.key(), await process.newest()]
    await add(pay, a)
    await settled(pay)
    const later = await processOf(pay, a)
    expect([await later.serviceKey("quorum"), await later.key(), await later.key(first)]).toEqual([quorum, key, key])
    expect(await retireRefusal(pay, first ?? "")).toMatchObject({ details: { reason: "SERVICE_ROOT" } })
    expect(await pay.run(rotateWalletSecret([b, a], "Grace"))).toMatchObject({ after: secretIdOf(b) })
    expect(await (await processOf(pay, b)).serviceKey("quorum")).toBe(quorum)
  })

  it("outlives a rotation of the secret with the others, whose order and names stay", async () => {
    await using pay = await harness()
    const process = await processOf(pay, a)
    const first = (await process.newest()) ?? ""
    const { rootId } = await add(pay, a)
    const before = await recordOf(pay)
    const keys = [await process.key(first), await process.key(rootId), await process.serviceKey("quorum")]
    await pay.run(rotateWalletSecret([b, a], "Grace"))
    const after = await recordOf(pay)
    expect(after.data.roots.map((root) => root.rootId)).toEqual([first, rootId])
    expect(after.data).toMatchObject({ newestSince: before.data.newestSince, secretId: secretIdOf(b) })
    const next = await processOf(pay, b)
    expect([await next.key(first), await next.key(rootId), await next.serviceKey("quorum")]).toEqual(keys)
    expect(await next.newest()).toBe(rootId)
    expect(JSON.stringify(after.data)).not.toContain(before.data.service?.ciphertext)
  })

  it("stays closed to a process with an earlier secret, which refuses its wallets and makes others of its own roots", async () => {
    await using pay = await harness()
    const stale = await processOf(pay, a)
    const first = (await stale.newest()) ?? ""
    await pay.run(rotateWalletSecret([b, a], "Grace"))
    const { rootId } = await add(pay, b)
    expect(await stale.newest()).toBe(first)
    const closed = { code: "SERVICE_UNAVAILABLE", details: { reason: "WALLET_ROOT_CLOSED" } }
    expect(await stale.refusal(rootId)).toMatchObject(closed)
    await settled(pay)
    await retire(pay, first)
    const vault = await pay.run(Effect.provide(KeyVault, walletVault([b])))
    expect(vault.stored?.isOpen(rootId)).toBe(true)
    // It has no root left that the store keeps: no wallet is better than one whose keys are lost.
    await expect(stale.newest()).rejects.toThrow()
  })

  it("needs the store's secret and a store on which a process has started, and no more than 16 fit", async () => {
    await using pay = await harness()
    expect(await pay.run(Effect.flip(addWalletRoot([a], "Grace")))).toMatchObject({ code: "CONFLICT" })
    await pay.run(openWalletRoots([a]))
    expect(await pay.run(Effect.flip(addWalletRoot([b], "Grace")))).toMatchObject({ _tag: "OtherWalletSecret" })
    for (let n = 1; n < walletRootsMax; n++) await add(pay, b, a)
    expect(await pay.run(Effect.flip(addWalletRoot([a], "Grace")))).toMatchObject({
      code: "CONFLICT",
      message: "A store has at most 16 wallet roots. Retire one first.",
      details: { reason: "TOO_MANY_ROOTS" },
    })
    const { data } = await recordOf(pay)
    expect(new Set(data.roots.map(({ rootId }) => rootId)).size).toBe(walletRootsMax)
    expect(data.secretId).toBe(secretIdOf(a))
  })

  it("is not added beside roots that do not open", async () => {
    await using pay = await harness()
    await pay.run(openWalletRoots([a]))
    const found = await recordOf(pay)
    const [root] = found.data.roots
    const data = { ...found.data, service: { ...root, rootId: "0123456789abcdef" } }
    const update = { kind: "WalletRoot", id: found.id, version: found.version, data } as const
    await pay.run(commit(changeSet({ updates: [update] }), { ...alpha, platformId: found.platformId }))
    expect(await pay.run(Effect.flip(addWalletRoot([a], "Grace")))).toMatchObject({ _tag: "DamagedWalletRoot" })
    expect(await pay.run(Effect.flip(openWalletRoots([a])))).toMatchObject({ _tag: "DamagedWalletRoot" })
  })

  it("is added once or not at all when the process ends at any step", async () => {
    for (const step of ["operation.loaded", "operation.decided", "operation.committed"] as const) {
      let isArmed = false
      const crash = Effect.die(new Error("the process ended"))
      await using pay = await harness({ failPoints: (point) => (isArmed && point === step ? crash : Effect.void) })
      const process = await processOf(pay, a)
      const [key, first] = [await process.key(), await process.newest()]
      isArmed = true
      expect(Exit.isFailure(await pay.run(Effect.exit(addWalletRoot([a], "Grace"))))).toBe(true)
      isArmed = false
      const next = await processOf(pay, a)
      expect(await next.key(first)).toBe(key)
      const roots = await list(pay)
      expect(roots).toHaveLength(step === "operation.committed" ? 2 : 1)
      expect(await next.newest()).toBe(roots.at(-1)?.rootId)
    }
  })

  it("is one of two that are added at once, and neither is lost", async () => {
    await using pay = await harness({ interleave: 3 })
    await pay.run(openWalletRoots([a]))
    const added = await pay.run(Effect.forEach([1, 2], () => addWalletRoot([a], "Grace"), { concurrency: "unbounded" }))
    const { data } = await recordOf(pay)
    const ids = data.roots.map(({ rootId }) => rootId)
    expect(ids).toHaveLength(3)
    expect(ids).toEqual(expect.arrayContaining(added.map(({ rootId }) => rootId)))
    const process = await processOf(pay, a)
    expect(new Set(await Promise.all(ids.map((rootId) => process.key(rootId)))).size).toBe(3)
  })
})

describe("a change of the roots", () => {
  it("is audited with the operator's name, once, and leaves no earlier version of the record", async () => {
    await using pay = await harness()
    await pay.run(openWalletRoots([a]))
    const { id: recordId, platformId } = await recordOf(pay)
    const caller = operatorOf(platformId, "Grace")
    const versions = () =>
      pay.run(
        Store.use((store) => store.history({ kind: "WalletRoot", id: recordId })),
        caller,
      )
    const [first] = (await recordOf(pay)).data.roots
    await add(pay, a)
    expect(await versions()).toHaveLength(1)
    await pay.clock.advance("1 second")
    await pay.run(rotateWalletSecret([b, a], "Grace"))
    expect(await versions()).toHaveLength(1)
    await pay.run(rotateWalletSecret([b, a], "Grace"))
    await settled(pay)
    await retire(pay, first.rootId)
    expect(await versions()).toHaveLength(1)
    const page = { limit: 10, order: "asc" } as const
    const audited = await pay.run(
      Store.use((store) => store.list("AuditRecord", {}, page)),
      caller,
    )
    expect(audited.data.map(({ data }) => [data.operation, data.actor.operator])).toEqual([
      ["WALLET_ROOT_ADD", "Grace"],
      ["WALLET_SECRET_ROTATE", "Grace"],
      ["WALLET_ROOT_RETIRE", "Grace"],
    ])
  })
})

describe("the list of wallet roots", () => {
  it("counts the open wallets of each root; those that name none are of the first", async () => {
    await using pay = await harness()
    expect(await pay.run(Effect.flip(asOperator(walletRoots)))).toMatchObject({ code: "CONFLICT" })
    const process = await processOf(pay, a)
    const first = (await process.newest()) ?? ""
    const { rootId } = await add(pay, a)
    await wallet(pay, 1)
    await wallet(pay, 2, first)
    await wallet(pay, 3, rootId)
    await wallet(pay, 4, rootId, "CLOSED")
    await wallet(pay, 5, "feedfeedfeedfeed")
    expect(await list(pay)).toEqual([
      { rootId: first, isNewest: false, isStored: true, wallets: 2, delegatedKeys: 0 },
      { rootId, isNewest: true, isStored: true, wallets: 1, delegatedKeys: 0 },
      { rootId: "feedfeedfeedfeed", isNewest: false, isStored: false, wallets: 1, delegatedKeys: 0 },
    ])
  })
})

describe("the retirement of a wallet root", () => {
  it("erases its seals once no wallet needs it, and a wallet that names none gets no other root", async () => {
    await using pay = await harness()
    const process = await processOf(pay, a)
    const first = (await process.newest()) ?? ""
    const { rootId } = await add(pay, a)
    const before = await recordOf(pay)
    await settled(pay)
    await wallet(pay, 1)
    expect(await retireRefusal(pay, first)).toMatchObject({ details: { reason: "ROOT_IN_USE", wallets: 1 } })
    expect((await list(pay)).map((root) => root.rootId)).toEqual([first, rootId])
    const closed = { type: "EMBEDDED_WALLET", status: "CLOSED", currency: "USDB" } as const
    const update = { kind: "InternalAccount", id: id("InternalAccount", 1), version: 1, data: closed } as const
    await pay.run(commit(changeSet({ updates: [update] }), alpha))
    expect(await retire(pay, first)).toEqual({ rootId: first })

    const after = await recordOf(pay)
    expect(after.data.roots).toEqual(before.data.roots.slice(1))
    const next = await processOf(pay, a)
    expect(await next.newest()).toBe(rootId)
    await expect(next.key()).rejects.toThrow(/is not open/u)
    expect(await next.refusal(first)).toMatchObject({ code: "SERVICE_UNAVAILABLE" })
    // The next retirement does not forget which root was the first.
    const third = await add(pay, a)
    await settled(pay)
    await retire(pay, rootId)
    expect((await recordOf(pay)).data).toMatchObject({ firstRootId: first, roots: [{ rootId: third.rootId }] })
  })

  it("is decided again when a root is added meanwhile", async () => {
    await using pay = await harness({ interleave: 5 })
    const process = await processOf(pay, a)
    const first = (await process.newest()) ?? ""
    await add(pay, a)
    await settled(pay)
    const [added, retired] = await pay.run(
      Effect.all([addWalletRoot([a], "Grace"), Effect.result(asOperator(retireWalletRoot(first, "Grace")))], {
        concurrency: "unbounded",
      }),
    )
    const ids = (await list(pay)).map((root) => root.rootId)
    expect(ids.at(-1)).toBe(added.rootId)
    expect(ids.includes(first)).toBe(retired._tag === "Failure")
  })
})

const seal = { encappedPublic: "", ciphertext: "" }
const record: WalletRoot = { secretId: "secret", newestSince: 1000, roots: [{ rootId: "one", ...seal }] }
const both: WalletRoot = { ...record, roots: [...record.roots, { rootId: "two", ...seal }] }
const reason = (text: string) => ({ code: "CONFLICT", details: { reason: text } })

provePrecedence(RetirementRules, {
  broken: { record, rootId: "none", wallets: 1, delegatedKeys: 1, now: 1000 + retirementDelayMillis - 1 },
  steps: [
    ["ROOT_KNOWN", { rootId: "one" }, reason("ROOT_UNKNOWN")],
    ["NOT_NEWEST", { record: both }, reason("NEWEST_ROOT")],
    ["NOT_OF_SERVICE", { record: { ...both, service: { rootId: "service", ...seal } } }, reason("SERVICE_ROOT")],
    ["NO_WALLET", { wallets: 0, delegatedKeys: 0 }, reason("ROOT_IN_USE")],
    ["NEWEST_SETTLED", { now: 1000 + retirementDelayMillis }, reason("NEWEST_ROOT_TOO_NEW")],
  ],
  masked: {
    NOT_NEWEST: "a root that the store does not have is not its newest",
    NOT_OF_SERVICE: "a root that the store does not have is not its first",
  },
})
