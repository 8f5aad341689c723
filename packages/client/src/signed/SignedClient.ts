/**
 * Sends requests that may need a signature: after a 202 that asks for one, it signs the payload and sends the same request again.
 * Spec: 4.5 (signed-retry pattern); wire contract 0.1, 4.7, 4.11, 5.5.
 */

/** Returns the signature header's value for a payload; with `walletCrypto`, `(payload) => wallet.stamp(session, payload)`. */
export type Sign = (payloadToSign: string) => string | Promise<string>

interface HeaderValues {
  readonly [name: string]: string
}

/** The service that a client calls, and the signature of its requests. */
export interface SignedClientOptions {
  /** Base address, with the version segment. */
  readonly baseUrl: string
  readonly sign: Sign
  /** Sent with every request: the platform's credentials, or headers that your own backend needs. */
  readonly headers?: HeaderValues
  /** The service's name in the deployment; `Service` by default. Bodies are sent and returned as they are. */
  readonly serviceName?: string
  /** @deprecated The old name of `serviceName`. */
  readonly headerPrefix?: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** A request, which is sent once or, signed, a second time. Spec: 4.5. */
export interface SignedRequest {
  readonly body?: unknown
  /** Added to the headers of the client, for both times. */
  readonly headers?: HeaderValues
  /** Replaces the client's `sign`: at the verification of a code, with the key that sealed the code. */
  readonly sign?: Sign
  /** Payload that the first call already signs: at the execution of a quote, the quote's payload. */
  readonly payloadToSign?: string
  /** Aborts the request, also between its two times. */
  readonly signal?: AbortSignal
}

/** The response to the last request that was sent: of the signed one, if a signature was asked for. */
export interface SignedAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body; undefined if the body is not JSON. */
  readonly body: unknown
}

/** The error of a request, with the members of the service's error body. */
export class SignedRequestError extends Error {
  override readonly name = "RequestRefused"
  readonly status: number
  readonly code: string
  /** The failed check; 401 only. */
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

/** A delegated key needs two signatures, and no request more. */
const signaturesMax = 2

interface SignatureChallenge {
  readonly payloadToSign: string
  readonly requestId: string
}

/** Returns the challenge of a 202, if it asks for a signature. */
const challengeOf = ({ body, status }: SignedAnswer): SignatureChallenge | undefined => {
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

  /** Returns the last answer; an error of the service rejects with `SignedRequestError`. */
  async request(method: string, path: string, request: SignedRequest = {}): Promise<SignedAnswer> {
    const { headerPrefix = "Service", serviceName = headerPrefix, sign: clientSign } = this.#options
    const { payloadToSign, sign = clientSign } = request
    const signature = `${serviceName}-Wallet-Signature`
    // The service compares the bodies of both requests byte for byte, so the body is serialized once.
    const body = request.body === undefined ? undefined : JSON.stringify(request.body)
    const send = this.#sender(method, path, body, request)

    let answer = await send(payloadToSign === undefined ? {} : { [signature]: await sign(payloadToSign) })
    for (let signatures = 0; signatures < signaturesMax; signatures += 1) {
      const challenge = challengeOf(answer)
      if (challenge === undefined) break
      answer = await send({ [signature]: await sign(challenge.payloadToSign), "Request-Id": challenge.requestId })
    }
    return answer
  }

  /** Returns a function that sends the same request each time, with different signature headers. */
  #sender(method: string, path: string, body: string | undefined, { headers, signal }: SignedRequest) {
    const { baseUrl, fetch = globalThis.fetch, headers: clientHeaders } = this.#options
    const content = body === undefined ? {} : { "content-type": "application/json" }
    return async (signatureHeaders: HeaderValues): Promise<SignedAnswer> => {
      const response = await fetch(`${baseUrl.replace(/\/+$/u, "")}${path}`, {
        method,
        headers: { accept: "application/json", ...content, ...clientHeaders, ...headers, ...signatureHeaders },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      })
      const answer = await answerOf(response)
      if (!response.ok) throw new SignedRequestError(answer)
      return answer
    }
  }
}
