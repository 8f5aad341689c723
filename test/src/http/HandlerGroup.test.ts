/** What handlers take when they are built, and what a request carries to them. Source: D-435. */
import { Cards } from "@countersign/core"
import { AgentTokenLifetime } from "@countersign/core/ports"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { expect, it } from "vitest"
import { group } from "../../../packages/adapter-http/src/handlers/HandlerGroup.ts"

const Probe = HttpApi.make("probe").add(
  HttpApiGroup.make("probes").add(HttpApiEndpoint.get("probe", "/", { success: Schema.Array(Schema.String) })),
)
const known: ReadonlyArray<string> = [Cards.key, AgentTokenLifetime.key]

/** Returns the services of these that the handler has when it is built, and at a request. */
const probed = async (): Promise<unknown> => {
  const found = Effect.contextWith((services: Context.Context<never>) =>
    Effect.succeed(known.filter((key) => services.mapUnsafe.has(key))),
  )
  const handlers = group(Probe, "probes", (handlers) =>
    Effect.map(found, (built) =>
      handlers.handle("probe", () => Effect.map(found, (requested) => [...built, "at a request", ...requested])),
    ),
  )
  const services = Layer.merge(Layer.mock(Cards, {}), Layer.succeed(AgentTokenLifetime, 1000))
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiBuilder.layer(Probe).pipe(
      Layer.provide(handlers.pipe(Layer.provide(services))),
      Layer.provide(HttpServer.layerServices),
    ),
    { disableLogger: true },
  )
  try {
    return await (await handler(new Request("http://host/"), Context.empty())).json()
  } finally {
    await dispose()
  }
}

it("has the services of the core when it is built, and settings alone at a request", async () => {
  expect(await probed()).toEqual([Cards.key, AgentTokenLifetime.key, "at a request", AgentTokenLifetime.key])
})
