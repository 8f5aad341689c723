/**
 * The auditor finds each problem of verifications, owners and lists in a run that was corrupted for it.
 * Source: wire contract 0.3, 5.11 and 5.12; D-083, D-418.
 */
import { describe, it } from "vitest"
import { answering, findsIn, listed, withBody, withData, withEvents } from "./Corruptions.ts"

const finds = findsIn("verifications", "lists", "transfers")

const timeout = { timeout: 120_000 }

describe("the auditor of verifications", timeout, () => {
  const verifications = /^\/verifications\?/u

  it("finds a verification and a customer that contradict their events", async () => {
    await finds(
      withEvents(() => []),
      /Verification:\S+ is \w+ after: $/mu,
      /Customer:\S+ is \w+ after: $/mu,
    )
  })

  it("finds a second open verification, and a decision without one", async () => {
    const twin = listed(verifications, (each) => [
      { ...each, verificationStatus: "IN_PROGRESS" },
      { ...each, id: "Verification:twin", verificationStatus: "IN_PROGRESS" },
    ])
    await finds(
      twin,
      /Customer:\S+ has [234] open verifications/u,
      /Customer:\S+ has \d+ verifications, and \d+ were requested/u,
      /Customer:\S+ is (?:APPROVED|REJECTED) without a verification that decided it/u,
    )
  })

  it("finds an owner that is lost, listed twice, or exists without a request", async () => {
    const owners = /^\/beneficial-owners\?/u
    await finds(
      listed(owners, () => []),
      /BeneficialOwner:\S+ was answered and does not exist/u,
    )
    await finds(
      listed(owners, (each) => [each, each]),
      /an owner of Customer:\S+ is listed twice/u,
    )
    const renamed = listed(owners, (each) => [each, ...["a", "b", "c"].map((id) => ({ ...each, id }))])
    await finds(renamed, /^c exists without a request/mu)
  })
})

describe("the check of a list", timeout, () => {
  const pages = (corrupt: Parameters<typeof answering>[1]) =>
    answering((method, path) => method === "GET" && /limit=[1-4](?:&|$)/u.test(path), corrupt)

  it("finds a record on two pages, one that is omitted, and one at a wrong place", async () => {
    await finds(pages(withData((data) => [...data, ...data.slice(0, 1)])), /\/\S+ has a record on two pages/u)
    await finds(pages(withData((data) => data.slice(1))), /\/\S+ omits \w+:\S+, which existed before/u)
    await finds(pages(withData((data) => data.toReversed())), /\/\S+ has \w+:\S+ at a wrong place/u)
  })

  it("finds a count that falls", async () => {
    const falling = pages((reply, times) => withBody(reply, { totalCount: 1000 - times }))
    await finds(falling, /\/\S+ counts 1000,999\S*, and had \d+ records before/u)
  })
})
