/** The service on fake handlers behind a real server, with routes that count, wait and answer at length. */
import { type NodeServer, type NodeServerOptions, startNodeServer } from "@countersign/adapter-http"
import { Deferred, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { onTestFinished } from "vitest"
import { type FakeOptions, fakeService } from "../wire/FakeService.ts"

type Options = Partial<Omit<NodeServerOptions, "handler" | "exchange" | "port" | "host">> &
  Pick<FakeOptions, "requestsInFlightMax" | "requestsInFlightPerTenantMax">

/** The size of the response of `GET /large`: more than the kernel's buffers of a connection. */
export const largeBytes = 16 * 1024 * 1024

const large = new Uint8Array(largeBytes).fill(97)

export interface HostileServer extends NodeServer {
  /** How many requests have reached `/counted`, `/waiting`, `/large` and `/customers/held`. */
  readonly counted: () => number
  /** Lets the requests for `/waiting` and `/customers/held` finish. */
  readonly release: () => void
}

/** Resolves when the condition holds; rejects if it does not for a minute. */
export const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + 60_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`it does not hold: ${String(condition)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export const startHostileServer = async (options: Options = {}): Promise<HostileServer> => {
  let count = 0
  const released = Deferred.makeUnsafe<void>()
  const counting = (body: string | Uint8Array) =>
    Effect.sync(() => {
      count += 1
      return typeof body === "string" ? HttpServerResponse.text(body) : HttpServerResponse.uint8Array(body)
    })
  const page = (path: `/${string}`, answer: Effect.Effect<HttpServerResponse.HttpServerResponse>) => ({
    route: { method: "GET", path } as const,
    layer: () => HttpRouter.add("GET", path, answer),
  })
  const { requestsInFlightMax, requestsInFlightPerTenantMax } = options
  const service = fakeService({
    ...(requestsInFlightMax === undefined ? {} : { requestsInFlightMax }),
    ...(requestsInFlightPerTenantMax === undefined ? {} : { requestsInFlightPerTenantMax }),
    held: Effect.andThen(
      Effect.sync(() => {
        count += 1
      }),
      Deferred.await(released),
    ),
    pages: [
      page("/counted", counting("counted")),
      page("/large", counting(large)),
      page(
        "/waiting",
        Effect.tap(counting("waited"), () => Deferred.await(released)),
      ),
    ],
  })
  await service.handler(new Request("http://service.test/healthz"))
  const server = await startNodeServer({ ...service, ...options, port: 0, host: "127.0.0.1", graceMillis: 0 })
  onTestFinished(async () => {
    await server.close()
    await service.dispose()
  })
  return { ...server, counted: () => count, release: () => Deferred.doneUnsafe(released, Effect.void) }
}
