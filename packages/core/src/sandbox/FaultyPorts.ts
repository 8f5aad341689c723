/**
 * The ports of a sandbox with the faults that are switched on: its rails, its issuer and its webhooks.
 * Source: D-480.
 */
import { Clock, Effect } from "effect"
import type { Issuer } from "../ports/Issuer.ts"
import type { Rails } from "../ports/Rails.ts"
import type { WebhookTransport } from "../ports/WebhookTransport.ts"
import type { FaultSwitches } from "./FaultSwitches.ts"
import { type CallFault, faultyCalls, type Lost } from "./FaultyCalls.ts"

const slowSecondsDefault = 60

export const cause = "a fault that is switched on in this sandbox"

/**
 * Makes a call of a port. `since`: business time (ms) of its first request, from which a slow one counts; without it, the call is never slow.
 * `refusal`: what the port answers when it refuses; without it, it does not.
 */
const calling =
  (switches: FaultSwitches, port: "rail" | "issuer") =>
  <A, R = never>(call: Effect.Effect<A>, since?: number, refusal?: Effect.Effect<R>): Effect.Effect<A | R | Lost> =>
    Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<A | R | Lost> => {
      const fault = switches.roll(port)
      if (fault === undefined) return call
      const knownAt = since === undefined ? now : since + (fault.slowSeconds ?? slowSecondsDefault) * 1000
      if (fault.kind === "SLOW" && now >= knownAt) return call
      if (fault.kind === "REJECT" && refusal === undefined) return call
      switches.hit(port)
      if (fault.kind === "REJECT") return refusal ?? call
      const happens: CallFault = fault.kind === "SLOW" ? knownAt : fault.kind === "UNKNOWN" ? "LOST_ANSWER" : fault.kind
      return faultyCalls(cause, Effect.succeed(happens))(call)
    })

export const faultyRails = (inner: Rails["Service"], switches: FaultSwitches): Rails["Service"] => {
  const called = calling(switches, "rail")
  const refusal = Effect.sync(() => {
    const { reason = "BANK_REJECTED" } = switches.settings().rail ?? {}
    return { _tag: "Refused", reason } as const
  })
  return {
    ...inner,
    pull: (request) => called(inner.pull(request), request.submittedAt, refusal),
    push: (request) => called(inner.push(request), request.submittedAt, refusal),
    inquire: (instruction) => {
      const { request } = instruction
      // A payment that was delivered is asked about again later, and is not refused then.
      const deliveredAt = "deliveredAt" in request ? request.deliveredAt : undefined
      return deliveredAt === undefined
        ? called(inner.inquire(instruction), request.submittedAt, refusal)
        : called(inner.inquire(instruction), deliveredAt)
    },
    refund: (request) => called(inner.refund(request), request.initiatedAt, refusal),
    cancel: (request) => called(inner.cancel(request), undefined, refusal),
  }
}

export const faultyIssuer = (inner: Issuer["Service"], switches: FaultSwitches): Issuer["Service"] => {
  const called = calling(switches, "issuer")
  const refusal = Effect.succeed({ _tag: "Refused" } as const)
  return {
    ...inner,
    provision: (request) => called(inner.provision(request), request.issuedAt, refusal),
    changeState: (notice) => called(inner.changeState(notice)),
    collect: (request) => called(inner.collect(request), request.requestedAt, refusal),
    screen: (request) =>
      Effect.suspend(() => {
        if (switches.settings().issuer?.kind !== "REJECT" || switches.roll("issuer") === undefined) {
          return inner.screen(request)
        }
        switches.hit("issuer")
        return Effect.succeed("SUSPECTED_FRAUD" as const)
      }),
  }
}

const statusDefault = 503

export const faultyWebhooks = (
  inner: WebhookTransport["Service"],
  switches: FaultSwitches,
): WebhookTransport["Service"] => ({
  ...inner,
  send: (request) =>
    Effect.suspend(() => {
      const fault = switches.roll("webhooks")
      if (fault === undefined) return inner.send(request)
      switches.hit("webhooks")
      return Effect.succeed(
        fault.kind === "TIMEOUT"
          ? ({ _tag: "Unreachable", reason: `no answer in time: ${cause}` } as const)
          : ({ _tag: "Answered", status: fault.status ?? statusDefault, body: cause } as const),
      )
    }),
})
