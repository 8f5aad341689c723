/** Whose slot the identifiers of an operation have, by its caller and by what it reads. Source: D-513. */
import { type Caller, tenant } from "@countersign/core"
import type { ReadQuery, ReadResult } from "@countersign/core/store"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as OperationOwner from "../../../packages/core/src/operation/OperationOwner.ts"

const platform = tenant("PlatformConfig:p")
const agent = {
  _tag: "Agent",
  platformId: "PlatformConfig:p",
  agentId: "Agent:a",
  customerId: "Customer:own",
} as Caller

const found: ReadResult = {
  record: ((kind: string, id: string) =>
    ({
      "Customer:c": { kind, id, customerId: null },
      "Card:ofC": { kind, id, customerId: "Customer:c" },
      "Card:ofD": { kind, id, customerId: "Customer:d" },
      "Card:ofNone": { kind, id, customerId: null },
    })[id]) as ReadResult["record"],
  owner: (({ id }: { readonly id: string }) =>
    ({ "InternalAccount:ofE": { id: "Customer:e" }, "InternalAccount:ofF": { id: "Customer:f" } })[
      id
    ]) as ReadResult["owner"],
  platform: undefined,
  balance: () => ({ balance: 0, sequence: 0 }),
  counter: () => 0,
  replay: undefined,
  holder: undefined,
}

const card = (id: string) => ({ kind: "Card", id: `Card:${id}` }) as const
const account = (id: string) => ({ kind: "InternalAccount", id: `InternalAccount:${id}` }) as const

/** The owner after these reads. */
const after = (caller: Caller, reads: ReadonlyArray<ReadQuery>, named?: string): string => {
  const owner = OperationOwner.make(caller, named)
  const read = owner.watching(() => Effect.succeed(found))
  for (const query of reads) expect(Effect.runSync(read(query))).toBe(found)
  return owner.id()
}

describe("the owner of an operation", () => {
  it.each<readonly [expected: string, reads: ReadonlyArray<ReadQuery>]>([
    ["PlatformConfig:p", []],
    ["PlatformConfig:p", [{}]],
    ["PlatformConfig:p", [{ records: [card("ofNone")] }]],
    ["PlatformConfig:p", [{ records: [card("absent")], ownersOf: [account("ofNone")] }]],
    ["Customer:c", [{ records: [{ kind: "Customer", id: "Customer:c" }] }]],
    ["Customer:c", [{ records: [card("ofC"), card("ofD")] }]],
    ["Customer:d", [{ records: [card("absent"), card("ofNone"), card("ofD"), card("ofC")] }]],
    ["Customer:e", [{ ownersOf: [account("ofE"), account("ofF")] }]],
    ["Customer:f", [{ ownersOf: [account("absent"), account("ofF")] }]],
    ["Customer:e", [{ records: [card("ofC")], ownersOf: [account("ofE")] }]],
    ["Customer:c", [{ records: [card("ofC")], ownersOf: [account("absent")] }]],
    ["Customer:c", [{}, { records: [card("ofC")] }, { records: [card("ofD")] }]],
  ])("is %s, the first customer whose records a platform's operation reads, if any", (expected, reads) => {
    expect(after(platform, reads)).toBe(expected)
  })

  it("is the agent's customer, whatever it reads", () => {
    expect(after(agent, [])).toBe("Customer:own")
    expect(after(agent, [{ records: [card("ofC")] }])).toBe("Customer:own")
  })

  it("is the one that the operation names, for every caller and whatever it reads", () => {
    for (const caller of [platform, agent])
      expect(after(caller, [{ records: [card("ofC")] }], "Customer:named")).toBe("Customer:named")
  })
})
