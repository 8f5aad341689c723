/** How the page calls the service: addresses, refusals, votes, sessions and passkeys. Source: D-441, D-453, D-532. */
import { createHash } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { api, baseAddress, call, Refused, rootAddress } from "../../../packages/console/page/Api.ts"
import { createPasskey, NoPasskey, usePasskey } from "../../../packages/console/page/Passkey.ts"
import { digestOf } from "../../../packages/console/page/ShownDigest.ts"
import { endSession, offeredCredentials, resume, signIn } from "../../../packages/console/page/SignedIn.ts"
import { approveShown, votesOn } from "../../../packages/console/page/Votes.ts"
import { worldIn } from "../../../packages/console/page/WorldFiles.ts"

interface Sent {
  readonly address: string
  readonly options: RequestInit
}

let sent: Array<Sent> = []
let answers: Array<Response | Error> = []

const at = (pathname: string, basePath: string | undefined = "/2025-10-13") => {
  vi.stubGlobal("location", { origin: "https://pay.example", pathname })
  vi.stubGlobal("document", { querySelector: () => (basePath === undefined ? null : { content: basePath }) })
}
const answer = (body: unknown, status = 200) => answers.push(Response.json(body, { status }))
/** The members of a sent body, with method and path. */
const asked = () =>
  sent.map(({ address, options }) => [
    options.method,
    address.replace("https://pay.example", ""),
    options.body === undefined ? undefined : JSON.parse(String(options.body)),
  ])

beforeEach(() => {
  sent = []
  answers = []
  at("/console")
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => {
    sent.push({ address, options })
    const next = answers.shift() ?? new Error("no answer")
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next)
  })
})
afterEach(() => vi.unstubAllGlobals())

describe("the page finds the service", () => {
  it.each([
    ["/console", "https://pay.example"],
    ["/console/", "https://pay.example"],
    ["/", "https://pay.example"],
    ["/payments/console", "https://pay.example/payments"],
    ["/payments/", "https://pay.example/payments"],
  ])("from %s at %s", (pathname, root) => {
    at(pathname)
    expect([rootAddress(), baseAddress()]).toEqual([root, `${root}/2025-10-13`])
  })

  it("at the root where the document names no base path", () => {
    at("/console", undefined)
    vi.stubGlobal("document", { querySelector: () => null })
    expect(baseAddress()).toBe("https://pay.example")
  })
})

describe("a call", () => {
  it("has the session's cookie for this origin alone, is never kept, and follows no redirect", async () => {
    answer({ id: 1 })
    expect(await api.get("/agents")).toEqual({ id: 1 })
    expect(sent).toEqual([
      {
        address: "https://pay.example/2025-10-13/agents",
        options: { method: "GET", credentials: "same-origin", cache: "no-store", redirect: "error", headers: {} },
      },
    ])
  })

  it("has the method of what it does, and a body with its type", async () => {
    for (let n = 0; n < 5; n++) answer({})
    await api.post("/a", { one: 1 })
    await api.post("/a")
    await api.put("/a", { two: 2 })
    await api.patch("/a", { three: 3 })
    expect(await api.remove("/a")).toBeUndefined()
    const path = "/2025-10-13/a"
    expect(asked()).toEqual([
      ["POST", path, { one: 1 }],
      ["POST", path, undefined],
      ["PUT", path, { two: 2 }],
      ["PATCH", path, { three: 3 }],
      ["DELETE", path, undefined],
    ])
    const types = sent.map(({ options }) => new Headers(options.headers).get("content-type"))
    expect(types).toEqual(["application/json", null, "application/json", "application/json", null])
  })

  const refusal = async () => {
    const error = await api.get("/a").catch((thrown: unknown) => thrown)
    if (!(error instanceof Refused)) throw error
    return { status: error.status, message: error.message, details: error.details }
  }

  it.each([
    [{ message: "No.", details: { rule: "FUNDS" } }, 403, { message: "No.", details: { rule: "FUNDS" } }],
    [{ message: 7 }, 500, { message: "The service answered 500.", details: {} }],
    [["x"], 502, { message: "The service answered 502.", details: {} }],
    [null, 404, { message: "The service answered 404.", details: {} }],
  ])("that is answered with %j and %i is refused", async (body, status, expected) => {
    answer(body, status)
    expect(await refusal()).toEqual({ status, ...expected })
  })

  it("that is answered with a page, or with nothing, is refused", async () => {
    answers.push(new Response("<html>", { status: 503 }), new Error("network"))
    expect(await refusal()).toMatchObject({ status: 503, message: "The service answered 503." })
    expect(await refusal()).toMatchObject({ status: 0, message: "The service cannot be reached." })
  })

  it("returns the status, and a body that is no JSON as none", async () => {
    answer({}, 202)
    answers.push(new Response(null, { status: 204 }))
    expect(await call("https://pay.example/x", { method: "GET" })).toEqual({ status: 202, body: {} })
    expect(await call("https://pay.example/x", { method: "GET" })).toEqual({ status: 204, body: undefined })
  })
})

