/** Which sign-in each endpoint asks for, in which order, and what a refusal answers. Spec: Authentication; wire contract 9; D-337, D-338. */
import { ServiceError, unauthorized } from "@countersign/core"
import { describe, expect, it } from "vitest"
import { tokenRefusal } from "../../../packages/adapter-http/src/middleware/CredentialChecks.ts"
import { agentWith, all, basic, bearer, send } from "./CheckedCredentials.ts"

const challenge = 'Basic realm="payments", charset="UTF-8"'
const wrong = unauthorized("INVALID_CREDENTIALS")
const away = new ServiceError({ code: "CONFLICT", message: "It changed." })

it("refuses a token without the permission of the endpoint, and any token where none is declared", () => {
  expect(tokenRefusal({ tokenPermission: "VIEW" }, ["TRANSACT", "VIEW"])).toBeUndefined()
  expect(tokenRefusal({ tokenPermission: "MANAGE" }, ["VIEW"])).toMatchObject({
    code: "FORBIDDEN",
    message: "The API token does not grant MANAGE.",
    details: { reason: "PERMISSION_MISSING", permission: "MANAGE" },
  })
  expect(tokenRefusal({ agentPermission: "CREATE_TRANSFERS" }, all)).toMatchObject({
    message: "The API token does not grant this.",
    details: { reason: "PERMISSION_MISSING", permission: "NONE" },
  })
})

describe("a platform's request", () => {
  const signIn = "platform cid sec:ret 192.0.2.1"
  const config = { operation: "getPlatformConfig" }
  const transfer = { operation: "createTransferOut" }

  it("is signed in by its credentials and its network, and then handled", async () => {
    const { asked, notes, status } = await send({}, config)
    expect([status, asked]).toEqual([204, [signIn, "handled Platform"]])
    expect([notes.caller?._tag, notes.endpoint?.identifier]).toEqual(["Platform", "getPlatformConfig"])
    const far = await send({}, { ...config, remoteAddress: "2001:db8::1" })
    expect(far.asked[0]).toBe("platform cid sec:ret 2001:db8::/64")
  })

  it("without the permission of the endpoint is refused before it is handled", async () => {
    const { asked, details, headers, status } = await send(
      { permissions: ["VIEW", "TRANSACT"] },
      { operation: "createCustomer" },
    )
    expect([status, asked]).toEqual([403, [signIn]])
    expect(details).toEqual({ reason: "PERMISSION_MISSING", permission: "MANAGE" })
    expect(headers["www-authenticate"]).toBeUndefined()
  })

  it.each<readonly [what: string, headers: Readonly<Record<string, string>>, header: string | undefined]>([
    ["a program", {}, challenge],
    ["a browser", { "sec-fetch-site": "none" }, undefined],
    ["a page", { accept: "text/html" }, undefined],
  ])("with wrong credentials of %s is challenged accordingly", async (_what, headers, header) => {
    const found = await send({ refusal: wrong }, { ...config, headers: { ...basic, ...headers } })
    expect([found.status, found.headers["www-authenticate"], found.asked]).toEqual([401, header, [signIn]])
    expect(found.notes.caller).toBeUndefined()
  })

  it.each([{}, bearer, { authorization: "Basic !" }])("with the headers %j asks for no sign-in", async (headers) => {
    for (const sent of [config, transfer]) {
      const { asked, status } = await send({ isKnown: true }, { ...sent, headers })
      expect([status, asked]).toEqual([401, []])
    }
  })

  it("is deferred where the endpoint allows that and the caller is known", async () => {
    const first = "defer platform cid sec:ret 192.0.2.1"
    const known = await send({ isKnown: true }, transfer)
    expect([known.status, known.asked]).toEqual([204, [first, "replays false", "handled Platform deferred", "confirm"]])
    expect(known.notes.caller).toMatchObject({ tokenId: "ApiToken:1" })
    const unknown = await send({}, transfer)
    expect(unknown.asked).toEqual([first, signIn, "handled Platform"])
    const refused = await send({ isKnown: true, permissions: ["VIEW"] }, transfer)
    expect([refused.status, refused.asked]).toEqual([403, [first, signIn]])
    expect((await send({ isKnown: true }, config)).asked).toEqual([signIn, "handled Platform"])
  })

  it("that turns out to be refused answers the refusal, and has no caller", async () => {
    const late = await send({ isKnown: true, lateRefusal: wrong }, transfer)
    expect([late.status, late.headers["www-authenticate"], late.notes.caller]).toEqual([401, challenge, undefined])
    expect(late.asked.slice(-2)).toEqual(["handled Platform deferred", "confirm"])
    const other = await send({ isKnown: true, lateRefusal: away }, transfer)
    expect([other.status, other.notes.caller]).toEqual([409, undefined])
  })

  it("of the process itself has the caller that it stands for", async () => {
    const caller = { _tag: "Platform", platformId: "PlatformConfig:2", tokenId: null, permissions: all } as const
    const own = { as: { _tag: "Platform", caller } } as const
    for (const headers of [{}, basic]) {
      const found = await send({ own, isKnown: true }, { ...transfer, headers })
      expect([found.status, found.asked, found.notes.caller]).toEqual([204, ["handled Platform"], caller])
      expect(found.tenants).toEqual(["PlatformConfig:2"])
    }
    const none = { ...own, as: { ...own.as, caller: { ...caller, permissions: [] } } }
    expect((await send({ own: none }, transfer)).status).toBe(403)
    const agent = {
      as: {
        _tag: "Agent",
        caller: { _tag: "Agent", platformId, customerId: "", agentId: "", budget: "" },
        agent: agentWith([]),
      },
    } as const
    expect((await send({ own: agent }, transfer)).status).toBe(401)
  })

  const platformId = "PlatformConfig:1"
})

