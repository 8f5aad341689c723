/** An interface of one operation that has every kind of element in every part, served as the whole interface is. */
import { RequestReading } from "@countersign/client/api"
import { type Keyed, type Refusal, ServiceError } from "@countersign/core"
import { ErrorResource } from "@countersign/core/models"
import { WireNames } from "@countersign/core/ports"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { answering } from "../../../packages/adapter-http/src/handlers/EndpointHandlers.ts"
import { keyed } from "../../../packages/adapter-http/src/middleware/Idempotency.ts"
import * as RequestChecks from "../../../packages/adapter-http/src/middleware/RequestChecks.ts"
import { withSignature } from "../../../packages/adapter-http/src/middleware/WalletHeaders.ts"
import { walletSignature } from "../../../packages/client/src/api/Parameters.ts"

const Status = Schema.Literals(["NOT_ENABLED", "ENABLED"])
const Source = Schema.Union([
  Schema.Struct({ type: Schema.Literal("WIRE"), reference: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ type: Schema.Literal("SERVICE_INTERNAL_ACCOUNT"), accountId: Schema.String }),
])
const Minted = Schema.Struct({
  serviceOperationsStatus: Status,
  source: Source,
  note: Schema.optionalKey(Schema.String),
})

export const Named = HttpApi.make("named").add(
  HttpApiGroup.make("mints")
    .add(
      HttpApiEndpoint.post("mint", "/mints", {
        headers: { ...walletSignature, "idempotency-key": Schema.optionalKey(Schema.String) },
        query: { serviceOperationsStatus: Schema.optionalKey(Status) },
        payload: Schema.Struct({
          source: Source,
          serviceApiFixedFee: Schema.optionalKey(Schema.Int),
          metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
        }),
        success: Minted,
        error: ErrorResource.pipe(HttpApiSchema.status(400)),
      }),
    )
    .middleware(RequestReading),
)

/** What the handler was called with. */
export interface Called {
  readonly body: unknown
  readonly query: unknown
  readonly signature: string | undefined
  readonly keyed: Keyed | undefined
}

/** Serves the operation as the service of this name; the refusal, if any, is the handler's answer. */
export const namedInterface = (serviceName: string, refusal?: Refusal) => {
  const calls: Array<Called> = []
  const handlers = HttpApiBuilder.group(
    Named,
    "mints",
    Effect.fnUntraced(function* (group) {
      return group.handleAll(
        yield* answering(group, {
          mint: (request) =>
            withSignature(({ signature }) => {
              const { payload, query } = request
              calls.push({ body: payload, query, signature, keyed: keyed(request) })
              const { serviceOperationsStatus = "ENABLED" } = query
              return refusal === undefined
                ? Effect.succeed({ status: 200, body: { serviceOperationsStatus, source: payload.source } })
                : Effect.fail(new ServiceError(refusal))
            }),
        }),
      )
    }),
  )
  const names = Layer.succeed(WireNames, { serviceName, signatureForm: "json" })
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiBuilder.layer(Named).pipe(
      Layer.provide(handlers),
      Layer.provide(RequestChecks.layer),
      Layer.provide(names),
      Layer.provide(HttpServer.layerServices),
    ),
    { disableLogger: true },
  )
  const mint = async (body: unknown, { headers = {}, query = "" }: { headers?: object; query?: string } = {}) => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers } }
    const text = typeof body === "string" ? body : JSON.stringify(body)
    const response = await handler(new Request(`http://named.example/mints${query}`, { ...init, body: text }))
    return { status: response.status, body: (await response.json()) as unknown }
  }
  return { mint, calls, [Symbol.asyncDispose]: dispose }
}