/** A device whose answers show what it was asked. */
const device = (): { created: Array<unknown>; used: Array<unknown> } => {
  const asked = { created: [] as unknown[], used: [] as unknown[] }
  const bytes = Uint8Array.of(251, 255, 190, 1).buffer
  vi.stubGlobal("navigator", {
    credentials: {
      create: async (options: unknown) => {
        asked.created.push(options)
        return { id: "new-key", response: { attestationObject: bytes, clientDataJSON: bytes } }
      },
      get: async (options: unknown) => {
        asked.used.push(options)
        return { response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes } }
      },
    },
  })
  return asked
}
/** Those bytes in base64url: with its own letters, and without padding. */
const encoded = "-_--AQ"
const proof = { clientDataJson: encoded, authenticatorData: encoded, signature: encoded }

describe("a passkey", () => {
  it("is created for the approver, with the person verified", async () => {
    const { created } = device()
    expect(await createPasskey({ approver: "ada", challenge: "c-1" })).toEqual({
      credentialId: "new-key",
      clientDataJson: encoded,
      attestationObject: encoded,
    })
    expect(created).toMatchObject([
      {
        publicKey: {
          challenge: new TextEncoder().encode("c-1"),
          user: { name: "ada", displayName: "ada" },
          pubKeyCredParams: [{ alg: -7 }, { alg: -257 }],
          authenticatorSelection: { userVerification: "required" },
        },
      },
    ])
  })

  it("is used by its id, with the person verified", async () => {
    const { used } = device()
    expect(await usePasskey("c-2", encoded)).toEqual({ credentialId: encoded, ...proof })
    expect(used).toEqual([
      {
        publicKey: {
          challenge: new TextEncoder().encode("c-2"),
          allowCredentials: [{ type: "public-key", id: Uint8Array.of(251, 255, 190, 1) }],
          userVerification: "required",
        },
      },
    ])
  })
})

describe("a session", () => {
  const credentials = { clientId: "id", clientSecret: "s€cret", approver: "ada" }
  const signedIn = { clientId: "id", approver: "ada", proof: "SECRET" }
  const authorization = `Basic ${Buffer.from("id:s€cret").toString("base64")}`

  it("begins with the credentials alone", async () => {
    answer(signedIn, 201)
    expect(await signIn(credentials)).toEqual(signedIn)
    expect(asked()).toEqual([["POST", "/console/session", { approver: "ada" }]])
    expect(sent[0]?.options.headers).toMatchObject({ authorization })
  })

  it("begins with a new passkey, or with the known one, where one is required", async () => {
    const { created, used } = device()
    answer({ sessionId: "s", challenge: "c", approver: "ada" }, 202)
    answer(signedIn)
    await signIn(credentials)
    answer({ sessionId: "s", challenge: "c", approver: "ada", credentialId: encoded }, 202)
    answer(signedIn)
    expect(await signIn(credentials)).toEqual(signedIn)
    expect([created.length, used.length]).toEqual([1, 1])
    expect(asked()[1]).toEqual([
      "POST",
      "/console/session/passkey",
      { sessionId: "s", credentialId: "new-key", clientDataJson: encoded, attestationObject: encoded },
    ])
    expect(asked()[3]).toEqual([
      "POST",
      "/console/session/passkey",
      { sessionId: "s", credentialId: encoded, ...proof },
    ])
    expect(sent.every(({ options }) => new Headers(options.headers).get("authorization") === authorization)).toBe(true)
  })

  it("does not begin without the passkey", async () => {
    vi.stubGlobal("navigator", { credentials: { create: () => Promise.reject(new Error("cancelled")) } })
    answer({ sessionId: "s", challenge: "c", approver: "ada" }, 202)
    await expect(signIn(credentials)).rejects.toBeInstanceOf(NoPasskey)
    expect(sent).toHaveLength(1)
  })

  it("goes on, or not, and ends", async () => {
    answer({ session: signedIn })
    answer({ session: null })
    answers.push(new Response(null, { status: 204 }))
    expect([await resume(), await resume(), await endSession()]).toEqual([signedIn, undefined, undefined])
    expect(asked()).toEqual([
      ["GET", "/console/session", undefined],
      ["GET", "/console/session", undefined],
      ["DELETE", "/console/session", undefined],
    ])
  })

  it("may have credentials that the sandbox offers", async () => {
    answer({ clientId: "id", clientSecret: "secret" })
    answers.push(new Response(null, { status: 204 }))
    expect([await offeredCredentials(), await offeredCredentials()]).toEqual([
      { clientId: "id", clientSecret: "secret" },
      undefined,
    ])
  })
})