describe("a session of the console", () => {
  const publicUrl = "https://pay.example.com"
  const cookie = { cookie: "__Host-console-session=abc" }
  const page = { ...cookie, origin: publicUrl, "sec-fetch-site": "same-origin" }
  const session = { permissions: ["TRANSACT"], ofToken: ["VIEW", "TRANSACT"] } as const
  const read = { operation: "getCustomerById", headers: cookie }
  const change = { operation: "approveAgentAction", headers: page }

  it("signs a page in instead of credentials, where the endpoint is for it", async () => {
    const found = await send({ publicUrl, session }, change)
    expect([found.status, found.asked]).toEqual([204, ["console abc", "handled Platform"]])
    const elsewhere = await send({ publicUrl, session }, { ...change, operation: "createTransferOut" })
    expect([elsewhere.status, elsewhere.asked]).toEqual([401, []])
  })

  it("reads what its token may, and changes what the deployment allows", async () => {
    expect((await send({ publicUrl, session }, read)).status).toBe(204)
    const none = { permissions: [], ofToken: ["VIEW", "TRANSACT"] } as const
    expect((await send({ publicUrl, session: none }, read)).status).toBe(204)
    expect((await send({ publicUrl, session: none }, change)).status).toBe(403)
    const reader = { permissions: ["VIEW", "TRANSACT"], ofToken: [] } as const
    expect((await send({ publicUrl, session: reader }, read)).status).toBe(403)
  })

  it("changes nothing for another page", async () => {
    for (const headers of [{ ...page, origin: "https://evil.example" }, cookie]) {
      const { asked, details, status } = await send({ publicUrl, session }, { ...change, headers })
      expect([status, asked, details]).toEqual([403, [], { reason: "CROSS_SITE_REQUEST" }])
    }
  })

  it("is not asked where credentials are sent, or no cookie is", async () => {
    const both = await send({ publicUrl, session }, { ...read, headers: { ...cookie, ...basic } })
    expect(both.asked).toEqual([
      "defer platform cid sec:ret 192.0.2.1",
      "platform cid sec:ret 192.0.2.1",
      "handled Platform",
    ])
    expect((await send({ publicUrl, session }, { ...read, headers: {} })).asked).toEqual([])
  })

  it("that has ended is refused without a challenge that a browser would keep", async () => {
    const { headers, status } = await send({ publicUrl, session, refusal: wrong }, change)
    expect([status, headers["www-authenticate"]]).toEqual([401, undefined])
  })
})

