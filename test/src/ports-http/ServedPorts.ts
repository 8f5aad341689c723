/** Ports of this process behind the contract: a server that decodes a request, asks the port, and encodes its answer. */
import { Issuer, Verifier } from "@countersign/core/ports"
import { operationsOfPorts } from "@countersign/ports-http"
import { Clock, Effect, type Layer, Logger, Schema, Stream } from "effect"
import type { PortOperation } from "../../../packages/ports-http/src/contract/PortOperation.ts"
import { type PortCall, type PortServer, portServer } from "./PortServer.ts"

/** The bank's business time is that of the request. */
const clockAt = (now: number) =>
  Effect.map(
    Clock.Clock,
    (base): Clock.Clock => ({
      ...base,
      currentTimeMillisUnsafe: () => now,
      currentTimeMillis: Effect.succeed(now),
      currentTimeNanosUnsafe: () => base.currentTimeNanosUnsafe(),
      monotonicTimeNanosUnsafe: () => base.monotonicTimeNanosUnsafe(),
      sleep: (duration) => base.sleep(duration),
    }),
  )

type Handler = (call: PortCall) => Effect.Effect<object>

const handler = <Q, A>(
  { answer, path, request }: PortOperation<Q, A>,
  use: (request: Q) => Effect.Effect<A>,
): readonly [string, Handler] => [
  `/ports${path}`,
  (call) =>
    Effect.flatMap(use(Schema.decodeUnknownSync(request)(call.request)), (answered) =>
      Effect.map(Effect.orDie(Schema.encodeEffect(answer)(answered)), (encoded) => encoded as object),
    ).pipe(Effect.provideServiceEffect(Clock.Clock, clockAt(call.businessTime))),
]

const { Issuer: cards, Verifier: checks } = operationsOfPorts

const asResult = <A>(answer: Effect.Effect<A>) => Effect.map(answer, (result) => ({ result }))

const issuerHandlers = (port: Issuer["Service"]) => [
  handler(cards.admits, ({ accountId }) => asResult(port.admits(accountId))),
  handler(cards.provision, (request) => port.provision(request)),
  handler(cards.changeState, (notice) => port.changeState(notice)),
  handler(cards.reveal, (request) => port.reveal({ ...request, sign: () => Effect.succeed("") })),
  handler(cards.screen, (request) => asResult(Effect.map(port.screen(request), (reason) => reason ?? null))),
  handler(cards.collect, (request) => port.collect(request)),
]

const bytesOf = (content = "") => Stream.succeed(new Uint8Array(Buffer.from(content, "base64")))

const verifierHandlers = (port: Verifier["Service"]) => [
  handler(checks.verifyBeneficiary, (check) => port.verifyBeneficiary(check)),
  handler(checks.checkCustomer, (check) => asResult(port.checkCustomer(check))),
  handler(checks.checkOwner, (check) => asResult(port.checkOwner(check))),
  handler(checks.verifyCustomer, ({ documents, ...check }) => {
    const read = documents.map(({ content, ...document }) => ({ ...document, read: () => bytesOf(content) }))
    return asResult(port.verifyCustomer({ ...check, documents: read }))
  }),
  handler(checks.kycLink, ({ customerId, redirectUri }) => asResult(port.kycLink({ customerId, redirectUri }))),
]

const serve = (handlers: ReadonlyArray<readonly [string, Handler]>): Promise<PortServer> => {
  const byPath = new Map(handlers)
  return portServer((call) => {
    const handle = byPath.get(call.path)
    if (handle === undefined) throw new Error(`there is no ${call.path}`)
    // What the bank logs is its own.
    return Effect.runPromise(Effect.provide(handle(call), Logger.layer([])))
  })
}

export const serveIssuer = (layer: Layer.Layer<Issuer>) =>
  Effect.runPromise(Effect.provide(Issuer.useSync(issuerHandlers), layer)).then(serve)

export const serveVerifier = (layer: Layer.Layer<Verifier>) =>
  Effect.runPromise(Effect.provide(Verifier.useSync(verifierHandlers), layer)).then(serve)
