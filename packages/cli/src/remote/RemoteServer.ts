/**
 * Finds the server that a command talks to, signs in, and turns refusals into errors of the command line.
 * Source: D-458.
 */
import { ApiError, type Client, type Credentials, makeClient } from "@countersign/client"
import { basePathDefault } from "@countersign/client/api"
import { serviceNameDefault } from "@countersign/core/models"
import { Effect, Option, Redacted } from "effect"
import type { CheckedValues } from "../CheckedFlags.ts"
import { accessError, type CommandError, negativeAnswer, serverError, usageError } from "../CommandError.ts"
import { checkedOptions } from "../CommandOptions.ts"
import { withProgress } from "../output/Progress.ts"
import { storeLocation } from "../StoreOption.ts"
import { readRememberedServer } from "./RememberedServer.ts"
import type { ServerOptions } from "./ServerFlags.ts"

/** The sandbox of this machine, on the port that `serve` takes from the same variable. */
const serverDefault = (): string => {
  const port = process.env["COUNTERSIGN_PORT"] ?? ""
  return `http://127.0.0.1:${/^[1-9]\d{0,4}$/u.test(port) ? port : "8787"}`
}

/** Longer than any answer of the service takes. */
export const requestTimeoutMillis = 60_000

export interface RemoteServer {
  /** Base address, with the base path. */
  readonly base: string
  readonly clientId: string
  readonly serviceName: string
  /** The `Authorization` header of the platform. */
  readonly authorization: Redacted.Redacted
  /** Turns a rejection of `fetch` into an error of the command. */
  readonly toError: (error: unknown) => CommandError
  /** Sends one request. */
  readonly call: <A>(request: (client: Client) => Promise<A>) => Effect.Effect<A, CommandError>
  /** The client of another caller, for the requests of one `call`. */
  readonly clientOf: (credentials: Credentials) => Client
}

/** An address without a path means the default base path. */
const baseOf = (address: string): string => {
  const base = address.replace(/\/+$/u, "")
  return new URL(base).pathname === "/" ? `${base}${basePathDefault}` : base
}

/** The system's reason inside the error of `fetch`, such as `ECONNREFUSED`. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && "code" in cause) return String(cause.code)
  return error instanceof Error ? error.message : "unknown"
}

/** `fetch` rejects with these when no answer comes. */
const isOfConnection = (error: Error): boolean => error instanceof TypeError || error.name === "TimeoutError"

/** Turns the rejection of a request into an error of the command. */
const requestError =
  (base: string, clientId: string) =>
  (error: unknown): CommandError => {
    if (!(error instanceof ApiError)) {
      if (error instanceof Error && !isOfConnection(error)) return negativeAnswer(error.message)
      const hint = "start it with `countersign serve`, or name another with --server"
      return serverError(`no server answers at ${base} (${causeOf(error)}): ${hint}`)
    }
    const { code, details, message, status } = error
    const reason = error.reason ?? details?.["reason"]
    const text = reason === message ? message : `${typeof reason === "string" ? reason : code}: ${message}`
    if (status === 401) return accessError(`${base} refuses the credentials of ${clientId}: ${text}`)
    if (status === 403) return accessError(`${base} does not permit this to ${clientId}: ${text}`)
    return status >= 500 && status !== 501 ? serverError(`${base} answered ${status}: ${text}`) : negativeAnswer(text)
  }

/** Returns the server of the options: first the option or its variable, then what the store's folder remembers. */
export const remoteServer = Effect.fnUntraced(function* (
  options: Omit<ServerOptions, "json">,
): Effect.fn.Return<RemoteServer, CommandError> {
  const location = yield* storeLocation({ store: options.store, storeDirect: Option.none() })
  const remembered = yield* Effect.promise(() => readRememberedServer(location))
  const base = baseOf(Option.getOrElse(options.server, () => remembered?.server ?? serverDefault()))
  const clientId = Option.getOrUndefined(options.clientId) ?? remembered?.clientId
  const serviceName = Option.getOrElse(options.serviceName, () => remembered?.serviceName ?? serviceNameDefault)
  const missing = [
    ...(clientId === undefined ? ["COUNTERSIGN_CLIENT_ID or --client-id"] : []),
    ...(Option.isNone(options.clientSecret) ? ["COUNTERSIGN_CLIENT_SECRET"] : []),
  ]
  if (clientId === undefined || Option.isNone(options.clientSecret)) {
    return yield* usageError(`credentials for ${base} are missing: set ${missing.join(" and ")}`)
  }
  const clientOf = (credentials: Credentials) =>
    makeClient({
      baseUrl: base,
      credentials,
      fetch: (request) => fetch(request, { signal: AbortSignal.timeout(requestTimeoutMillis) }),
      serviceName,
    })
  const clientSecret = Redacted.value(options.clientSecret.value)
  const client = clientOf({ clientId, clientSecret })
  const basic = Buffer.from(`${clientId}:${clientSecret}`)
  const toError = requestError(base, clientId)
  const waiting = withProgress(`waiting for ${base}`)
  return {
    base,
    clientId,
    serviceName,
    clientOf,
    authorization: Redacted.make(`Basic ${basic.toString("base64")}`),
    toError,
    call: (request) => waiting(Effect.tryPromise({ try: () => request(client), catch: toError })),
  }
})

/** Returns a command that runs on the server of its options. */
export const onServer =
  <Options extends ServerOptions, E, R>(run: (server: RemoteServer, options: Options) => Effect.Effect<void, E, R>) =>
  (values: CheckedValues<Options>): Effect.Effect<void, E | CommandError, R> =>
    Effect.gen(function* () {
      const options = yield* checkedOptions<Options>(values)
      return yield* run(yield* remoteServer(options), options)
    })
