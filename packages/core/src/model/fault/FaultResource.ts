/**
 * The faults of a sandbox's ports, on the wire: an extension of the specification.
 * Source: D-480.
 */
import { Schema } from "effect"
import { RailRefusals } from "../transaction/RailRefusals.ts"

const percent = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
    description: "The share of calls that meet it. Default: 100, all of them.",
  }),
)

const slowSeconds = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_592_000 })).annotate({
    description: "For `SLOW`: seconds of business time until the port knows the outcome. Default: 60.",
  }),
)

/** How a port that does something outside can fail. */
const kind = Schema.Literals(["ERROR", "UNKNOWN", "SLOW", "REJECT"]).annotate({
  description:
    "`ERROR`: the call breaks off, and its job is tried again. `UNKNOWN`: the call is executed and its answer is lost, so that the port is asked again. `SLOW`: the outcome is known later. `REJECT`: the port refuses.",
})

/** A fault of the payment rail, which pays out and pulls money. */
export const RailFault = Schema.Struct({
  kind,
  percent,
  slowSeconds,
  reason: Schema.optionalKey(
    Schema.Literals(RailRefusals.keys).annotate({ description: "For `REJECT`. Default: `BANK_REJECTED`." }),
  ),
}).annotate({ identifier: "SandboxRailFault" })
export type RailFault = typeof RailFault.Type

/** A fault of the card issuer. */
export const IssuerFault = Schema.Struct({ kind, percent, slowSeconds }).annotate({ identifier: "SandboxIssuerFault" })
export type IssuerFault = typeof IssuerFault.Type

/** A fault of webhook endpoints: what the service receives in place of their answer. */
export const WebhookFault = Schema.Struct({
  kind: Schema.Literals(["STATUS", "TIMEOUT"]).annotate({
    description: "`STATUS`: the endpoint answers with `status`. `TIMEOUT`: no answer. It receives nothing either way.",
  }),
  percent,
  status: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 599 })).annotate({
      description: "For `STATUS`. Default: 503.",
    }),
  ),
}).annotate({ identifier: "SandboxWebhookFault" })
export type WebhookFault = typeof WebhookFault.Type

/** A fault of the store: how the next commits fail. */
export const StoreFault = Schema.Struct({
  kind: Schema.Literals(["CONFLICT", "FAIL_BEFORE", "FAIL_AFTER"]).annotate({
    description:
      "`CONFLICT`: something else changed what the commit depends on. `FAIL_BEFORE`: the connection breaks and nothing is stored. `FAIL_AFTER`: it breaks after all was stored.",
  }),
  commits: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })).annotate({
    description: "How many of the next commits meet it; a commit that is repeated counts again.",
  }),
}).annotate({ identifier: "SandboxStoreFault" })
export type StoreFault = typeof StoreFault.Type

const faults = {
  rail: Schema.optionalKey(RailFault),
  issuer: Schema.optionalKey(IssuerFault),
  webhooks: Schema.optionalKey(WebhookFault),
  store: Schema.optionalKey(StoreFault),
}

/** The ports that can have faults, in the order in which they are named. */
export const faultPorts = ["rail", "issuer", "webhooks", "store"] as const
/** The name of a port that can have a fault. */
export type FaultPort = (typeof faultPorts)[number]

/** Optional body of `PUT /sandbox/faults`: all faults from now on. A port that is left out has no fault. */
export const FaultsRequest = Schema.Struct({
  ...faults,
  seed: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })).annotate({
      description: "Of the dice that decide which calls meet a fault: the same seed, the same calls. Default: 1.",
    }),
  ),
}).annotate({
  identifier: "SandboxFaultsRequest",
  examples: [{ rail: { kind: "REJECT", percent: 50 }, webhooks: { kind: "STATUS", status: 503 }, seed: 7 }],
})
export type FaultsRequest = typeof FaultsRequest.Type

const met = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Answer of `GET` and `PUT /sandbox/faults`: the faults that are on, and how many calls have met them. */
export const FaultsResource = Schema.Struct({
  ...faults,
  seed: Schema.Int,
  on: Schema.Array(Schema.Literals(faultPorts)).annotate({ description: "The ports whose faults are on." }),
  met: Schema.Struct({ rail: met, issuer: met, webhooks: met, store: met }).annotate({
    description: "How many calls have met each fault since it was switched on.",
  }),
}).annotate({ identifier: "SandboxFaults" })
export type FaultsResource = typeof FaultsResource.Type
