/** The callers of earlier requests: which are found, which make room, and which are replaced. Source: D-495. */
import { tenant } from "@countersign/core"
import { describe, expect, it } from "vitest"
import * as KnownCallers from "../../../packages/core/src/operation/KnownCallers.ts"

const callers = () => KnownCallers.make<ReturnType<typeof tenant>, { readonly id: string; readonly version: number }>()
const known = (id: string, version = 1, generation: number | undefined = 1) => ({
  caller: tenant(`Platform:${version}`),
  record: { id, version },
  generation,
})

describe("a remembered caller", () => {
  it("is found by its credential, in its state of the store alone", () => {
    const all = callers()
    const ada = known("ApiToken:1")
    all.remember("ada", ada)
    expect(all.find("ada", 1)).toBe(ada)
    expect(all.find("ada", 2)).toBeUndefined()
    expect(all.find("ada", undefined)).toBeUndefined()
    expect(all.find("grace", 1)).toBeUndefined()
  })

  it("stays as it is until its record or the state of the store is another one", () => {
    const all = callers()
    const first = known("ApiToken:1")
    all.remember("ada", first)
    all.remember("ada", known("ApiToken:1"))
    expect(all.find("ada", 1)).toBe(first)
    for (const next of [known("ApiToken:1", 2), known("ApiToken:2", 2), known("ApiToken:2", 2, 3)]) {
      all.remember("ada", next)
      expect(all.find("ada", next.generation)).toBe(next)
    }
  })

  it("is found no more once it is forgotten", () => {
    const all = callers()
    all.remember("ada", known("ApiToken:1"))
    all.remember("grace", known("ApiToken:2"))
    all.forget("ada")
    expect(all.find("ada", 1)).toBeUndefined()
    expect(all.find("grace", 1)).toBeDefined()
  })

  it("makes room for the ten thousand after it, and for no other of its own credential", () => {
    const all = callers()
    for (let count = 0; count < 10_000; count += 1) all.remember(`${count}`, known(`ApiToken:${count}`))
    all.remember("1", known("ApiToken:1", 2))
    expect(all.find("0", 1)).toBeDefined()
    all.remember("10000", known("ApiToken:10000"))
    expect([0, 1, 9999, 10_000].map((each) => all.find(`${each}`, 1)?.record.id)).toEqual([
      undefined,
      "ApiToken:1",
      "ApiToken:9999",
      "ApiToken:10000",
    ])
  })
})
