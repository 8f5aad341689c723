/**
 * The proof of a UMA domain: which domains need a DNS record, and how the record is read.
 * Source: D-348.
 */
import { DnsDomains } from "@countersign/adapter-http"
import { type DomainAnswer, DomainOwnership } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { defaultUmaDomain, domainRecordOf, proofOf } from "../../../packages/core/src/model/platform/UmaDomainProof.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

const platformId = "PlatformConfig:00000000-0000-7000-8000-0123456789ab"

describe("a domain", () => {
  it.each([
    ["0123456789ab.uma.example", "NONE"],
    ["0123456789ac.uma.example", "IMPOSSIBLE"],
    ["uma.example", "IMPOSSIBLE"],
    ["x.0123456789ab.uma.example", "IMPOSSIBLE"],
    ["myuma.example", "RECORD"],
    ["pay.example.com", "RECORD"],
  ] as const)("%s needs as a proof: %s", (domain, proof) => {
    expect(defaultUmaDomain(platformId, "uma.example")).toBe("0123456789ab.uma.example")
    expect(proofOf(platformId, domain, "uma.example")).toBe(proof)
  })
})

describe("the DNS record", () => {
  const record = domainRecordOf(platformId, "pay.example.com")
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))
  const asked: Array<string> = []
  const answers =
    (...records: ReadonlyArray<ReadonlyArray<string>>) =>
    (name: string) => {
      asked.push(name)
      return Promise.resolve(records)
    }
  it.each<readonly [string, DnsDomains.TxtResolver, DomainAnswer]>([
    ["that names the platform", answers(["v=spf1 -all"], [record.value]), "PROVEN"],
    ["in two parts", answers([record.value.slice(0, 9), record.value.slice(9)]), "PROVEN"],
    ["of another platform", answers([`${record.value.slice(0, -1)}c`]), "NOT_PROVEN"],
    ["with more text", answers([`${record.value} `]), "NOT_PROVEN"],
    ["without text", answers(), "NOT_PROVEN"],
    ["that does not exist", failing("ENOTFOUND"), "NOT_PROVEN"],
    ["of a name without such records", failing("ENODATA"), "NOT_PROVEN"],
    ["of a name server that does not answer", failing("ETIMEOUT"), "UNKNOWN"],
    ["of a name server that fails", failing("ESERVFAIL"), "UNKNOWN"],
  ])("%s", async (_, resolve, answer) => {
    const check = Effect.flatMap(DomainOwnership, (port) =>
      port.check({ domain: "pay.example.com", platformId, record }),
    )
    expect(await Effect.runPromise(Effect.provide(check, DnsDomains.layer(resolve)))).toBe(answer)
    expect(new Set(asked)).toEqual(new Set(["_uma-platform.pay.example.com"]))
  })
})

describe("the port", () => {
  const configured = async (answer: DomainAnswer) => {
    const asked: Array<string> = []
    const check = ({ domain }: { readonly domain: string }) =>
      Effect.sync(() => {
        asked.push(domain)
        return answer
      })
    const pay = await harness({ ports: Layer.succeed(DomainOwnership, { check }) })
    return { asked, pay, patch: (body: object) => pay.send("PATCH", "/config", { body }) }
  }

  it("is asked once for a new domain, and not for the present one", async () => {
    const { asked, patch, pay } = await configured("PROVEN")
    await using _ = pay
    expect((await patch({ umaDomain: "pay.example.com" })).status).toBe(200)
    expect((await patch({ umaDomain: "pay.example.com" })).status).toBe(200)
    expect((await patch({ umaDomain: "not a domain" })).status).toBe(400)
    expect(asked).toEqual(["pay.example.com"])
  })

  it("refuses a domain that it cannot tell about, without a change", async () => {
    const { patch, pay } = await configured("UNKNOWN")
    await using _ = pay
    const before = await pay.send("GET", "/config")
    expect(await patch({ umaDomain: "pay.example.com" })).toMatchObject({
      status: 503,
      body: { code: "SERVICE_UNAVAILABLE", details: { reason: "DOMAIN_UNKNOWN" } },
    })
    expect((await pay.send("GET", "/config")).body).toEqual(before.body)
  })

  it("is not asked for the platform's default domain, and refuses every other one that it does not prove", async () => {
    const { asked, patch, pay } = await configured("NOT_PROVEN")
    await using _ = pay
    const umaDomain = at(await pay.send("GET", "/config"), "umaDomain")
    expect(await patch({ umaDomain: "pay.example.com" })).toMatchObject({
      status: 400,
      body: { details: { reason: "DOMAIN_NOT_PROVEN" } },
    })
    expect((await patch({ umaDomain })).status).toBe(200)
    expect(asked).toEqual(["pay.example.com"])
  })
})