describe("a vote", () => {
  const action = { agentId: "Agent:1", id: "AgentAction:2" } as Parameters<typeof approveShown>[0]
  const shown = { b: [1, { d: null, c: "é" }], a: true }
  const votes: Parameters<typeof approveShown>[1] = JSON.parse(JSON.stringify({ shown }))
  const digest = createHash("sha256").update('{"a":true,"b":[1,{"c":"é","d":null}]}').digest("hex")
  const path = "/console/votes/Agent:1/AgentAction:2"

  it("names what is shown by its canonical digest", async () => {
    expect(await digestOf(shown)).toBe(digest)
    expect(await digestOf({ a: true, b: [1, { c: "é", d: null }] })).toBe(digest)
    expect(await digestOf({ ...shown, a: false })).not.toBe(digest)
  })

  it("may be all that is needed", async () => {
    answer({ action: { id: "approved" } })
    expect(await approveShown(action, votes)).toEqual({ id: "approved" })
    expect(asked()).toEqual([["POST", path, { digest }]])
  })

  it("is signed with the passkey where one is asked for", async () => {
    const { used } = device()
    answer({ challenge: { challenge: `nonce:${digest}`, credentialId: encoded } }, 202)
    answer({ action: { id: "approved" } })
    expect(await approveShown(action, votes)).toEqual({ id: "approved" })
    expect(used).toMatchObject([{ publicKey: { challenge: new TextEncoder().encode(`nonce:${digest}`) } }])
    expect(asked()[1]).toEqual(["POST", `${path}/passkey`, { digest, credentialId: encoded, ...proof }])
  })

  it.each([
    ["of something else", { challenge: { challenge: `${"0".repeat(64)}`, credentialId: encoded } }, 409],
    ["that has the digest elsewhere", { challenge: { challenge: `${digest}:nonce`, credentialId: encoded } }, 409],
    ["that is not there", {}, 202],
  ])("signs no challenge %s", async (_, body, status) => {
    const { used } = device()
    answer(body, 202)
    await expect(approveShown(action, votes)).rejects.toMatchObject({ status })
    expect(used).toEqual([])
    expect(sent).toHaveLength(1)
  })

  it("is not given without the passkey", async () => {
    vi.stubGlobal("navigator", { credentials: { get: () => Promise.reject(new Error("cancelled")) } })
    answer({ challenge: { challenge: `nonce:${digest}`, credentialId: encoded } }, 202)
    await expect(approveShown(action, votes)).rejects.toBeInstanceOf(NoPasskey)
    expect(sent).toHaveLength(1)
  })

  it("is needed where there are votes", async () => {
    answer({ votes: { shown } })
    answer({ votes: null })
    expect([await votesOn(action), await votesOn(action)]).toEqual([{ shown }, undefined])
  })
})

describe("the file of a world", () => {
  const file = (text: string) => new File([text], "a.world.json")
  const refused = (text: string) => worldIn(file(text)).catch((error: unknown) => String(error))

  it("is read up to 1 MiB", async () => {
    expect(await worldIn(file('{"a":1}'))).toEqual({ a: 1 })
    const most = JSON.stringify({ a: "x".repeat(1024 * 1024 - 8) })
    expect(most).toHaveLength(1024 * 1024)
    expect(Object.keys(await worldIn(file(most)))).toEqual(["a"])
    expect(await refused(`${most} `)).toContain("larger than 1 MiB")
  })

  it.each(["{", "null", "7", '"text"', ""])("%j is not one", async (text) => {
    expect(await refused(text)).toContain("The file is not the file of a world.")
  })
})
