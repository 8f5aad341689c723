/** `countersign listen`: the way that it takes, the endpoint that it sets and restores, and the line of each webhook. Source: D-460, D-483. */
import { request } from "node:http"
import { describe, expect, it } from "vitest"
import { platformId, signedWebhook, webhookKeys } from "../client/SignedWebhook.ts"
import { type CommandOptions, commandAt, type Sent } from "./CommandsAt.ts"

const previous = "https://before.example/"
const inbox = "https://pay.example.com/sandbox-inbox/abc"
const here = "http://127.0.0.1:8787/2025-10-13"

interface Listening extends CommandOptions {
  readonly endpoint?: string | null | undefined
  /** The answer to a change of the endpoint, by its number. */
  readonly changed?: (index: number) => unknown
  /** The ids of the messages in the inbox, by the number of the question. After the last the server refuses. */
  readonly lists?: ReadonlyArray<ReadonlyArray<string>>
  readonly message?: (id: string) => unknown
  readonly program?: () => unknown
  /** The answer about the inbox. */
  readonly address?: unknown
}

/** Listens at a server. */
const listened = (words: ReadonlyArray<string>, given: Listening = {}) => {
  const {
    address = { url: inbox },
    changed = () => ({}),
    endpoint = previous,
    lists = [],
    message,
    program,
    ...options
  } = given
  let changes = 0
  let asked = 0
  const answers = ({ method, path }: Sent): unknown => {
    if (path === "/config" && method === "PATCH") return changed(changes++)
    if (path === "/config") return { id: platformId, ...(endpoint === null ? {} : { webhookEndpoint: endpoint }) }
    if (path === "/webhooks/keys") return { data: webhookKeys }
    if (path === "/sandbox/inbox") return address
    if (path === "/sandbox/inbox/messages?limit=100") {
      const ids = lists[asked++]
      return ids === undefined ? 401 : { data: ids.map((id) => ({ id })), hasMore: false }
    }
    const [, id] = /^\/sandbox\/inbox\/messages\/(\w+)$/u.exec(path) ?? []
    return id === undefined ? program?.() : message?.(id)
  }
  return commandAt(["listen", ...words], answers, options)
}

const patches = (sent: ReadonlyArray<Sent>) => sent.filter(({ method }) => method === "PATCH").map(({ body }) => body)
const signed = await signedWebhook({ at: Date.now() })
const line = `TEST${" ".repeat(32)}${signed.event.id}`

/** Ends a command when it listens. */
const atOnce = async (notice: string) => notice.startsWith("listening")

describe("the way of webhooks", () => {
  it.each<readonly [way: string, words: ReadonlyArray<string>, server: string | undefined]>([
    ["inbox", [], undefined],
    ["port", [], here],
    ["inbox", ["--through", "inbox"], here],
    ["port", ["--endpoint", "https://me.example/"], undefined],
    ["port", ["--endpoint", "https://me.example/", "--through", "port"], undefined],
  ])("is the %s with %j of the server %s", async (way, words, server) => {
    const { code, stderr } = await listened(words, {
      lists: [[]],
      onNotice: atOnce,
      ...(server === undefined ? {} : { server }),
    })
    expect(code).toBe(0)
    const address = words[1]?.startsWith("https") === true ? "https://me.example/" : "http://127.0.0.1:"
    expect(stderr).toContain(`listening on ${way === "inbox" ? "the inbox of the sandbox; Ctrl-C ends" : address}`)
  })

  it.each<readonly [message: string, words: ReadonlyArray<string>]>([
    ["the server is on another machine: name the address", ["--through", "port"]],
    ["--endpoint names where a port is reached", ["--through", "inbox", "--endpoint", "https://me.example/"]],
    ["--listen-port", ["--listen-port", "65536"]],
    ["--listen-port", ["--listen-port=-1"]],
    ["--forward-to", ["--forward-to", "nowhere"]],
    ["--forward-to", ["--forward-to", "ftp://127.0.0.1/"]],
    ["--endpoint", ["--endpoint", "https://me.example/?a"]],
  ])("is refused: %s with %j", async (message, words) => {
    const { code, sent, stderr } = await listened(words)
    expect([code, sent]).toEqual([2, []])
    expect(stderr).toContain(message)
  })
})

it.each(["http", "https"])("deliveries are passed on to an address of %s", async (scheme) => {
  const address = `${scheme}://127.0.0.1:1/hooks`
  const { code, stderr } = await listened(["--forward-to", address], { lists: [[]], onNotice: atOnce })
  expect(code).toBe(0)
  expect(stderr).toContain(`listening on the inbox of the sandbox, passing on to ${address}; Ctrl-C ends`)
})

it.each<readonly [status: number, code: number, hasHint: boolean]>([
  [501, 1, true],
  [409, 1, true],
  [401, 8, false],
  [503, 7, false],
])("an inbox that is answered with %d ends the command with %d, with a hint: %s", async (status, code, hasHint) => {
  const ended = await listened([], { address: status })
  expect(ended.code).toBe(code)
  expect(ended.stderr.includes("the server has no inbox (CONFLICT: It is refused.): name the address")).toBe(hasHint)
  expect(patches(ended.sent)).toEqual([])
})

