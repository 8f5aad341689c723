/** The suite of verifiers: the sandbox and a provider with a memory pass it, and one with any one fault does not. Source: D-444. */
import { SandboxVerifier } from "@countersign/core/sandbox"
import { verifierConformance } from "@countersign/test/conformance"
import { describe, expect, it } from "vitest"
import { verifierChecks } from "../../../packages/test/src/conformance/verifierChecks.ts"
import { failedChecks } from "./FailedChecks.ts"
import { faultyVerifier, verifierFaults } from "./FaultyVerifier.ts"
import { verifierChecksGiven as options } from "./VerifierChecksGiven.ts"

verifierConformance("sandbox", SandboxVerifier.layer, options)

const provider = faultyVerifier()
verifierConformance("a provider with a memory", provider.layer, { ...options, begun: provider.begun })

describe("a provider that", () => {
  const later =
    "a result about an account that is not known yet names the business time at which to ask, and a final one stays"
  const once = "a check of an account that is asked for again, or twice at the same time, is begun once"
  const person = "a person has a status of the table, and a decided one stays"
  const log = "an identification number reaches no log"
  const coherent = "a verification asks for corrections exactly if it names some, about whom it has looked at"
  const decided = "a decided verification stays, if the same is submitted again"
  const link = "a link is an address of its own for each request, and ends"
  /** A check that fails for each fault; others may fail, too. */
  const noticedBy: { readonly [fault in (typeof verifierFaults)[number]]: string } = {
    "begins a check for each question": once,
    "names times by the system's clock": later,
    "changes a match after a day": later,
    "changes a decision about a person": person,
    "invents a status": person,
    "logs identification numbers": log,
    "asks for corrections without a reason": coherent,
    "names errors of an approved customer": coherent,
    "names errors of strangers": coherent,
    "decides about strangers": coherent,
    "changes a decided verification": decided,
    "repeats a link": link,
    "gives links by the system's clock": link,
    "gives links without an address": link,
    throws: person,
  }

  it.each(verifierFaults)("%s does not pass", async (fault) => {
    const { begun, layer } = faultyVerifier(fault)
    expect(await failedChecks(verifierChecks(layer, { ...options, begun }))).toEqual(
      [noticedBy[fault]].concat(fault === "throws" ? log : []),
    )
  })
})
