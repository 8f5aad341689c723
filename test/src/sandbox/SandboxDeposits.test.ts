/** What the sandbox decides by tables: screened deposits, hashes on chains, network fees, imports, and the journal's order. Source: wire contract areas 1.5.5, 2.8, 2.13; wire contract 5.10. */
import { type ArrivedDeposit, DepositScreening, NetworkFees } from "@countersign/core/ports"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { CryptoNetwork } from "../../../packages/core/src/foundation/money/CryptoNetwork.ts"
import * as FundingAddresses from "../../../packages/core/src/sandbox/FundingAddresses.ts"
import * as ImportSuffixes from "../../../packages/core/src/sandbox/ImportSuffixes.ts"
import * as SandboxNetworkFees from "../../../packages/core/src/sandbox/SandboxNetworkFees.ts"
import * as SandboxRequests from "../../../packages/core/src/sandbox/SandboxRequests.ts"
import * as SandboxScreening from "../../../packages/core/src/sandbox/SandboxScreening.ts"
import { ImportStart } from "../../../packages/core/src/settings/ImportStart.ts"
import { kept } from "../request/KeptRequests.ts"

const now = 5000

const screened = (changes: Partial<ArrivedDeposit> = {}) => {
  const deposit = {
    transactionId: "T",
    currency: "USD",
    amount: 1,
    source: {},
    accountId: "A",
    customerId: null,
    ...changes,
  } as const
  const screening = Effect.gen(function* () {
    yield* TestClock.setTime(now)
    return yield* (yield* DepositScreening).screen(deposit)
  })
  return Effect.runPromise(Effect.provide(screening, [SandboxScreening.layer, TestClock.layer()]))
}
const from = (accountIdentifier: string) => ({ source: { accountIdentifier } })
const declaration = (isActive: boolean) => ({ declaration: { isActive } as never })

describe("a deposit", () => {
  it.each<readonly [string, Partial<ArrivedDeposit>, object]>([
    ["of any other number", from("123000"), { _tag: "Clear" }],
    ["of no number", {}, { _tag: "Clear" }],
    ["under review", from("123001"), { _tag: "Hold", reason: "COMPLIANCE_REVIEW", askAgainAt: now + 30_000 }],
    ["that compliance refuses", from("123002"), { _tag: "Refuse", reason: "COMPLIANCE_REJECTED" }],
    ["that is not collected", from("123003"), { _tag: "Refuse", reason: "COLLECTION_FAILED" }],
    [
      "without information",
      from("123004"),
      { _tag: "Hold", reason: "COUNTERPARTY_INFORMATION_REQUIRED", askAgainAt: now + 30_000 },
    ],
    ["of an undeclared wallet", from("123005"), { _tag: "Hold", reason: "COUNTERPARTY_DECLARATION_REQUIRED" }],
    ["of a declared and proven wallet", { ...from("123005"), ...declaration(true) }, { _tag: "Clear" }],
    [
      "of a declared wallet",
      { ...from("123005"), ...declaration(false) },
      { _tag: "Hold", reason: "WALLET_VERIFICATION_REQUIRED" },
    ],
    ["of a region with rules", { regionalHold: "COMPLIANCE_REVIEW" }, { _tag: "Hold", reason: "COMPLIANCE_REVIEW" }],
    [
      "under review, whatever is declared",
      { ...from("123001"), ...declaration(true) },
      { _tag: "Hold", reason: "COMPLIANCE_REVIEW", askAgainAt: now + 30_000 },
    ],
  ])("%s is credited, held or refused", async (_, changes, verdict) => expect(await screened(changes)).toEqual(verdict))

  it.each(CryptoNetwork.literals)("on %s has a hash of the network's form, the same again", (network) => {
    const hashOf = (transactionId: string) => {
      const arrived = { transactionId, currency: "USDC", amount: 1, source: { cryptoNetwork: network } } as const
      const hash = DepositScreening.use((screening) => screening.transactionHash(arrived))
      return Effect.runSync(Effect.provide(hash, SandboxScreening.layer))
    }
    const forms: { readonly [name in typeof network]?: RegExp } = {
      SOLANA: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/u,
      BITCOIN: /^[0-9a-f]{64}$/u,
      TRON: /^[0-9a-f]{64}$/u,
      SPARK: /^[0-9a-f]{64}$/u,
    }
    if (network === "LIGHTNING") return expect(hashOf("one")).toBeUndefined()
    expect(hashOf("one")).toMatch(forms[network] ?? /^0x[0-9a-f]{64}$/u)
    expect(hashOf("one")).toBe(hashOf("one"))
    expect(hashOf("one")).not.toBe(hashOf("two"))
  })
})

