/**
 * Platforms that try to take, or to find out, the UMA domains and addresses of others.
 * Source: D-348.
 */
import { randomBytes } from "node:crypto"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Body, basic, client, type Reply, type Send, textAt } from "../e2e/Client.ts"
import { credentialOptions, credentials } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { type ServerProcess, startServer } from "../e2e/ServerProcess.ts"

const ports = fileURLToPath(new URL("../e2e/SandboxPorts.ts", import.meta.url))
const others = [
  ["second", `second-${randomBytes(16).toString("hex")}`],
  ["third", `third-${randomBytes(16).toString("hex")}`],
] as const
const options = [...credentialOptions, ...others.flatMap(([id, secret]) => ["--platform", `${id}:${secret}`])]

const sendersOf = ({ base }: ServerProcess): Readonly<Record<"first" | "second" | "third", Send>> => ({
  first: client(base, basic(credentials.clientId, credentials.clientSecret)),
  second: client(base, basic(...others[0])),
  third: client(base, basic(...others[1])),
})

/** A reply without what names the caller's own request. */
const answerOf = ({ body, status }: Reply, ...own: ReadonlyArray<string>) => ({
  status,
  body: own.reduce((text, each) => text.replaceAll(each, "…"), JSON.stringify(body)),
})

const person = (umaAddress?: string) => ({
  body: { customerType: "INDIVIDUAL", ...(umaAddress === undefined ? {} : { umaAddress }) },
})
const domain = (umaDomain: string) => ({ body: { umaDomain } })
const domainOf = async (send: Send) => textAt(await send("GET", "/config"), "umaDomain")
const refusedDomain: Body = { code: "INVALID_INPUT", details: { reason: "DOMAIN_NOT_PROVEN" } }

describe("in the sandbox", () => {
  let server: ServerProcess
  let send: ReturnType<typeof sendersOf>
  beforeAll(async () => {
    server = await startServer({ options })
    send = sendersOf(server)
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  it("refuses another platform's domain in the words for a domain that cannot be proven", async () => {
    const [first, second] = [await domainOf(send.first), await domainOf(send.second)]
    const nobody = first.replace(/^[0-9a-f]{12}/u, "0123456789ab")
    const parent = first.replace(/^[0-9a-f]{12}\./u, "")
    const replies: Array<unknown> = []
    for (const each of [first, nobody, parent]) {
      const reply = await send.second("PATCH", "/config", domain(each))
      expect(reply).toMatchObject({ status: 400, body: refusedDomain })
      replies.push(answerOf(reply, each))
    }
    expect(await send.first("PATCH", "/config", domain("pay.example.com"))).toMatchObject({ status: 200 })
    const taken = await send.second("PATCH", "/config", domain("pay.example.com"))
    replies.push(answerOf(taken, "pay.example.com"))
    expect(new Set(replies.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(await domainOf(send.second)).toBe(second)
    expect(await send.first("PATCH", "/config", domain(first))).toMatchObject({ status: 200 })
  })

  it("gives one of two platforms a domain that both ask for at once", async () => {
    const replies = await Promise.all(
      [send.first, send.second, send.third].map((each) => each("PATCH", "/config", domain("race.example.com"))),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  })

  it("gives no customer an address under a domain of another platform, taken or not", async () => {
    expect(await send.first("PATCH", "/config", domain("alpha.example.com"))).toMatchObject({ status: 200 })
    expect(await send.first("POST", "/customers", person("$ada@alpha.example.com"))).toMatchObject({ status: 201 })
    const own = textAt(await send.second("POST", "/customers", person()), "id")
    const asked = ["$ada@alpha.example.com", "$eve@alpha.example.com", "$ada@nowhere.example.com"]
    const replies: Array<unknown> = []
    for (const umaAddress of asked) {
      const created = await send.second("POST", "/customers", person(umaAddress))
      const updated = await send.second("PATCH", `/customers/${own}`, person(umaAddress))
      expect(created).toMatchObject({ status: 400, body: { code: "INVALID_UMA_ADDRESS" } })
      replies.push(answerOf(created, umaAddress), answerOf(updated, umaAddress))
    }
    expect(new Set(replies.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  it("gives the next owner of a domain its addresses, and takes them from the earlier owner", async () => {
    expect(await send.first("PATCH", "/config", domain("moved.example.com"))).toMatchObject({ status: 200 })
    const earlier = textAt(await send.first("POST", "/customers", person("$ada@moved.example.com")), "id")
    const lookup = (by: Send) => by("GET", `/receiver/uma/${encodeURIComponent("$ada@moved.example.com")}`)
    expect(await lookup(send.first)).toMatchObject({ status: 200 })
    expect(await send.first("PATCH", "/config", domain("new.example.com"))).toMatchObject({ status: 200 })
    expect(await lookup(send.first)).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
    expect(await send.second("PATCH", "/config", domain("moved.example.com"))).toMatchObject({ status: 200 })
    expect(await send.second("POST", "/customers", person("$ada@moved.example.com"))).toMatchObject({ status: 201 })
    expect(await lookup(send.second)).toMatchObject({ status: 200 })
    expect(await lookup(send.third)).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
    // The record of the earlier owner stays as it is, and can be sent back unchanged.
    const kept = await send.first("PATCH", `/customers/${earlier}`, person("$ada@moved.example.com"))
    expect(kept).toMatchObject({ status: 200, body: { umaAddress: "$ada@moved.example.com" } })
  })
})

describe("in live mode", () => {
  it("refuses a domain without the record that names the platform, and says which record", async () => {
    await using folder = await newFolder()
    const live = ["--mode", "live", "--ports", ports, "--store", `pglite:${folder.path}`]
    await using server = await startServer({ options: [...options, ...live] })
    const { first } = sendersOf(server)
    const { body } = await first("GET", "/config")
    // The name server of a machine without a network cannot tell; every other one knows no such domain.
    const reply = await first("PATCH", "/config", domain("pay.invalid"))
    expect([400, 503]).toContain(reply.status)
    if (reply.status === 400) {
      expect(reply.body).toMatchObject({
        ...refusedDomain,
        details: {
          reason: "DOMAIN_NOT_PROVEN",
          errors: [
            {
              field: "umaDomain",
              constraint: {
                record: { type: "TXT", name: "_uma-platform.pay.invalid", value: `platform=${body["id"]}` },
              },
            },
          ],
        },
      })
    }
    expect((await first("GET", "/config")).body).toEqual(body)
  }, 60_000)
})