describe("an agent's request", () => {
  const first = "defer agent abc 192.0.2.1"
  const signIn = "agent abc 192.0.2.1"
  const me = { operation: "getAgentMe", headers: bearer }
  const transfer = { operation: "agentCreateTransferOut", headers: { ...bearer, "idempotency-key": "k1" } }
  const granted = agentWith(["CREATE_TRANSFERS"])
  const paused = agentWith(["CREATE_TRANSFERS"], true)
  const answerOfKey = "answer of k1 POST /agents/me/transfer-out"

  it("is signed in by its token, and then handled", async () => {
    const { asked, notes, status } = await send({}, me)
    expect([status, asked, notes.caller?._tag]).toEqual([204, [signIn, "handled Agent"], "Agent"])
    expect((await send({ agent: agentWith([], true) }, me)).status).toBe(204)
  })

  it("with a wrong token is challenged, also in a browser", async () => {
    for (const headers of [bearer, { ...bearer, "sec-fetch-site": "none" }]) {
      const found = await send({ refusal: wrong }, { ...me, headers })
      expect([found.status, found.headers["www-authenticate"]]).toEqual([401, "Bearer"])
    }
    const none = await send({ isKnown: true }, { ...transfer, headers: basic })
    expect([none.status, none.headers["www-authenticate"], none.asked]).toEqual([401, "Bearer", []])
  })

  it("is deferred where the endpoint allows that and the agent is known", async () => {
    const known = await send({ agent: granted, isKnown: true, hasAnswer: true }, transfer)
    expect([known.status, known.asked]).toEqual([
      204,
      [first, answerOfKey, "replays true", "handled Agent deferred", "confirm"],
    ])
    const unknown = await send({ agent: granted }, transfer)
    expect(unknown.asked).toEqual([first, signIn, "handled Agent"])
    const late = await send({ agent: granted, isKnown: true, lateRefusal: wrong }, transfer)
    expect([late.status, late.headers["www-authenticate"], late.notes.caller]).toEqual([401, "Bearer", undefined])
  })

  it("of the process itself has the agent that it stands for", async () => {
    const caller = { _tag: "Agent", platformId: "PlatformConfig:2", customerId: "", agentId: "", budget: "" } as const
    const own = { as: { _tag: "Agent", caller, agent: granted } } as const
    const found = await send({ own, agent: granted, isKnown: true }, transfer)
    expect([found.status, found.asked, found.tenants]).toEqual([204, ["handled Agent"], ["PlatformConfig:2"]])
  })

  it("that is refused replays the answer of its key, and nothing else", async () => {
    const replayed = await send({ agent: paused, hasAnswer: true }, transfer)
    expect([replayed.status, replayed.asked]).toEqual([204, [first, signIn, answerOfKey, "handled Agent"]])
    const fresh = await send({ agent: paused }, transfer)
    expect([fresh.status, fresh.asked]).toEqual([403, [first, signIn, answerOfKey]])
    expect(fresh.details).toEqual({ rule: "NOT_PAUSED", reason: "AGENT_PAUSED" })
    const withoutKey = await send({ agent: paused, hasAnswer: true }, { ...transfer, headers: bearer })
    expect([withoutKey.status, withoutKey.asked]).toEqual([403, [first, signIn]])
  })

  it("names the pause before the permission that its policy lacks", async () => {
    const lacking = await send({ agent: agentWith([]) }, transfer)
    expect(lacking.details).toMatchObject({ reason: "PERMISSION_MISSING", permission: "CREATE_TRANSFERS" })
    expect((await send({ agent: agentWith([], true) }, transfer)).details).toMatchObject({ reason: "AGENT_PAUSED" })
  })

  it("of an operation that takes no key looks up no answer", async () => {
    const key = { ...bearer, "idempotency-key": "k1" }
    const found = await send(
      { agent: agentWith([]), hasAnswer: true },
      { operation: "agentGetExternalAccount", headers: key },
    )
    expect([found.status, found.asked]).toEqual([403, [signIn]])
  })
})

describe("the server of a request", () => {
  const agent = agentWith(["CREATE_TRANSFERS"])
  const ofAgent = { operation: "agentCreateTransferOut", headers: bearer }
  const ofPlatform = { operation: "createTransferOut" }

  it.each<readonly [what: string, world: Parameters<typeof send>[0], sent: Parameters<typeof send>[1]]>([
    ["a platform that signs in", {}, ofPlatform],
    ["a platform that is known", { isKnown: true }, ofPlatform],
    ["an agent that signs in", { agent }, ofAgent],
    ["an agent that is known", { agent, isKnown: true }, ofAgent],
    ["a platform without the permission", { permissions: [] }, ofPlatform],
  ])("notes the tenant of %s", async (_what, world, sent) => {
    expect((await send(world, sent)).tenants).toEqual(["PlatformConfig:1"])
  })

  it("notes that credentials were wrong, also if that is found late", async () => {
    expect((await send({ refusal: wrong }, ofPlatform)).tenants).toEqual([undefined])
    expect((await send({ isKnown: true, lateRefusal: wrong }, ofPlatform)).tenants).toEqual([
      "PlatformConfig:1",
      undefined,
    ])
    expect((await send({ isKnown: true, lateRefusal: away }, ofPlatform)).tenants).toEqual(["PlatformConfig:1"])
  })
})

describe("a request that counts towards a limit", () => {
  const limited = (headers: Readonly<Record<string, string | undefined>>) =>
    ["limit", "remaining"].map((name) => headers[`ratelimit-${name}`])

  it("says what is left, of reads and of writes", async () => {
    const world = { reads: 5, writes: 3 }
    expect(limited((await send(world, { operation: "getPlatformConfig" })).headers)).toEqual(["5", "4"])
    expect(limited((await send(world, { operation: "createCustomer" })).headers)).toEqual(["3", "2"])
    expect(limited((await send({ reads: 5 }, { operation: "createCustomer" })).headers)).toEqual([undefined, undefined])
    expect(limited((await send({}, { operation: "getPlatformConfig" })).headers)).toEqual([undefined, undefined])
  })

  it("beyond it is refused, unless its credentials turn out to be wrong", async () => {
    const transfer = { operation: "createTransferOut" }
    const none = { writes: 1, spent: 1, isKnown: true }
    const found = await send(none, transfer)
    expect([found.status, found.asked.slice(-1)]).toEqual([429, ["confirm"]])
    expect((await send({ ...none, lateRefusal: wrong }, transfer)).status).toBe(401)
    const unknown = await send({ writes: 1, spent: 1 }, transfer)
    expect([unknown.status, unknown.asked.slice(-1)]).toEqual([429, ["platform cid sec:ret 192.0.2.1"]])
  })
})
