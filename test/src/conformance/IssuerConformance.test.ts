/** The suite of issuers: the sandbox and an issuer with a memory pass it, and one with any one fault does not. Source: D-444. */
import { SandboxIssuer } from "@countersign/core/sandbox"
import { issuerConformance } from "@countersign/test/conformance"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { issuerChecks } from "../../../packages/test/src/conformance/issuerChecks.ts"
import { failedChecks } from "./FailedChecks.ts"
import { faultyIssuer, issuerFaults } from "./FaultyIssuer.ts"
import { collectionOf, issuerGiven as given, requestOf } from "./IssuerGiven.ts"

issuerConformance("sandbox", SandboxIssuer.layer, {
  cards: ["000", "001", "002", "005"].map((suffix) => requestOf(`card-${suffix}`)),
  collections: ["000", "002", "005", "006"].map((suffix) => collectionOf(`shop ${suffix}`, 500)),
  produced: Effect.succeed(0),
  collected: Effect.succeed(0),
  isStateless: true,
})

const issuer = faultyIssuer()
issuerConformance("an issuer with a memory", issuer.layer, { ...given, ...issuer })

describe("an issuer that", () => {
  const once = "a request that is repeated has one outcome, and is carried out once"
  const overlapping = "a request that arrives twice at the same time is carried out once"
  const distinct = "requests that differ in their references alone are each carried out, unless they are refused"
  const later = "an outcome that is not known yet names the business time at which to ask, and a final one stays"
  const valid = "a produced card has four last digits, and expires in a month after its issue"
  const state = "a change of state is accepted again, and produces no card"
  const address = "the address that shows a card ends, and contains no card number"
  const password = "a 3-D Secure password reaches no outcome and no log"
  const reading = "screening a purchase and asking about a funding source move nothing, and have one answer"
  /** A check that fails for each fault; others may fail, too. */
  const noticedBy: { readonly [fault in (typeof issuerFaults)[number]]: string } = {
    "forgets its cards": once,
    "forgets its collections": once,
    "looks for a repetition before it waits for its processor": overlapping,
    "gives one card for all requests": distinct,
    "takes equal amounts for repetitions": distinct,
    "refuses a repetition": once,
    "names times by the system's clock": later,
    "changes its mind after a day": later,
    "shows more than four digits": valid,
    "counts thirteen months": valid,
    "produces a card by a change of state": state,
    "shows the number in the address": address,
    "gives addresses by the system's clock": address,
    "logs addresses": address,
    "logs passwords": password,
    "answers with passwords": password,
    "collects when it screens": reading,
    throws: once,
  }

  it.each(issuerFaults)("%s does not pass", async (fault) => {
    const { collected, layer, produced } = faultyIssuer(fault)
    expect(await failedChecks(issuerChecks(layer, { ...given, collected, produced }))).toContain(noticedBy[fault])
  })
})