describe("the endpoint of the platform", () => {
  it("is the port of the command while it listens, and the previous one afterwards", async () => {
    const ended = await listened(["--forward-to", "http://127.0.0.1:1/a"], { server: here, onNotice: atOnce })
    const [first, second] = patches(ended.sent)
    expect(first).toEqual({ webhookEndpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/$/u) })
    expect(second).toEqual({ webhookEndpoint: previous })
    const address = String(Object(first)["webhookEndpoint"])
    expect(ended.stderr.split("\n")).toEqual([
      `listening on ${address}, passing on to http://127.0.0.1:1/a; Ctrl-C ends`,
      `the webhook endpoint is ${previous} again`,
    ])
  })

  it("is unset again if it was unset", async () => {
    const { sent, stderr } = await listened([], { lists: [[]], endpoint: null, onNotice: atOnce })
    expect(patches(sent)).toEqual([{ webhookEndpoint: inbox }, { webhookEndpoint: null }])
    expect(stderr).toContain("the webhook endpoint is unset again")
  })

  it("stays if it was that of the command before", async () => {
    const { sent } = await listened([], { lists: [[]], endpoint: inbox, onNotice: atOnce })
    expect(patches(sent)).toEqual([{ webhookEndpoint: inbox }])
  })

  it("that cannot be restored is reported", async () => {
    const changed = (index: number) => (index === 0 ? {} : 409)
    const { code, stderr } = await listened([], { lists: [[]], changed, onNotice: atOnce })
    expect(code).toBe(0)
    expect(stderr).toContain("the webhook endpoint was not restored: CONFLICT: It is refused.")
  })

  const refusal = (message: string) => () =>
    Response.json({ status: 400, code: "INVALID_INPUT", message }, { status: 400 })
  it.each([
    ["the host is not on the public internet", true],
    ["it is not valid", false],
  ])("that is refused because %s has a hint: %s", async (message, hasHint) => {
    const { code, stderr, sent } = await listened([], { lists: [[]], changed: refusal(message), onNotice: atOnce })
    expect(code).toBe(1)
    expect(patches(sent)).toHaveLength(1)
    expect(stderr.includes("start the server with --webhook-allow 127.0.0.1")).toBe(hasHint)
    expect(stderr).toContain(`INVALID_INPUT: ${message}`)
  })
})

describe("a webhook that arrives on the port", () => {
  const post = (url: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url, { method: "POST", headers: signed.headers }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode))
      })
      sent.on("error", reject).end(signed.body)
    })

  it("is verified, and printed after its answer", async () => {
    const statuses: Array<number | undefined> = []
    const { stdout } = await listened([], {
      server: here,
      onNotice: async (notice) => {
        const [, url] = /^listening on (\S+);/u.exec(notice) ?? []
        if (url === undefined) return false
        statuses.push(await post(url))
        return true
      },
    })
    expect(statuses).toEqual([200])
    expect(stdout).toBe(`verified  ${line}`)
  })
})

describe("a webhook that arrives in the inbox", () => {
  const message = (id: string) => ({ id, headers: signed.headers, body: id === "bad" ? "{}" : signed.body })
  const through = async (words: ReadonlyArray<string>, more: Listening = {}) => {
    const ended = await listened(words, { lists: [["a"], ["b", "a"]], message, isFollowing: true, ...more })
    expect(ended.code).toBe(8)
    return ended
  }

  it("is verified, and was not there before the command", async () => {
    const { pauses, sent, stdout } = await through([])
    expect(stdout).toBe(`verified  ${line}`)
    expect(pauses).toEqual([1000])
    const paths = sent.map(({ method, path }) => `${method} ${path}`)
    expect(paths.indexOf("GET /sandbox/inbox/messages?limit=100")).toBeLessThan(paths.indexOf("PATCH /config"))
    expect(paths.filter((path) => path.includes("messages/"))).toEqual(["GET /sandbox/inbox/messages/b"])
  })

  it("is printed in its colour", async () => {
    const colours = { isColoured: true }
    const [green, red, yellow] = [32, 31, 33].map((code) => `\u001b[${code}m`)
    expect((await through([], colours)).stdout).toBe(`${green}verified\u001b[39m  ${line}`)
    const bad = { ...colours, lists: [[], ["bad"]] }
    expect((await through([], bad)).stdout).toBe(`${red}refused\u001b[39m  SIGNATURE_MISMATCH`)
    const to = ["--forward-to", "http://127.0.0.1:3000/"]
    const answered = async (status: number) =>
      (await through(to, { ...colours, program: () => new Response(null, { status }) })).stdout.split("\u001b[39m")
    expect((await answered(299))[0]).toBe(`${green}299     `)
    expect((await answered(300))[0]).toBe(`${yellow}300     `)
    expect((await answered(500))[1]).toMatch(new RegExp(`^ {2}${line} {2}\\d+ ms$`, "u"))
    const away = await through(to, {
      ...colours,
      program: () => {
        throw new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) })
      },
    })
    expect(away.stdout).toBe(`${red}failed  \u001b[39m  ${line}  your program does not answer: ECONNREFUSED`)
  })

  it("with --json is an object", async () => {
    const { stdout } = await through(["--json"])
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "Received", event: { id: signed.event.id } })
    expect(Object.keys(JSON.parse(stdout))).toEqual(["outcome", "event"])
    const refused = await through(["--json"], { lists: [[], ["bad"]] })
    expect(JSON.parse(refused.stdout)).toEqual({ outcome: "Refused", reason: "SIGNATURE_MISMATCH" })
    const to = ["--json", "--forward-to", "http://127.0.0.1:3000/"]
    const forwarded = await through(to, { program: () => 409 })
    expect(JSON.parse(forwarded.stdout)).toMatchObject({ outcome: "Forwarded", status: 409 })
    expect(Object.keys(JSON.parse(forwarded.stdout))).toEqual(["outcome", "status", "millis", "event"])
  })

  it("restores the endpoint when the command ends by an error", async () => {
    expect(patches((await through([])).sent)).toEqual([{ webhookEndpoint: inbox }, { webhookEndpoint: previous }])
  })
})
