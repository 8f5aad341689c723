/** Which tenants a server knows by their credentials. */
import { describe, expect, it } from "vitest"
import * as KnownTenants from "../../../packages/adapter-http/src/server/KnownTenants.ts"

describe("the known tenants", () => {
  it("have the credentials that were right", () => {
    const known = KnownTenants.make()
    known.remember("Basic a", "one")
    known.remember("Bearer b", "two")
    expect([known.of("Basic a"), known.of("Bearer b"), known.of("Basic c"), known.of(undefined)]).toEqual([
      "one",
      "two",
      undefined,
      undefined,
    ])
  })

  it("lose credentials that are wrong now", () => {
    const known = KnownTenants.make()
    known.remember("Basic a", "one")
    known.forget("Basic b")
    expect(known.of("Basic a")).toBe("one")
    known.forget("Basic a")
    expect(known.of("Basic a")).toBeUndefined()
  })

  it("are bounded in number, and repeated credentials take no room", () => {
    const known = KnownTenants.make(2)
    known.remember("a", "one")
    known.remember("b", "two")
    known.remember("b", "two")
    known.remember("a", "other")
    expect([known.of("a"), known.of("b")]).toEqual(["other", "two"])
    known.remember("c", "three")
    expect([known.of("a"), known.of("b"), known.of("c")]).toEqual([undefined, "two", "three"])
  })
})
