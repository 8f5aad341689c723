/** The bounds of what a sandbox keeps of a request, and what it hides in each part. Source: D-464, D-478. */
import { Api, endpointsOf } from "@countersign/client/api"
import { SecretMask } from "@countersign/core"
import { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import type { EndpointMasks } from "../../../packages/adapter-http/src/middleware/EndpointMasks.ts"
import { keptBody } from "../../../packages/adapter-http/src/middleware/KeptBody.ts"
import {
  addCredentials,
  keptAnswerHeaders,
  keptHeaders,
} from "../../../packages/adapter-http/src/middleware/KeptHeaders.ts"
import { keptPath } from "../../../packages/adapter-http/src/middleware/KeptPath.ts"
import { knownSecrets } from "../../../packages/adapter-http/src/middleware/KnownSecrets.ts"
import { maskedMembers } from "../../../packages/adapter-http/src/middleware/MaskedMembers.ts"
import { notSendableOf } from "../../../packages/adapter-http/src/middleware/NotSendable.ts"

const { mask } = SecretMask
const long = "a-secret-of-the-caller"

/** Hides the members that are named so. */
const hiding =
  (...names: ReadonlyArray<string>): SecretMask.Mask =>
  (value, onSecret) =>
    Object.fromEntries(
      Object.entries(Object(value)).map(([name, member]) => {
        if (!names.includes(name)) return [name, member]
        onSecret(name, member)
        return [name, mask]
      }),
    )
const masks: EndpointMasks = {
  params: hiding("code"),
  query: hiding("token", "a b"),
  headers: hiding("x-secret"),
  body: hiding("secret"),
  answer: hiding(),
  error: hiding(),
  headerNames: new Set(["x-secret", "idempotency-key", "x-service-signature"]),
}
const endpointOf = (operation: string) => {
  const found = endpointsOf(Api).find(({ endpoint }) => endpoint.identifier === operation)
  if (found === undefined) throw new Error(`${operation} does not exist`)
  return found.endpoint
}

describe("the secrets of a request", () => {
  const inText = (secret: unknown, text: string) => {
    const secrets = knownSecrets()
    secrets.add(secret)
    return secrets.inText(text)
  }
  const inJson = (secret: unknown, json: string) => {
    const secrets = knownSecrets()
    secrets.add(secret)
    return secrets.inJson(json)
  }

  it.each<readonly [secret: unknown, text: string, shown: string]>([
    ["abcd", "abcd", mask],
    ["abc", "abc", "abc"],
    ["abcd", "x abcd", "x abcd"],
    ["a".repeat(15), `x ${"a".repeat(15)}`, `x ${"a".repeat(15)}`],
    ["a".repeat(16), `x ${"a".repeat(16)} y`, `x ${mask} y`],
    [{ a: ["abcd"], b: 5 }, "abcd", mask],
    [null, "null", "null"],
    [undefined, "undefined", "undefined"],
  ])("%j are masked in the text %j", (secret, text, shown) => {
    expect(inText(secret, text)).toBe(shown)
  })

  it.each<readonly [secret: string, json: string, shown: string]>([
    ["abcd", '{"a":"abcd","b":"abcde"}', `{"a":"${mask}","b":"abcde"}`],
    ["abc", '{"a":"abc"}', '{"a":"abc"}'],
    [long, `{"a":"x ${long}"}`, `{"a":"x ${mask}"}`],
    ["a".repeat(15), `{"a":"x ${"a".repeat(15)}"}`, `{"a":"x ${"a".repeat(15)}"}`],
    ['a-longer-"quoted"-text', '{"a":"x a-longer-\\"quoted\\"-text"}', `{"a":"x ${mask}"}`],
    ['quoted"text', '{"a":"quoted\\"text"}', `{"a":"${mask}"}`],
  ])("%j are masked in the JSON %s", (secret, json, shown) => {
    expect(inJson(secret, json)).toBe(shown)
  })

  it("are at most 200", () => {
    const secrets = knownSecrets()
    for (const at of Array.from({ length: 201 }).keys()) secrets.add(`secret ${at}`)
    expect([secrets.inText("secret 199"), secrets.inText("secret 200")]).toEqual([mask, "secret 200"])
  })

  it("are masked in at most 200 members, whose names are cut at 200 characters", () => {
    const { add, members } = maskedMembers()
    add("n".repeat(201), 5)
    for (const at of Array.from({ length: 200 }).keys()) add(`m${at}`, "x")
    expect(members.size).toBe(200)
    expect([...members].slice(0, 2)).toEqual([
      ["n".repeat(200), undefined],
      ["m0", "x"],
    ])
    expect(members.has("m199")).toBe(false)
  })
})

describe("a kept body", () => {
  const kept = (json: string, bytes = 7, known = "") => {
    const [secrets, members] = [knownSecrets(), maskedMembers()]
    const body = keptBody(json, bytes, masks.body, secrets, members)
    secrets.add(known)
    return { body: body(), members: [...members.members] }
  }
  const jsonOf = (length: number) => `{"a":"${"x".repeat(length - 8)}"}`

  it("has masks in place of its secrets, also of those that are found later", () => {
    expect(kept('{"secret":"s1","b":1}')).toEqual({
      body: { bytes: 7, text: `{"secret":"${mask}","b":1}`, isCut: false, masked: ["secret"] },
      members: [["body.secret", "s1"]],
    })
    expect(kept('{"b":"later"}', 7, "later")).toEqual({
      body: { bytes: 7, text: `{"b":"${mask}"}`, isCut: false, masked: [] },
      members: [["body", undefined]],
    })
  })

  it("hides what a masked member repeats in another one", () => {
    expect(kept('{"secret":"repeated","b":"repeated"}').body).toMatchObject({
      text: `{"secret":"${mask}","b":"${mask}"}`,
      masked: ["secret"],
    })
  })

  it("is cut at 16384 characters", () => {
    expect(kept(jsonOf(16_384)).body).toMatchObject({ text: jsonOf(16_384), isCut: false })
    expect(kept(jsonOf(16_385)).body).toMatchObject({ text: jsonOf(16_385).slice(0, 16_384), isCut: true })
  })

  it("is not read above 262144 characters, nor if it is not JSON", () => {
    const unread = { bytes: 7, isCut: false, masked: [] }
    expect(kept(jsonOf(262_144)).body).toMatchObject({ isCut: true })
    expect(kept(jsonOf(262_145)).body).toEqual(unread)
    expect(kept("{").body).toEqual(unread)
  })

  it("names at most 100 masked members, each with at most 200 characters", () => {
    const every: SecretMask.Mask = (value, onSecret) => {
      for (const at of Array.from({ length: 101 }).keys()) onSecret(at === 0 ? "p".repeat(201) : `p${at}`, "x")
      return value
    }
    const { masked } = keptBody("{}", 2, every, knownSecrets(), maskedMembers())()
    expect(masked).toHaveLength(100)
    expect(masked[0]).toBe("p".repeat(200))
  })
})

describe("kept headers", () => {
  const kept = (headers: Readonly<Record<string, string | undefined>>) => {
    const members = maskedMembers()
    const neutral = (name: string) => (name === "x-acme-signature" ? "x-service-signature" : name)
    return { headers: keptHeaders(headers, masks, neutral, knownSecrets(), members), members: [...members.members] }
  }

  it("are those that the endpoint reads, and some of the transport", () => {
    const headers = {
      "x-secret": "abcd",
      "x-acme-signature": "s",
      "idempotency-key": "k",
      "content-type": "application/json",
      "user-agent": "test",
      authorization: "Basic a",
      cookie: "a=b",
      "content-types": "x",
      accept: undefined,
    }
    expect(kept(headers)).toEqual({
      headers: [
        ["x-secret", mask],
        ["x-acme-signature", "s"],
        ["idempotency-key", "k"],
        ["content-type", "application/json"],
        ["user-agent", "test"],
      ],
      members: [["header.x-secret", "abcd"]],
    })
  })

  it("are cut at 1024 characters", () => {
    expect(kept({ "user-agent": "x".repeat(1_025) }).headers).toEqual([["user-agent", "x".repeat(1_024)]])
  })

  it.each([
    ["allow", true],
    ["ratelimit-limit", true],
    ["ratelimit-", false],
    ["retry-after", true],
    ["x-request-id", true],
    ["set-cookie", false],
    ["www-authenticate", false],
    ["content-length", false],
  ])("of an answer: %s is %s", (name, isKept) => {
    expect(keptAnswerHeaders({ [name]: "v" })).toEqual(isKept ? [[name, "v"]] : [])
  })

  it.each<readonly [headers: object, credential: string | undefined, hidden: ReadonlyArray<string>]>([
    [{ authorization: `Basic ${btoa("cid:secret")}` }, "secret", ["secret", btoa("cid:secret")]],
    [{ authorization: "Bearer token1" }, "token1", ["token1"]],
    [{ authorization: "Digest other" }, undefined, ["other"]],
    [{ cookie: "session=abcd; other=efgh" }, undefined, ["session", "abcd", "other", "efgh"]],
    [{}, undefined, []],
  ])("keep no credentials: %j", (headers, credential, hidden) => {
    const secrets = knownSecrets()
    expect(addCredentials({ ...headers }, secrets)).toBe(credential)
    expect(hidden.map(secrets.inText)).toEqual(hidden.map(() => mask))
  })
})

describe("a kept path", () => {
  const kept = (url: string, path = "/agents/device-codes/:code/redeem") => {
    const members = maskedMembers()
    const endpoint = { ...endpointOf("getPlatformConfig"), path } as ReturnType<typeof endpointOf>
    return [keptPath(url, endpoint, masks, knownSecrets(), members), [...members.members]]
  }
  it.each<readonly [url: string, shown: string, members: ReadonlyArray<readonly [string, string]>]>([
    ["/2025-10-13/agents/device-codes/A%20B/redeem", `/agents/device-codes/${mask}/redeem`, [["path.code", "A B"]]],
    ["/a/b//agents/device-codes/%/redeem/", `/agents/device-codes/${mask}/redeem`, [["path.code", "%"]]],
    ["/agents/device-codes/x/redeem?limit=5", `/agents/device-codes/${mask}/redeem?limit=5`, [["path.code", "x"]]],
  ])("of %s is %s", (url, shown, members) => {
    expect(kept(url)).toEqual([shown, members])
  })

  it.each<readonly [query: string, shown: string, members: ReadonlyArray<readonly [string, string]>]>([
    ["token=a%2Bb&x=1", `token=${mask}&x=1`, [["query.token", "a+b"]]],
    ["x=1&token=a=b+c", `x=1&token=${mask}`, [["query.token", "a=b c"]]],
    ["a+b=1", `a+b=${mask}`, [["query.a b", "1"]]],
    ["x=?&y", "x=?&y", []],
    ["", "", []],
  ])("with the query %s has %s", (query, shown, members) => {
    expect(kept(`/base/config?${query}`, "/config")).toEqual([`/config?${shown}`, members])
  })

  it("and headers hide what later texts repeat", () => {
    const secrets = knownSecrets()
    const members = maskedMembers()
    const endpoint = { ...endpointOf("getPlatformConfig"), path: "/codes/:code" } as ReturnType<typeof endpointOf>
    keptPath("/codes/of-path?token=of-query", endpoint, masks, secrets, members)
    keptHeaders({ "x-secret": "of-header" }, masks, (name) => name, secrets, members)
    expect(["of-path", "of-query", "of-header", "of-other"].map(secrets.inText)).toEqual([mask, mask, mask, "of-other"])
  })

  it("is cut at 2048 characters", () => {
    expect(kept(`/config?x=${"y".repeat(3_000)}`, "/config")[0]).toHaveLength(2_048)
  })
})

describe("a kept request", () => {
  const empty = HttpServerResponse.empty({ status: 204 })
  const sent = {
    endpoint: endpointOf("getPlatformConfig"),
    path: "/config",
    headers: [["accept", "x"]] as ReadonlyArray<readonly [string, string]>,
    requestBody: undefined,
    response: empty,
    masked: maskedMembers(),
  }
  const body = { bytes: 2, text: "{}", isCut: false, masked: [] }
  const { text: _, ...unread } = body
  const maskedAt = (at: string) => {
    const members = maskedMembers()
    members.add(at)
    return members
  }
  const upload = endpointOf("uploadDocument")

  it.each<readonly [what: string, changes: Partial<Parameters<typeof notSendableOf>[0]>]>([
    ["has no body", {}],
    ["has a whole body", { requestBody: body }],
    ["has a path of 2047 characters", { path: "x".repeat(2_047) }],
    ["has a header of 1023 characters", { headers: [["accept", "x".repeat(1_023)]] }],
  ])("can be sent again if it %s", (_what, changes) => {
    expect(notSendableOf({ ...sent, ...changes })).toBeUndefined()
  })

  it.each<
    readonly [reason: string, members: ReadonlyArray<string>, changes: Partial<Parameters<typeof notSendableOf>[0]>]
  >([
    ["SENDING", [], { endpoint: endpointOf("sandboxSendRequest"), masked: maskedAt("body") }],
    ["UPLOAD", [], { endpoint: upload, requestBody: unread }],
    ["STREAM", [], { endpoint: endpointOf("watchChanges"), masked: maskedAt("body") }],
    ["MASKED", ["header.x"], { masked: maskedAt("header.x"), requestBody: unread }],
    ["NOT_KEPT", ["body"], { requestBody: unread, path: "x".repeat(2_048) }],
    ["CUT", ["path"], { path: "x".repeat(2_048) }],
    ["CUT", ["header.accept"], { headers: [["accept", "x".repeat(1_024)]] }],
    ["CUT", ["body"], { requestBody: { ...body, isCut: true } }],
    ["CUT", ["path", "body"], { path: "x".repeat(2_048), requestBody: { ...body, isCut: true } }],
  ])("cannot be sent again for %s of %j", (reason, members, changes) => {
    expect(notSendableOf({ ...sent, ...changes })).toMatchObject({ reason, members })
  })
})
