/**
 * The service as the page calls it. A session's cookie, which scripts cannot read, authorizes every call; the client secret is sent once,
 * to sign in, and kept nowhere.
 */

/** What the service, or the way to it, answered instead of what was asked for. */
export class Refused extends Error {
  /** 0: there was no answer. */
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

/** The address beside which the page lies. */
export const rootAddress = (): string => `${location.origin}${location.pathname.replace(/\/(?:console\/?)?$/u, "")}`

/** The address of the interface. */
export const baseAddress = (): string =>
  `${rootAddress()}${document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ""}`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const refusedBy = (status: number, body: unknown): Refused => {
  const { details, message } = isObject(body) ? body : {}
  return new Refused(status, typeof message === "string" ? message : `The service answered ${status}.`, {
    ...(isObject(details) ? details : {}),
  })
}

interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly body?: object | undefined
  /** Credentials, for the sign-in only. */
  readonly authorization?: string
}

/** The answer, and whether the service waits for more (202). */
export interface Answer<A> {
  readonly status: number
  readonly body: A
}

export const call = async <A>(address: string, { authorization, body, method }: Call): Promise<Answer<A>> => {
  const response = await fetch(address, {
    method,
    // The session's cookie, and only to the page's own origin.
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refused(0, "The service cannot be reached.")
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw refusedBy(response.status, answer)
  return { status: response.status, body: answer as A }
}

export interface Api {
  readonly get: <A>(path: string) => Promise<A>
  readonly post: <A>(path: string, body?: object) => Promise<A>
  readonly put: <A>(path: string, body: object) => Promise<A>
  readonly patch: <A>(path: string, body: object) => Promise<A>
  readonly remove: (path: string) => Promise<void>
}

export const api: Api = {
  get: async <A>(path: string) => (await call<A>(`${baseAddress()}${path}`, { method: "GET" })).body,
  post: async <A>(path: string, body?: object) =>
    (await call<A>(`${baseAddress()}${path}`, { method: "POST", body })).body,
  put: async <A>(path: string, body: object) =>
    (await call<A>(`${baseAddress()}${path}`, { method: "PUT", body })).body,
  patch: async <A>(path: string, body: object) =>
    (await call<A>(`${baseAddress()}${path}`, { method: "PATCH", body })).body,
  remove: async (path: string) => {
    await call<null>(`${baseAddress()}${path}`, { method: "DELETE" })
  },
}
