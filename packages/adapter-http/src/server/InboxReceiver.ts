/**
 * Receives webhooks in the inboxes of a sandbox, and verifies them as a receiver does: by the platform's published keys and the time.
 * Source: D-473; wire contract 6.2.
 */
import { challengeAnswer, verifyWebhook, WebhookRefused } from "@countersign/client/webhook"
import { CurrentCaller, Inboxes, notFound, RequestId, ServiceError, tenant, WebhookKeys } from "@countersign/core"
import { serviceNameOf, WireNames } from "@countersign/core/ports"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerFailures } from "../middleware/Answers.ts"
import { inboxRoute } from "../middleware/InboxAddress.ts"
import { whileClientSends } from "../middleware/RequestsInFlight.ts"

export const inboxRoutes = [inboxRoute]

const bodyBytesMax = ByteSize.kibibytes(256)
const headersMax = 50
const headerLengthMax = 2_000

const unreadable = new ServiceError({
  code: "INVALID_REQUEST_FORMAT",
  message: "The body is larger than 256 KiB, or could not be read to its end.",
})

/** Those of the message; a cookie or credentials belong to the connection of a program that is no webhook. */
const headersOf = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== "cookie" && name !== "authorization")
      .slice(0, headersMax)
      .map(([name, value]) => [name.slice(0, headerLengthMax), value.slice(0, headerLengthMax)]),
  )

type Admitted = Effect.Success<ReturnType<Inboxes["Service"]["admit"]>>

const utf8 = new TextDecoder()

/** The route of all inboxes. Only a sandbox serves it. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const inboxes = yield* Inboxes
    const keys = yield* WebhookKeys
    const serviceName = serviceNameOf(yield* WireNames)

    const verified = Effect.fnUntraced(function* (
      { now, platformId }: Admitted,
      headers: Readonly<Record<string, string>>,
      body: Uint8Array,
    ) {
      const { data } = yield* keys.list
      return yield* Effect.tryPromise({
        try: () => verifyWebhook(headers, body, data, { platformId, serviceName, now: () => now }),
        catch: (error) => (error instanceof WebhookRefused ? error.reason : "INVALID_BODY"),
      }).pipe(
        Effect.match({
          onFailure: (reason) => ({ verification: { isVerified: false, reason }, answer: {} }),
          onSuccess: (event) => ({
            verification: { isVerified: true },
            event: { id: event.id, type: event.type },
            answer: challengeAnswer(event) ?? {},
          }),
        }),
      )
    })

    const receive = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, admitted: Admitted) {
      const body = new Uint8Array(
        yield* whileClientSends(request.arrayBuffer).pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyBytesMax),
          Effect.mapError((error) => (error._tag === "ServiceError" ? error : unreadable)),
        ),
      )
      const { answer, ...found } = yield* verified(admitted, request.headers, body)
      const answers = yield* inboxes.receive({
        id: (yield* RequestId) ?? "",
        headers: headersOf(request.headers),
        body: utf8.decode(body),
        bytes: body.byteLength,
        ...found,
      })
      const status = answers?.status ?? 200
      return status === 204 || status === 205 || status === 304
        ? HttpServerResponse.empty({ status })
        : HttpServerResponse.jsonUnsafe(answer, { status })
    })

    yield* router.add(
      inboxRoute.method,
      inboxRoute.path,
      answerFailures(
        Effect.gen(function* () {
          const { name } = yield* HttpRouter.params
          const admitted = yield* name === undefined ? new ServiceError(notFound("inbox")) : inboxes.admit(name)
          const request = yield* HttpServerRequest.HttpServerRequest
          return yield* Effect.provideService(receive(request, admitted), CurrentCaller, tenant(admitted.platformId))
        }),
      ),
    )
  }),
)
