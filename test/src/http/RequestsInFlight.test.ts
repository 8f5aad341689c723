/** How many requests are handled at once, in all and of each owner. Source: D-315. */
import { ServiceError } from "@countersign/core"
import { Deferred, Effect, Fiber, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import * as RequestsInFlight from "../../../packages/adapter-http/src/middleware/RequestsInFlight.ts"

const limits = { requestsInFlightMax: 4, requestsInFlightPerTenantMax: 2 }
const placeIn = ({ enter }: RequestsInFlight.RequestsInFlight, address: string | undefined) => {
  const place = enter(address)
  if (place === undefined) throw new Error("too many requests")
  return place
}

describe("the places", () => {
  it("are as many as the limit in all", () => {
    const inFlight = RequestsInFlight.make(limits)
    const entered = ["a", "a", "b", "b", "c"].map((address) => inFlight.enter(address) !== undefined)
    expect(entered).toEqual([true, true, true, true, false])
  })

  it("of one address are as many as the limit of an owner, and a refused request takes none", () => {
    const inFlight = RequestsInFlight.make(limits)
    const entered = ["a", "a", "a", "b", "b"].map((address) => inFlight.enter(address) !== undefined)
    expect(entered).toEqual([true, true, false, true, true])
  })

  it("of an unknown address are limited in all only", () => {
    const inFlight = RequestsInFlight.make(limits)
    const places = Array.from({ length: 4 }, () => placeIn(inFlight, undefined))
    expect(inFlight.enter(undefined)).toBeUndefined()
    places[0]?.leave()
    expect(inFlight.enter(undefined)).toBeDefined()
    expect(inFlight.enter("a")).toBeUndefined()
  })

  it("are free again when their requests end, each once", () => {
    const inFlight = RequestsInFlight.make(limits)
    const first = placeIn(inFlight, "a")
    placeIn(inFlight, "a")
    first.leave()
    first.leave()
    expect(inFlight.enter("a")).toBeDefined()
    expect(inFlight.enter("a")).toBeUndefined()
    const others = ["b", "b", "c"].map((address) => inFlight.enter(address) !== undefined)
    expect(others).toEqual([true, true, false])
  })

  it("are not counted while their requests pause, and may be taken meanwhile", () => {
    const inFlight = RequestsInFlight.make(limits)
    const paused = placeIn(inFlight, "a")
    const other = placeIn(inFlight, "a")
    expect(paused.resume()).toBe(true)
    paused.pause()
    paused.pause()
    const third = placeIn(inFlight, "a")
    expect(paused.resume()).toBe(false)
    expect(inFlight.enter("a")).toBeUndefined()
    third.leave()
    expect(paused.resume()).toBe(true)
    expect(inFlight.enter("a")).toBeUndefined()
    other.leave()
    expect(inFlight.enter("a")).toBeDefined()
  })

  it("of a tenant are counted apart from those of its address", () => {
    const inFlight = RequestsInFlight.make(limits)
    expect(placeIn(inFlight, "a").becomeTenant("a")).toBe(true)
    expect(placeIn(inFlight, "a").becomeTenant("a")).toBe(true)
    const third = placeIn(inFlight, "a")
    expect(third.becomeTenant("a")).toBe(false)
    expect(third.resume()).toBe(false)
    expect(third.becomeTenant("b")).toBe(true)
    expect(inFlight.enter("a")).toBeDefined()
    expect(inFlight.enter("a")).toBeUndefined()
  })

  it("of a paused request are the tenant's when it resumes", () => {
    const inFlight = RequestsInFlight.make({ requestsInFlightMax: 4, requestsInFlightPerTenantMax: 1 })
    const place = placeIn(inFlight, "a")
    place.becomeTenant("one")
    place.pause()
    expect(placeIn(inFlight, "a").becomeTenant("one")).toBe(true)
    expect(place.resume()).toBe(false)
  })
})

describe("a request", () => {
  const requestOf = (address: string, notes?: object) =>
    HttpServerRequest.fromWeb(new Request("http://localhost/")).modify({
      remoteAddress: Option.some(address),
      ...notes,
    })
  const handle = <E>(
    inFlight: RequestsInFlight.RequestsInFlight,
    handled: Effect.Effect<HttpServerResponse.HttpServerResponse, E>,
    address = "192.0.2.1",
  ) =>
    RequestsInFlight.within(inFlight)(handled).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, requestOf(address)),
    )
  const one = { requestsInFlightMax: 9, requestsInFlightPerTenantMax: 1 }
  const answered = Effect.succeed(HttpServerResponse.empty({ status: 204 }))

  /** Runs an effect while another request of the address is handled. */
  const whileOther = <A, E>(
    during: (inFlight: RequestsInFlight.RequestsInFlight) => Effect.Effect<A, E>,
    address = "192.0.2.1",
  ) =>
    Effect.gen(function* () {
      const inFlight = RequestsInFlight.make(one)
      const begun = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      const waits = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end))
      const fiber = yield* Effect.forkChild(handle(inFlight, Effect.andThen(waits, answered), address))
      yield* Deferred.await(begun)
      const result = yield* during(inFlight)
      yield* Deferred.succeed(end, undefined)
      expect((yield* Fiber.join(fiber)).status).toBe(204)
      return result
    }).pipe(Effect.runPromise)

  it("beyond the limit of its address is answered at once, and the next one is handled", async () => {
    const inFlight = RequestsInFlight.make(one)
    const statuses = await whileOther((busy) =>
      Effect.all([
        Effect.map(handle(busy, answered), ({ status }) => status),
        Effect.map(handle(busy, answered, "192.0.2.2"), ({ status }) => status),
      ]),
    )
    expect(statuses).toEqual([503, 204])
    const both = await Effect.runPromise(Effect.all([handle(inFlight, answered), handle(inFlight, answered)]))
    expect(both.map(({ status }) => status)).toEqual([204, 204])
  })

  it("shares the limit with the network of its IPv6 address", async () => {
    const statuses = await whileOther(
      (busy) =>
        Effect.all([
          Effect.map(handle(busy, answered, "2001:db8::2"), ({ status }) => status),
          Effect.map(handle(busy, answered, "2001:db8:0:1::2"), ({ status }) => status),
        ]),
      "2001:db8::1",
    )
    expect(statuses).toEqual([503, 204])
  })

  it("leaves its place also when it fails or is interrupted", async () => {
    const inFlight = RequestsInFlight.make(one)
    expect(await Effect.runPromise(Effect.flip(handle(inFlight, Effect.fail("no"))))).toBe("no")
    const interrupted = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(handle(inFlight, Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
    })
    await Effect.runPromise(interrupted)
    expect((await Effect.runPromise(handle(inFlight, answered))).status).toBe(204)
  })

  const refusal = expect.objectContaining({
    code: "SERVICE_UNAVAILABLE",
    message: "Too many requests are in progress. Try again.",
    details: { reason: "TOO_MANY_REQUESTS_IN_FLIGHT" },
  })

  it("becomes its tenant's, whose limit may be reached", async () => {
    const become = Effect.andThen(RequestsInFlight.becomeTenant("one"), answered)
    const inFlight = RequestsInFlight.make(one)
    const inner = handle(inFlight, become, "192.0.2.2")
    const refused = handle(
      inFlight,
      Effect.andThen(RequestsInFlight.becomeTenant("one"), Effect.flip(inner)).pipe(
        Effect.map((error) => {
          expect(error).toBeInstanceOf(ServiceError)
          expect(error).toEqual(refusal)
          return HttpServerResponse.empty({ status: 204 })
        }),
      ),
    )
    expect((await Effect.runPromise(refused)).status).toBe(204)
    expect((await Effect.runPromise(inner)).status).toBe(204)
  })

  it("has no place while its client sends, and may find it taken", async () => {
    const inFlight = RequestsInFlight.make(one)
    const statuses: Array<number> = []
    const other = Effect.map(handle(inFlight, answered), ({ status }) => {
      statuses.push(status)
    })
    const sending = handle(
      inFlight,
      Effect.gen(function* () {
        yield* other
        yield* RequestsInFlight.whileClientSends(other)
        yield* other
        return HttpServerResponse.empty({ status: 204 })
      }),
    )
    expect((await Effect.runPromise(sending)).status).toBe(204)
    expect(statuses).toEqual([503, 204, 503])
    const place = inFlight.enter.bind(inFlight)
    const taking = handle(
      inFlight,
      Effect.andThen(RequestsInFlight.whileClientSends(Effect.sync(() => place("192.0.2.1"))), answered),
    )
    expect(await Effect.runPromise(Effect.flip(taking))).toEqual(refusal)
  })

  it("of another server has no place, and is not limited", async () => {
    await Effect.runPromise(RequestsInFlight.becomeTenant("one"))
    expect(await Effect.runPromise(RequestsInFlight.whileClientSends(Effect.succeed(1)))).toBe(1)
  })
})
