/** The service as the page calls it. The secret lives in this closure and nowhere else: closing the page forgets it. */

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

export interface Api {
  readonly clientId: string
  readonly get: <A>(path: string) => Promise<A>
  readonly post: <A>(path: string, body?: object) => Promise<A>
}

/** The address of the interface: the page lies beside it. */
const baseAddress = (): string => {
  const basePath = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ""
  return `${location.origin}${location.pathname.replace(/\/console\/?$/u, "")}${basePath}`
}

const encoded = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const refusedBy = (status: number, body: unknown): Refused => {
  const { details, message } = isObject(body) ? body : {}
  return new Refused(status, typeof message === "string" ? message : `The service answered ${status}.`, {
    ...(isObject(details) ? details : {}),
  })
}

export const connect = (clientId: string, clientSecret: string): Api => {
  const authorization = `Basic ${encoded(`${clientId}:${clientSecret}`)}`
  const base = baseAddress()
  const ask = async <A>(method: "GET" | "POST", path: string, body?: object): Promise<A> => {
    const response = await fetch(`${base}${path}`, {
      method,
      // Nothing of a browser's own is sent: it neither keeps the credentials nor asks for others by itself.
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Refused(0, "The service cannot be reached.")
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw refusedBy(response.status, answer)
    return answer as A
  }
  return {
    clientId,
    get: (path) => ask("GET", path),
    post: (path, body) => ask("POST", path, body),
  }
}
