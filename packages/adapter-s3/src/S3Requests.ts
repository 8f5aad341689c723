/**
 * Signed requests to one bucket. A request whose outcome is unknown is sent again: each one may be repeated without harm.
 * Source: D-420.
 */
import { Effect, Schedule, type Scope } from "effect"
import { codeOf, connectionCode, isTransient, S3Failure } from "./S3Failure.ts"
import { bucketUrl, type S3Credentials, type S3VaultOptions } from "./S3Options.ts"
import { signedHeaders } from "./Signing.ts"

export interface S3Request {
  readonly method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT"
  /** Empty for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | string
  /** Statuses besides 2xx that are an answer. */
  readonly accepts?: ReadonlyArray<number>
}

export interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export const timeoutMillisDefault = 30_000

/** How often a request is sent before it fails. */
const triesMax = 3

const backoff = Schedule.exponential("100 millis").pipe(Schedule.jittered, Schedule.upTo({ times: triesMax - 1 }))

export const makeRequests = (options: S3VaultOptions) => {
  const { prefix = "", region, timeoutMillis = timeoutMillisDefault } = options
  const base = bucketUrl(options)
  const credentials = (method: string): Effect.Effect<S3Credentials, S3Failure> =>
    Effect.isEffect(options.credentials)
      ? Effect.mapError(options.credentials, () => new S3Failure({ method, code: "NoCredentials" }))
      : Effect.succeed(options.credentials)

  const addressOf = ({ key, query = {} }: S3Request): string => {
    const parameters = new URLSearchParams(query).toString()
    return `${base}/${key === "" ? "" : prefix + key}${parameters === "" ? "" : `?${parameters}`}`
  }

  /** Sends the request. Redirects are failures: their target would get the signature. */
  const send = async (request: S3Request, keys: S3Credentials, signal: AbortSignal): Promise<Response> => {
    const { body, headers = {}, method } = request
    const url = new URL(addressOf(request))
    const content = body === undefined ? {} : { body }
    const signed = await signedHeaders({ method, url, headers, ...content }, keys, region)
    return fetch(url, { method, headers: signed, redirect: "manual", signal, ...content })
  }

  const failureOf = ({ method }: S3Request, { status }: Response, text: string): S3Failure => {
    const code = codeOf(text)
    return new S3Failure({ method, status, ...(code === undefined ? {} : { code }) })
  }

  const isAnswer = ({ accepts = [] }: S3Request, { ok, status }: Response): boolean => ok || accepts.includes(status)

  const attempt = <A>(request: S3Request, use: (keys: S3Credentials, signal: AbortSignal) => Promise<A>) =>
    Effect.flatMap(credentials(request.method), (keys) =>
      Effect.tryPromise({
        // The limit is the signal's own, because clean-up runs where nothing can be interrupted.
        try: (signal) => use(keys, AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)])),
        catch: (error) =>
          error instanceof S3Failure ? error : new S3Failure({ method: request.method, code: connectionCode(error) }),
      }),
    )

  /** Sends a request and reads its answer to the end. */
  const call = (request: S3Request): Effect.Effect<S3Answer, S3Failure> =>
    attempt(request, async (keys, signal) => {
      const response = await send(request, keys, signal)
      const text = await response.text()
      // A long operation answers 200 at once, and reports its failure in the document.
      if (!isAnswer(request, response) || (response.ok && codeOf(text) !== undefined)) {
        throw failureOf(request, response, text)
      }
      return { status: response.status, headers: response.headers, text }
    }).pipe(Effect.retry({ schedule: backoff, while: isTransient }))

  /** Sends a request, and returns its answer as soon as it begins. The connection is given up with the scope. */
  const open = (request: S3Request): Effect.Effect<Response, S3Failure, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort()),
    ).pipe(
      Effect.flatMap((controller) =>
        attempt(request, async (keys, signal) => {
          const stop = () => controller.abort(signal.reason)
          signal.addEventListener("abort", stop)
          try {
            const response = await send(request, keys, controller.signal)
            if (isAnswer(request, response)) return response
            throw failureOf(request, response, await response.text())
          } finally {
            signal.removeEventListener("abort", stop)
          }
        }),
      ),
      Effect.retry({ schedule: backoff, while: isTransient }),
    )

  return { call, open }
}

export type S3Requests = ReturnType<typeof makeRequests>
