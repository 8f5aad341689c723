/** What a reset of a sandbox keeps, and what the file of a world has of the records with credentials. Source: D-470. */
import { type Kind, Kinds, StateImages } from "@countersign/core/store"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { aheadMillisMax } from "../../../packages/core/src/model/time/ClockResource.ts"
import {
  hasCredentials,
  isKeptByReset,
  isPossibleLead,
  withoutCredentials,
} from "../../../packages/core/src/store/StateImages.ts"

const kept = (customerId: string | null): ReadonlyArray<Kind> =>
  Kinds.keys.filter((kind) => isKeptByReset({ kind, customerId }))

const ofTheServer = ["ApiToken", "Approver", "ConsoleSession", "WebhookKeyRing", "WalletRoot"]

it("a reset keeps the server's records and the platform with its endpoint, and the accounts of no customer", () => {
  expect(new Set(kept("Customer:1"))).toEqual(new Set([...ofTheServer, "Platform", "WebhookEndpoint"]))
  expect(new Set(kept(null))).toEqual(new Set([...ofTheServer, "Platform", "WebhookEndpoint", "InternalAccount"]))
})

it("a file has no token of an agent, no device code, and no code of an invitation", () => {
  const agent = { name: "a", isConnected: true, tokens: [{ hash: "h" }] }
  expect(withoutCredentials("Agent", agent)).toEqual({ name: "a", isConnected: false, tokens: [] })
  expect(withoutCredentials("DeviceCode", { codeHash: "h" })).toBeUndefined()
  expect(withoutCredentials("Invitation", { codeHash: "h", status: "OPEN" })).toEqual({ codeHash: "", status: "OPEN" })
  const audit = { operation: "X", details: { codeDigest: "d", name: "n" } }
  expect(withoutCredentials("AuditRecord", audit)).toEqual({ operation: "X", details: { name: "n" } })
  for (const details of [undefined, null, "text", ["codeDigest"]])
    expect(withoutCredentials("AuditRecord", { details: details ?? null })).toEqual({ details: details ?? null })
})

it("a file has other records as they are", () => {
  expect(withoutCredentials("Card", { tokens: [1] })).toEqual({ tokens: [1] })
  expect(withoutCredentials("Agent", null)).toBeNull()
  expect(Kinds.keys.filter(hasCredentials)).toEqual(["Agent", "DeviceCode", "Invitation", "AuditRecord"])
  expect(hasCredentials("toString")).toBe(false)
})

it("a state is not behind the real time, nor further ahead than a clock can be moved", () => {
  expect([-1, 0, 1].map(isPossibleLead)).toEqual([false, true, true])
  expect([aheadMillisMax, aheadMillisMax + 1].map(isPossibleLead)).toEqual([true, false])
})

it("a store of several processes has no image", () => {
  expect(Effect.runSync(StateImages.use(Effect.succeed))).toBeUndefined()
})
