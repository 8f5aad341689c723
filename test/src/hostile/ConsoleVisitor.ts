/** A visitor of the approvals page over a socket, as its browser: with a cookie, an origin and fetch metadata that a test may forge. */
import { basic } from "../e2e/Client.ts"
import { type Agent, credentials, newAgent, type World } from "../e2e/Flow.ts"
import { type RawReply, sendRaw } from "./Rivals.ts"

export type Headers = Readonly<Record<string, string>>

/** What a browser sends from the page itself. */
export const fromPage = (origin: string): Headers => ({ origin, "sec-fetch-site": "same-origin" })

export interface Visit {
  readonly world: World
  /** The address of the page; by default the server's. */
  readonly origin?: string
  readonly authorization?: string
}

const authorizationOf = ({ authorization = basic(credentials.clientId, credentials.clientSecret) }: Visit) =>
  authorization

const sendJson = (url: string, method: string, headers: Headers, body?: unknown): Promise<RawReply> =>
  body === undefined
    ? sendRaw(url, method, headers)
    : sendRaw(url, method, { "content-type": "application/json", ...headers }, JSON.stringify(body))

export const signIn = (visit: Visit, approver: unknown, headers?: Headers): Promise<RawReply> => {
  const { origin } = visit.world.server
  return sendJson(
    `${origin}/console/session`,
    "POST",
    { authorization: authorizationOf(visit), ...(headers ?? fromPage(visit.origin ?? origin)) },
    { approver },
  )
}

export const prove = (visit: Visit, body: object, headers?: Headers): Promise<RawReply> => {
  const { origin } = visit.world.server
  return sendJson(
    `${origin}/console/session/passkey`,
    "POST",
    { authorization: authorizationOf(visit), ...(headers ?? fromPage(visit.origin ?? origin)) },
    body,
  )
}

export const setCookieOf = ({ headers }: RawReply): string => headers["set-cookie"]?.join("\n") ?? ""

/** The `Cookie` header that a browser would send next. */
export const cookieOf = (reply: RawReply): string => {
  const [cookie = ""] = setCookieOf(reply).split(";")
  if (reply.status !== 201 || cookie === "") throw new Error(`no session in ${reply.status} ${reply.text}`)
  return cookie
}

export const bodyOf = ({ text }: RawReply): Readonly<Record<string, unknown>> => JSON.parse(text)

/** An agent whose actions wait for an approval. */
export const newApprovingAgent = ({ customer, platform, server }: World): Promise<Agent> =>
  newAgent(server.base, platform, customer, {
    defaultExecutionMode: "APPROVAL_REQUIRED",
    spendingLimits: { currency: "USD", perTransactionLimit: 500_000 },
  })

export const advance = ({ platform }: World, seconds: number) =>
  platform("POST", "/sandbox/clock/advance", { body: { seconds } })

/** Calls from the page, with the session's cookie. */
export const pageOf = (world: World, cookie: string, headers: Headers = fromPage(world.server.origin)) => ({
  api: (method: string, path: string, body?: unknown) =>
    sendJson(`${world.server.base}${path}`, method, { cookie, ...headers }, body),
  session: (method: string, path = "") =>
    sendJson(`${world.server.origin}/console/session${path}`, method, { cookie, ...headers }),
})

export const decisionsOf = async ({ platform }: World, actionId: string) => {
  const { body } = await platform("GET", `/audit-records?target=${actionId}`)
  const records = body["data"] as ReadonlyArray<{ readonly actor: object; readonly operation: string }>
  return records.filter(({ operation }) => operation.startsWith("AGENT_ACTION_"))
}