it("addresses that a seed gives stay the same from release to release", () => {
  expect({
    digits: FundingAddresses.digitsOf("seed", 40),
    hex: FundingAddresses.hexAddressOf("seed"),
    solana: FundingAddresses.transactionHashOf("SOLANA", "seed"),
    invoice: FundingAddresses.invoiceOf("seed"),
  }).toEqual({
    digits: "2769405481682368326469117789591805994013",
    hex: "0xd91bf65986142d5408c942eefc2bb0e4cb849268",
    invoice:
      "lnbc1mydlvkvxzsk4gzxfgth0c2asun9cfyng5cyk2v6hkx2pmn2exdmr9669j53tg02nhvaezedzxv8vftg9vp4yxpjdnaqhu0g0uhcpqg9gcphkzzh6c8gsejg00ups4thgnhwq08yd0dkz3xsrlf4y004z5t3qy6nr664ls5cah9fxpct22w9kzm",
    solana: "5Lm9PPRFxGYY39Jpw5cC31tp9Px6btYFYK7BLfgpJQFdzfqKvj72Q2pVkyckF1kAEnkbN9qNGCVmUzDsNVL5pJDD",
  })
})

it.each([
  ["BITCOIN", "BTC", 2344],
  ["LIGHTNING", "BTC", 16],
  ["SPARK", "BTC", 0],
  ["ETHEREUM", "USDC", 2_000_000],
  ["SOLANA", "USDC", 10_000],
  ["BASE", "USDC", 20_000],
  ["POLYGON", "USDT", 20_000],
  ["TRON", "USDT", 1_000_000],
  ["PLASMA", "USDT", 10_000],
] as const)("a withdrawal over %s costs its cents in %s, rounded up: %i", (network, currency, fee) => {
  const estimated = NetworkFees.use(({ estimate }) => estimate({ network, currency, amount: 1 } as never))
  expect(Effect.runSync(Effect.provide(estimated, SandboxNetworkFees.layer))).toEqual({ network: fee, application: 0 })
})

it.each([
  ["customers.csv", { _tag: "Start", delayMillis: 0 }],
  ["customers-001.csv", { _tag: "Start", delayMillis: 30_000 }],
  ["customers-001", { _tag: "Start", delayMillis: 30_000 }],
  ["a.b001.csv", { _tag: "Start", delayMillis: 30_000 }],
  ["002.csv", { _tag: "Fail" }],
  ["a.002", { _tag: "Start", delayMillis: 0 }],
  ["", { _tag: "Start", delayMillis: 0 }],
])("an import of %j is begun by its name", (name, start) => {
  const found = Effect.map(ImportStart, (startOf) => startOf(name))
  expect(Effect.runSync(Effect.provide(found, ImportSuffixes.layer))).toEqual(start)
})

describe("the journal of requests", () => {
  const answered = (id: string, masks: Array<string>, characters = 10) => ({
    characters,
    masked: () => {
      masks.push(id)
      const { digests, request } = kept(1, { id })
      return { digests, request }
    },
  })

  it("masks a request when it is read first, and a long one at once", async () => {
    const journal = SandboxRequests.make(() => 0, new Uint8Array(32))
    const masks: Array<string> = []
    journal.add("p", answered("short", masks))
    journal.add("p", answered("long", masks, 40_000))
    expect(masks).toEqual(["long"])
    const read = async () =>
      (await Effect.runPromise(journal.of("p"))).map(({ number, request }) => [number, request.id])
    expect([await read(), await read()]).toEqual([
      [
        [1, "short"],
        [2, "long"],
      ],
      [
        [1, "short"],
        [2, "long"],
      ],
    ])
    expect(masks).toEqual(["long", "short"])
  })

  it("keeps nothing of a request that cannot be masked", async () => {
    const journal = SandboxRequests.make(() => 0, new Uint8Array(32))
    journal.add("p", {
      characters: 1,
      masked: () => {
        throw new Error("broken")
      },
    })
    journal.add("p", answered("whole", []))
    const found = await Effect.runPromise(Effect.provide(journal.of("p"), Logger.layer([])))
    expect(found.map(({ request }) => request.id)).toEqual(["whole"])
    expect(await Effect.runPromise(journal.of("other"))).toEqual([])
  })

  it("keeps the latest thousand of a platform, and counts on after it was cleared", async () => {
    const journal = SandboxRequests.make(() => 0, new Uint8Array(32))
    const masks: Array<string> = []
    for (let n = 1; n <= 1002; n++) journal.add("p", answered(`r${n}`, masks))
    const found = await Effect.runPromise(journal.of("p"))
    expect([found.length, found[0]?.number, found.at(-1)?.number, masks.length]).toEqual([1000, 3, 1002, 1000])
    journal.clear("p")
    journal.add("p", answered("after", masks))
    expect((await Effect.runPromise(journal.of("p"))).map(({ number }) => number)).toEqual([1003])
  })
})
