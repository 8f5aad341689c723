/** A client as an integrator writes it: fetch, JSON and credentials. */

/** A response with its parsed body. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: Body
  readonly text: string
}

/** A JSON object of unknown shape. */
export interface Body {
  readonly [key: string]: unknown
}

export interface Request {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type Send = (method: string, path: string, request?: Request) => Promise<Reply>

export const basic = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`

export const bearer = (token: string): string => `Bearer ${token}`

const isJson = (response: Response): boolean => response.headers.get("content-type") === "application/json"

/** Sends to a base address, with this Authorization header if it is given. */
export const client =
  (base: string, authorization?: string): Send =>
  async (method, path, { body, headers = {}, signal } = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: isJson(response) ? JSON.parse(text) : {}, text }
  }

/** Returns the value at a path of members, or `undefined`. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (found, key) =>
      typeof found === "object" && found !== null ? Object.getOwnPropertyDescriptor(found, key)?.value : undefined,
    value,
  )

/** Returns the text at a path; fails if it does not exist. */
export const textAt = (reply: Reply, ...path: ReadonlyArray<string | number>): string => {
  const found = at(reply.body, ...path)
  if (typeof found !== "string")
    throw new Error(`the response has no ${path.join(".")} in ${reply.status} ${reply.text}`)
  return found
}
