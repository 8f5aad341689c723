/** A provider of stablecoins without a check for repeated keys: it begins each instruction that reaches it. */
import {
  type ProviderInquiry,
  type ProviderInstruction,
  type ProviderOutcome,
  type ProviderReport,
  StablecoinProvider,
} from "@countersign/core/ports"
import { Clock, Effect, Layer } from "effect"

/** What becomes of a call: it never arrives, its answer is lost, it is answered, or the provider is certainly not reached. */
export type Call = "lost before" | "lost after" | "answered" | "down" | "refused"

const lost: ProviderOutcome = { _tag: "Unknown", cause: "connection lost" }

/** `pollMillis`: how long the service shall wait before it asks again; absent: it chooses. */
export const fakeProvider = (
  calls: ReadonlyArray<Call> = [],
  inquiries: ReadonlyArray<Call> = [],
  pollMillis?: number,
) => {
  const log: Array<string> = []
  const begun: Array<ProviderInstruction> = []
  const state: { report: ProviderReport } = {
    report: { _tag: "AwaitsFunding", fundingInstructions: { rail: "SPARK" } },
  }
  const answer = Effect.map(Clock.currentTimeMillis, (now) =>
    pollMillis === undefined ? state.report : { ...state.report, askAgainAt: now + pollMillis },
  )
  let instructed = 0
  let asked = 0
  const layer = Layer.succeed(StablecoinProvider, {
    environment: "PRODUCTION",
    check: () => Effect.succeed({ _tag: "Accepted", providerAccountIds: ["account"] } as const),
    describe: () =>
      Effect.succeed({
        _tag: "Described",
        name: "Acme Dollar",
        symbol: "ACME",
        baseCurrency: "USD",
        decimals: 6,
        issuanceStatus: "PROVISIONED",
      } as const),
    begin: (instruction) =>
      Effect.map(answer, (report): ProviderOutcome => {
        log.push("begin")
        const call = calls[instructed] ?? "answered"
        instructed += 1
        if (call === "down") return { _tag: "Unavailable", cause: "refused connection" }
        if (call === "refused") return { _tag: "CredentialsRefused" }
        if (call !== "lost before") begun.push(instruction)
        return call === "answered" ? report : lost
      }),
    inquire: ({ reference }) =>
      Effect.map(answer, (report): ProviderInquiry => {
        log.push("inquire")
        const call = inquiries[asked] ?? "answered"
        asked += 1
        if (call === "refused") return { _tag: "CredentialsRefused" }
        if (call !== "answered") return lost
        return begun.some((one) => one.reference === reference) ? report : { _tag: "NotReceived" }
      }),
  })
  return { log, begun, state, layer }
}
