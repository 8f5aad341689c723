/**
 * Requests that may have to be signed: a 202 that asks for a signature is answered with one, and the same request sent again.
 * Spec: 4.5 (signed-retry pattern); wire contract 0.1, 4.7, 4.11, 5.5.
 */

/** The value of the signature header for a payload: with `walletCrypto`, `(payload) => wallet.stamp(session, payload)`. */
export type Sign = (payloadToSign: string) => string | Promise<string>

interface HeaderValues {
  readonly [name: string]: string
}

export interface SignedClientOptions {
  /** With its version segment. */
  readonly baseUrl: string
  readonly sign: Sign
  /** Sent with every request: the platform's credentials, or whatever one's own backend wants to see. */
  readonly headers?: HeaderValues
  /** As the deployment has it; by default `Service`. */
  readonly headerPrefix?: string
  readonly fetch?: typeof globalThis.fetch
}

export interface SignedRequest {
  readonly body?: unknown
  readonly headers?: HeaderValues
  /** Instead of the client's: with the key that a code was sealed with, at the verification of a code. */
  readonly sign?: Sign
  /** What is signed with the first call already: the payload of a quote, at its execution. */
  readonly payloadToSign?: string
  readonly signal?: AbortSignal
}

export interface SignedAnswer {
  readonly status: number
  readonly headers: Headers
  /** What was JSON; undefined where there was none. */
  readonly body: unknown
}

/** A refusal, as the service words it. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused"
  readonly status: number
  readonly code: string
  /** The failed check, of a 401. */
  readonly reason: string | undefined
  readonly details: unknown
  readonly headers: Headers

  constructor({ body, headers, status }: SignedAnswer) {
    const { code, details, message, reason }: { [member: string]: unknown } = Object(body)
    super(typeof message === "string" ? message : `The service answered ${status}.`)
    this.status = status
    this.code = typeof code === "string" ? code : "UNKNOWN"
    this.reason = typeof reason === "string" ? reason : undefined
    this.details = details
    this.headers = headers
  }
}

/** A delegated key is signed for twice; nothing is more often. */
const signaturesMax = 2

interface Asked {
  readonly payloadToSign: string
  readonly requestId: string
}

/** The question of a 202, if it asks for a signature. */
const askedBy = ({ body, status }: SignedAnswer): Asked | undefined => {
  const { payloadToSign, requestId }: { [member: string]: unknown } = Object(body)
  return status === 202 && typeof payloadToSign === "string" && typeof requestId === "string"
    ? { payloadToSign, requestId }
    : undefined
}

const answerOf = async (response: Response): Promise<SignedAnswer> => {
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json") === true && text !== ""
  const body: unknown = isJson ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, body }
}

export class SignedClient {
  readonly #options: SignedClientOptions

  constructor(options: SignedClientOptions) {
    this.#options = options
  }

  /** The last answer; a refusal rejects with `RequestRefused`. */
  async request(method: string, path: string, request: SignedRequest = {}): Promise<SignedAnswer> {
    const { headerPrefix = "Service", sign: own } = this.#options
    const { payloadToSign, sign = own } = request
    const signature = `${headerPrefix}-Wallet-Signature`
    // The service compares bodies, so this one is written once.
    const body = request.body === undefined ? undefined : JSON.stringify(request.body)
    const send = this.#sender(method, path, body, request)

    let answer = await send(payloadToSign === undefined ? {} : { [signature]: await sign(payloadToSign) })
    for (let signatures = 0; signatures < signaturesMax; signatures += 1) {
      const asked = askedBy(answer)
      if (asked === undefined) break
      answer = await send({ [signature]: await sign(asked.payloadToSign), "Request-Id": asked.requestId })
    }
    return answer
  }

  /** Sends the same request each time, but for the headers that sign it. */
  #sender(method: string, path: string, body: string | undefined, { headers, signal }: SignedRequest) {
    const { baseUrl, fetch = globalThis.fetch, headers: always } = this.#options
    const content = body === undefined ? {} : { "content-type": "application/json" }
    return async (signed: HeaderValues): Promise<SignedAnswer> => {
      const response = await fetch(`${baseUrl.replace(/\/+$/u, "")}${path}`, {
        method,
        headers: { accept: "application/json", ...content, ...always, ...headers, ...signed },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      })
      const answer = await answerOf(response)
      if (!response.ok) throw new RequestRefused(answer)
      return answer
    }
  }
}
