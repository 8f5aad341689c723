/**
 * Limits the requests that are handled at once: in all, and of each owner, which is a platform with its agents, or the client's address
 * before the credential is known. A request beyond a limit is refused at once, because a queue would only delay the refusal.
 * Source: D-315. While a request waits for its client to send the body, it counts for neither limit.
 */
import { type Refusal, ServiceError } from "@countersign/core"
import { Context, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { refuse } from "./Answers.ts"
import * as ClientAddress from "./ClientAddress.ts"
import type { ServerLimits } from "./ServerLimits.ts"
import { noteTenant } from "./TenantNotes.ts"

export type InFlightLimits = Pick<ServerLimits, "requestsInFlightMax" | "requestsInFlightPerTenantMax">

/** The place of a request among those in flight. Each method returns whether the limits allow it. */
export interface Place {
  /** Counts the request for its tenant instead of its address. */
  readonly becomeTenant: (tenant: string) => boolean
  /** Stops counting the request until `resume`. */
  readonly pause: () => void
  readonly resume: () => boolean
  /** Ends the request. */
  readonly leave: () => void
}

export interface RequestsInFlight {
  /** Counts a request; `undefined` if there are too many. */
  readonly enter: (address: string | undefined) => Place | undefined
}

export const make = ({ requestsInFlightMax, requestsInFlightPerTenantMax }: InFlightLimits): RequestsInFlight => {
  let all = 0
  const byOwner = new Map<string, number>()

  const take = (owner: string | undefined): boolean => {
    const count = owner === undefined ? 0 : (byOwner.get(owner) ?? 0)
    if (all >= requestsInFlightMax || count >= requestsInFlightPerTenantMax) return false
    all += 1
    if (owner !== undefined) byOwner.set(owner, count + 1)
    return true
  }
  const give = (owner: string | undefined): void => {
    all -= 1
    if (owner === undefined) return
    const left = (byOwner.get(owner) ?? 0) - 1
    if (left > 0) byOwner.set(owner, left)
    else byOwner.delete(owner)
  }

  return {
    enter: (address) => {
      let owner = address === undefined ? undefined : `address ${address}`
      let isCounted = take(owner)
      if (!isCounted) return undefined
      const pause = () => {
        if (isCounted) give(owner)
        isCounted = false
      }
      const resume = () => (isCounted ||= take(owner))
      return {
        pause,
        resume,
        leave: pause,
        becomeTenant: (tenant) => {
          pause()
          owner = `tenant ${tenant}`
          return resume()
        },
      }
    },
  }
}

/** The place of the current request. Requests of other servers than ours, and of the process itself, are not limited. */
const CurrentPlace = Context.Reference<Place | undefined>("@countersign/adapter-http/Place", {
  defaultValue: () => undefined,
})

export const tooManyInFlight: Refusal = {
  code: "SERVICE_UNAVAILABLE",
  message: "Too many requests are in progress. Try again.",
  details: { reason: "TOO_MANY_REQUESTS_IN_FLIGHT" },
}

const refuseUnless = (isAllowed: boolean | undefined): Effect.Effect<void, ServiceError> =>
  isAllowed === false ? Effect.fail(new ServiceError(tooManyInFlight)) : Effect.void

/** Handles a request within the limits, or answers that there are too many. */
export const within =
  ({ enter }: RequestsInFlight) =>
  <E, R>(
    handled: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(ClientAddress.current, (address) => {
      let place: Place | undefined
      return Effect.suspend(() => {
        place = enter(address === undefined ? undefined : ClientAddress.sourceOf(address))
        return place === undefined
          ? Effect.succeed(refuse(tooManyInFlight))
          : Effect.provideService(handled, CurrentPlace, place)
      }).pipe(Effect.ensuring(Effect.sync(() => place?.leave())))
    })

/** Counts the request for its tenant from now on. */
export const becomeTenant = (tenant: string): Effect.Effect<void, ServiceError> =>
  Effect.withFiber((fiber) => {
    noteTenant(Context.getOrUndefined(fiber.context, HttpServerRequest.HttpServerRequest), tenant)
    return refuseUnless(fiber.getRef(CurrentPlace)?.becomeTenant(tenant))
  })

/** Runs an effect that waits for the client. */
export const whileClientSends = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | ServiceError, R> =>
  Effect.withFiber<A, E | ServiceError, R>((fiber) => {
    const place = fiber.getRef(CurrentPlace)
    if (place === undefined) return effect
    place.pause()
    return Effect.tap(effect, () => refuseUnless(place.resume()))
  })
