/**
 * The callers of a confined world: tokens of one platform with each permission alone and with all others, another platform, agents of the
 * same customer, of another one and of another platform, and persons on the console.
 */
import { guards, Handlers, makeWebHandler } from "@countersign/adapter-http"
import { Agents, ApiTokens, Authentication, type Caller, ConsoleSessions, Platforms, tenant } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { Effect, Layer, Redacted } from "effect"
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"
import type { Services } from "../../../packages/test/src/harness/World.ts"
import { agentOf } from "../http/IsolatedTenant.ts"
import { agentPermissions, type Permission, permissions } from "./Row.ts"

/** The headers that make a request one of a caller. */
export type Signature = Readonly<Record<string, string>>

export interface AgentCaller {
  readonly agentId: string
  readonly token: string
}

export const basic = (clientId: string, secret: string): Signature => ({
  authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
})
export const bearer = ({ token }: Pick<AgentCaller, "token">): Signature => ({ authorization: `Bearer ${token}` })

/** The credentials of a token, and a cookie of a person who signed in with it on the console. */
export interface TokenCaller {
  readonly headers: Signature
  readonly cookie: Signature
}

const secondPlatform = { clientId: "client_second", clientSecret: "secret_second" }

/** The origin of the console's page, and the base path of the interface below it. */
const consoleOrigin = "http://127.0.0.1"
const basePath = "/2025-10-13"

/** A person on the console: the cookie of a new session. */
const personOf = async (pay: Harness, clientId: string, secret: string, name: string): Promise<Signature> => {
  const caller = await pay.run(Authentication.use((all) => all.platform(clientId, Redacted.make(secret), undefined)))
  const begun = await pay.run(
    ConsoleSessions.use((all) => all.signIn(name, consoleOrigin)),
    caller,
  )
  return { cookie: `console-session=${Redacted.value(begun.secret)}` }
}

const callerWith = async (pay: Harness, granted: ReadonlyArray<Permission>): Promise<TokenCaller> => {
  const { body } = await pay.run(ApiTokens.use((all) => all.create({ name: granted.join(" "), permissions: granted })))
  const secret = body.clientSecret ?? ""
  return {
    headers: basic(body.clientId, secret),
    cookie: await personOf(pay, body.clientId, secret, `Person ${granted.join(" ")}`),
  }
}

const byPermission = async <A>(make: (permission: Permission) => Promise<A>) => ({
  VIEW: await make("VIEW"),
  TRANSACT: await make("TRANSACT"),
  MANAGE: await make("MANAGE"),
})

const agentWithAll = async (pay: Harness, platform: Caller, customerId: string, name: string): Promise<AgentCaller> =>
  agentOf(pay, platform, customerId, agentPermissions, name)

/** Another platform with a customer and an agent; `undefined` for a world of one platform alone. */
const another = async (pay: Harness) => {
  const { clientId, clientSecret } = secondPlatform
  const setUp = { clientId, clientSecret: Redacted.make(clientSecret), name: "Second", currencies: sandboxCurrencies }
  const platformId = await pay.run(Platforms.use((platforms) => platforms.setUp(setUp)))
  const caller = { ...tenant(platformId), permissions: [...permissions] } as Caller
  const within: Harness = { ...pay, run: (effect, as = caller) => pay.run(effect, as) }
  const { customerId } = await addCustomer(within)
  return { headers: basic(clientId, clientSecret), agent: await agentWithAll(pay, caller, customerId, "Foreign") }
}

/** Everyone who calls. `customerId` is the customer of the agent and of its sibling. */
export const callersOf = async (pay: Harness, options: { readonly isAlone: boolean }) => {
  const platform = { ...tenant(pay.platformId), permissions: [...permissions] } as Caller
  const { accountId, customerId } = await addCustomer(pay)
  const { customerId: neighbourId } = await addCustomer(pay)
  const { clientId, clientSecret } = pay.credentials
  return {
    accountId,
    customerId,
    full: { headers: basic(clientId, clientSecret), cookie: await personOf(pay, clientId, clientSecret, "Person") },
    only: await byPermission((permission) => callerWith(pay, [permission])),
    allBut: await byPermission((permission) =>
      callerWith(
        pay,
        permissions.filter((each) => each !== permission),
      ),
    ),
    other: options.isAlone ? undefined : await another(pay),
    agent: await agentWithAll(pay, platform, customerId, "Agent"),
    sibling: await agentWithAll(pay, platform, customerId, "Sibling"),
    neighbour: await agentWithAll(pay, platform, neighbourId, "Neighbour"),
    /** Gives an agent exactly these permissions, and pauses or resumes it. */
    setAgent: async ({ agentId }: AgentCaller, granted: ReadonlyArray<string>, isPaused = false) => {
      const allowed = agentPermissions.filter((each) => granted.includes(each))
      await pay.run(Agents.use((all) => all.updatePolicy(agentId, { permissions: allowed })))
      await pay.run(Agents.use((all) => all.update(agentId, { isPaused })))
    },
  }
}
export type Callers = Awaited<ReturnType<typeof callersOf>>

/** The service of a harness at the address of a console, where sessions exist. */
export const consoleOf = async (pay: Harness, options: { readonly sandbox?: boolean } = {}) => {
  const services = Layer.succeedContext(await pay.run(Effect.context<Services>()))
  const web = makeWebHandler({
    ...options,
    application: Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(services)),
    basePath,
    publicUrl: consoleOrigin,
  })
  const send = async (method: string, path: string, headers: Signature, body?: string) => {
    const own = { origin: consoleOrigin, "sec-fetch-site": "same-origin" }
    const request = new Request(`${consoleOrigin}${basePath}${path}`, {
      method,
      headers: { ...own, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const response = await web.handler(request)
    const isStream = response.headers.get("content-type") === "text/event-stream"
    if (isStream) await response.body?.cancel()
    return { status: response.status, text: isStream ? "" : await response.text() }
  }
  return { send, dispose: web.dispose }
}
