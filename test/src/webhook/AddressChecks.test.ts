/** The address policy applied: names are resolved when an endpoint is configured, and again at each connection. */
import { NodeWebhookTransport } from "@countersign/adapter-http"
import { WebhookTransport } from "@countersign/core/ports"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen } from "./Receiver.ts"

const notPublic = "the address is not on the public internet"

/** A resolver that gives these answers in order, and repeats the last one. */
const resolving = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const lookups: Array<string> = []
  const resolver: NodeWebhookTransport.Resolver = (hostname) =>
    Effect.sync(() => {
      lookups.push(hostname)
      const addresses = answers[Math.min(lookups.length, answers.length) - 1] ?? []
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    })
  return { lookups, resolver }
}

const check = (url: string) => WebhookTransport.use((transport) => transport.check(url))

const send = (url: string) =>
  WebhookTransport.use((transport) => transport.send({ url, headers: {}, body: "{}", timeoutMillis: 20_000 }))

describe("configuring an endpoint", () => {
  it.live.each<[string, ReadonlyArray<string>, string | undefined]>([
    ["a public address", ["93.184.216.34"], undefined],
    ["public addresses of both families", ["93.184.216.34", "2606:2800:220:1::1"], undefined],
    ["a private address", ["10.0.0.1"], notPublic],
    ["loopback", ["127.0.0.1"], notPublic],
    ["a private address beside a public one", ["93.184.216.34", "192.168.0.1"], notPublic],
    ["a mapped private address", ["::ffff:10.0.0.1"], notPublic],
    ["a link-local address with its zone", ["fe80::1%eth0"], notPublic],
    ["the metadata service", ["169.254.169.254"], notPublic],
    ["nothing that can be read", ["not an address"], "the address cannot be read"],
    ["nothing", [], "the host name does not resolve"],
  ])("with a name that resolves to %s", ([, addresses, reason]) => {
    const { lookups, resolver } = resolving(addresses)
    return Effect.gen(function* () {
      const refusal = yield* check("https://hooks.example.com/a?token=hidden")
      expect(refusal).toEqual(reason === undefined ? undefined : { reason })
      expect(lookups).toEqual(["hooks.example.com"])
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", resolver })))
  })

  it.live.each<[string, string | undefined]>([
    ["https://8.8.8.8/", undefined],
    ["https://10.0.0.1/", notPublic],
    ["http://hooks.example.com/", "the scheme is not https"],
    ["https://localhost/", "the host name is local"],
    ["https://me:hidden@hooks.example.com/?token=hidden", "the URL contains credentials"],
    ["no URL", "the URL has white space or control characters"],
  ])("as %s resolves no name", ([url, reason]) => {
    const { lookups, resolver } = resolving(["8.8.8.8"])
    return Effect.gen(function* () {
      expect(yield* check(url)).toEqual(reason === undefined ? undefined : { reason })
      expect(lookups).toEqual([])
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", resolver })))
  })

  it.live("accepts an allowed name at any address except instance metadata", () => {
    const { resolver } = resolving(["10.0.0.1"], ["169.254.169.254"])
    return Effect.gen(function* () {
      expect(yield* check("http://hooks.internal/")).toBeUndefined()
      expect(yield* check("http://hooks.internal/")).toEqual({ reason: notPublic })
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", allow: ["hooks.internal"], resolver })))
  })

  it.live("without a policy accepts local addresses and names that do not resolve yet", () => {
    const { lookups, resolver } = resolving([])
    return Effect.gen(function* () {
      expect(yield* check("http://localhost:3000/hooks")).toBeUndefined()
      expect(yield* check("http://later:3000/hooks")).toBeUndefined()
      expect(yield* check("http://me:hidden@localhost/")).toEqual({ reason: "the URL contains credentials" })
      expect(lookups).toEqual([])
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "any", resolver })))
  })
})

describe("connecting", () => {
  it.live("refuses a name that now resolves to a private address", () => {
    const { lookups, resolver } = resolving(["93.184.216.34"], ["127.0.0.1"])
    return Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("reached"))
      const url = `https://hooks.example.com:${receiver.port}/?token=hidden`
      expect(yield* check(url)).toBeUndefined()
      expect(yield* send(url)).toEqual({ _tag: "Unreachable", reason: notPublic })
      expect(lookups).toEqual(["hooks.example.com", "hooks.example.com"])
      expect(receiver.connections()).toBe(0)
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", resolver })))
  })

  it.live("refuses a name with one private address among public ones", () => {
    const { resolver } = resolving(["93.184.216.34", "127.0.0.1"])
    return Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("reached"))
      expect(yield* send(`https://hooks.example.com:${receiver.port}/`)).toEqual({
        _tag: "Unreachable",
        reason: notPublic,
      })
      expect(receiver.connections()).toBe(0)
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", resolver })))
  })

  it.live.each(["127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]"])(
    "refuses the literal address %s, which needs no resolution",
    (host) => {
      const { lookups, resolver } = resolving(["93.184.216.34"])
      return Effect.gen(function* () {
        const receiver = yield* listen((response) => response.end("reached"))
        const result = yield* send(`https://${host}:${receiver.port}/`)
        expect(result).toEqual({ _tag: "Unreachable", reason: notPublic })
        expect(receiver.connections()).toBe(0)
        expect(lookups).toEqual([])
      }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", resolver })))
    },
  )

  it.live("connects to the checked address and resolves once", () => {
    const { lookups, resolver } = resolving(["127.0.0.1"], ["192.0.2.1"])
    return Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("reached"))
      const result = yield* send(`http://hooks.internal:${receiver.port}/`)
      expect(result).toEqual({ _tag: "Answered", status: 200, body: "reached" })
      expect(lookups).toEqual(["hooks.internal"])
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", allow: ["hooks.internal"], resolver })))
  })

  it.live("checks a name again when it needs a new connection", () => {
    const { resolver } = resolving(["127.0.0.1"], ["169.254.169.254"])
    return Effect.gen(function* () {
      const receiver = yield* listen((response) => response.writeHead(200, { Connection: "close" }).end("reached"))
      const url = `http://hooks.internal:${receiver.port}/`
      expect((yield* send(url))._tag).toBe("Answered")
      expect(yield* send(url)).toEqual({ _tag: "Unreachable", reason: notPublic })
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", allow: ["hooks.internal"], resolver })))
  })

  it.live("reaches an allowed literal address", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("reached"))
      expect(yield* send(receiver.url)).toEqual({ _tag: "Answered", status: 200, body: "reached" })
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "public", allow: ["127.0.0.0/8"] }))),
  )

  it.live("tries every address of a name", () => {
    const { resolver } = resolving(["127.0.0.2", "127.0.0.1"])
    return Effect.gen(function* () {
      // The receiver listens on 127.0.0.1 only.
      const receiver = yield* listen((response) => response.end("reached"))
      expect(yield* send(`http://hooks.example:${receiver.port}/`)).toMatchObject({ _tag: "Answered" })
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "any", resolver })))
  })

  it.live("uses the system resolver when none is given", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("reached"))
      expect(yield* send(`http://localhost:${receiver.port}/`)).toMatchObject({ _tag: "Answered" })
    }).pipe(Effect.provide(NodeWebhookTransport.layer({ addresses: "any" }))),
  )
})
