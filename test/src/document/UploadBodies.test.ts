/** Bodies in multipart/form-data: what is read of them, what is refused, and how much of a large one is read ahead. */
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, request as sendRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { ServiceError } from "@countersign/core"
import { Effect, Result, Schema, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import * as ClientAddress from "../../../packages/adapter-http/src/middleware/ClientAddress.ts"
import { formOf } from "../../../packages/adapter-http/src/middleware/UploadBody.ts"
import { refusalOfHeaders } from "../../../packages/adapter-http/src/middleware/UploadParts.ts"
import * as ByteBudget from "../../../packages/adapter-http/src/server/ByteBudget.ts"
import * as NodeRequest from "../../../packages/adapter-http/src/server/NodeRequest.ts"
import { boundary, contentType, type FormPart, form } from "./Forms.ts"

const texts = Schema.Struct({ kind: Schema.optionalKey(Schema.String), note: Schema.optionalKey(Schema.String) })
const upload = { fileBytesMax: 1000, texts }
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex")

const collect = (bytes: Stream.Stream<Uint8Array, ServiceError>) =>
  Effect.map(Stream.runCollect(bytes), (pieces) => Buffer.concat([...pieces]))

/** Receives a form as a handler does: the headers first, then the body. */
const receive = (request: HttpServerRequest.HttpServerRequest, limits = upload) => {
  const refusal = refusalOfHeaders(request.headers, limits)
  const received = refusal === undefined ? formOf(request, limits)(collect) : Effect.fail(new ServiceError(refusal))
  return Effect.match(received, {
    onFailure: ({ code, details, message }) => ({ code, message, details }),
    onSuccess: ({ file, parts, texts }) => ({
      texts: Result.getOrUndefined(texts),
      parts,
      file: file && { ...file, received: file.received.toString() },
    }),
  })
}

type Received = Effect.Success<ReturnType<typeof receive>>

/** Sends the bytes in pieces of the given lengths, and the rest at once. */
const byWeb = (
  body: Uint8Array,
  headers: Record<string, string>,
  lengths: ReadonlyArray<number>,
): Promise<Received> => {
  const pieces = piecesOf(body, lengths)
  const stream = ReadableStream.from(pieces)
  const request = new Request("http://service.test/", { method: "POST", headers, body: stream, duplex: "half" })
  return Effect.runPromise(receive(HttpServerRequest.fromWeb(request)))
}

const piecesOf = (body: Uint8Array, lengths: ReadonlyArray<number>): Array<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let from = 0
  for (const length of [...lengths, body.byteLength]) {
    if (from >= body.byteLength) break
    pieces.push(body.subarray(from, from + length))
    from += length
  }
  return pieces
}

const budget = ByteBudget.make<IncomingMessage["socket"]>(10_000_000, () => undefined)
const server = createServer((incoming, response) => {
  const shared = { addresses: ClientAddress.make({}), bodies: budget, noteTenant: () => undefined }
  const request = NodeRequest.make(incoming, shared, () => undefined)
  void Effect.runPromise(receive(request)).then((received) => response.end(JSON.stringify(received)))
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const byNode = (body: Uint8Array, headers: Record<string, string>, lengths: ReadonlyArray<number>): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const sent = sendRequest({ port, method: "POST", headers, agent: false }, (response) => {
      let text = ""
      response.on("data", (piece) => {
        text += String(piece)
      })
      response.on("end", () => resolve(JSON.parse(text)))
    })
    sent.on("error", reject)
    for (const piece of piecesOf(body, lengths)) sent.write(piece)
    sent.end()
  })

const ways = [
  ["a web request", byWeb],
  ["a node request", byNode],
] as const

const sent = { "content-type": contentType }
const kind: FormPart = { name: "kind", body: "PASSPORT" }
const file: FormPart = { name: "file", fileName: "scan.pdf", body: "%PDF-1.7", headers: ["Content-Type: image/gif"] }

describe.each(ways)("the form of %s", (_way, send) => {
  const parse = (parts: ReadonlyArray<FormPart>, lengths: ReadonlyArray<number> = []) =>
    send(form(parts), sent, lengths)

  it("has its texts and its file, in any order of parts", async () => {
    const expected = {
      texts: { kind: "PASSPORT", note: "für Zoë 漢字" },
      file: { name: "scan.pdf", received: "%PDF-1.7" },
      parts: [
        ["file", "scan.pdf", sha256("%PDF-1.7")],
        ["kind", null, sha256("PASSPORT")],
        ["note", null, sha256("für Zoë 漢字")],
      ],
    }
    const note = { name: "note", body: "für Zoë 漢字" }
    expect(await parse([kind, note, file])).toEqual(expected)
    expect(await parse([file, note, kind])).toEqual(expected)
  })

  it("counts the first of repeated parts and ignores unknown ones", async () => {
    const received = await parse([
      { name: "unknown", body: "x".repeat(9000) },
      { name: "other", fileName: "other.bin", body: "y".repeat(3000) },
      kind,
      file,
      { ...file, fileName: "second.pdf", body: "second" },
      { name: "kind", body: "OTHER" },
      { name: "__proto__", body: "polluted" },
    ])
    expect(received).toMatchObject({
      texts: { kind: "PASSPORT" },
      file: { name: "scan.pdf", received: "%PDF-1.7" },
    })
    expect("parts" in received && received.parts.map(([name]) => name)).toEqual([
      "__proto__",
      "file",
      "file",
      "kind",
      "kind",
      "other",
      "unknown",
    ])
  })

  it("tells forms apart by their parts, names of files included, and not by their order or boundary", async () => {
    const digestsOf = (received: Received) => ("parts" in received ? received.parts : received)
    const one = digestsOf(await parse([kind, file]))
    const other = { "content-type": 'multipart/form-data; boundary="another one"' }
    expect(digestsOf(await send(form([file, kind], "another one"), other, []))).toEqual(one)
    for (const changed of [
      [kind, { ...file, body: "%PDF-1.8" }],
      [kind, { ...file, fileName: "other.pdf" }],
      [{ ...kind, body: "NATIONAL_ID" }, file],
      [kind, file, { name: "unknown", body: "" }],
    ]) {
      expect(digestsOf(await parse(changed))).not.toEqual(one)
    }
  })

  it("may have an empty file, or none", async () => {
    expect(await parse([kind, { ...file, body: "" }])).toMatchObject({ file: { received: "" } })
    const without = await parse([kind])
    expect(without).toMatchObject({ texts: { kind: "PASSPORT" } })
    expect("file" in without ? without.file : undefined).toBeUndefined()
  })

  it("may have a file of exactly the limit, and none of one byte more", async () => {
    const received = await parse([kind, { ...file, body: "a".repeat(1000) }])
    expect("file" in received && received.file?.received).toBe("a".repeat(1000))
    expect(await parse([kind, { ...file, body: "a".repeat(1001) }])).toEqual({
      code: "INVALID_REQUEST_FORMAT",
      message: "`file` must have at most 1000 bytes.",
      details: { field: "file", limitBytes: 1000 },
    })
  })

  it("does not need the bytes around its parts", async () => {
    const body = Buffer.concat([
      Buffer.from("a preamble\r\n"),
      form([kind, file]),
      Buffer.from("an epilogue: \u0001\r\n\r\n"),
    ])
    expect(await send(body, sent, [5, 7])).toMatchObject({
      texts: { kind: "PASSPORT" },
      file: { received: "%PDF-1.7" },
    })
  })

  const unended = form([file])
    .toString()
    .replace(`${boundary}--`, `${boundary}\r\nContent-Disposition: form-data; name="`)
  it.each<readonly [string, Uint8Array | string, Record<string, string>]>([
    ["JSON", "{}", { "content-type": "application/json" }],
    ["no content type", "{}", {}],
    ["another multipart type", form([kind]), { "content-type": `multipart/mixed; boundary=${boundary}` }],
    ["no boundary", form([kind]), { "content-type": "multipart/form-data" }],
    ["an empty boundary", form([kind], ""), { "content-type": 'multipart/form-data; boundary=""' }],
    [
      "a boundary of 71 characters",
      form([kind], "b".repeat(71)),
      { "content-type": `multipart/form-data; boundary=${"b".repeat(71)}` },
    ],
    ["another boundary than the body's", form([kind, file], "other"), sent],
    ["compression", form([kind]), { ...sent, "content-encoding": "gzip" }],
    ["an empty body", "", sent],
    ["a boundary in the headers of a part", Buffer.from(`${unended}side\r\n${form([kind]).toString()}`), sent],
    ["a body without its last boundary", form([kind, file]).subarray(0, -4), sent],
    ["a body that breaks off in a file", form([kind, file]).subarray(0, -60), sent],
    ["a body that breaks off in the headers of a part", form([kind, file]).subarray(0, 80), sent],
    ["a part without a name", form([kind, { body: "x" }]), sent],
    ["a part without a disposition", form([kind, { body: "x", disposition: null }]), sent],
    ["a part of another disposition", form([kind, { body: "x", disposition: 'attachment; name="file"' }]), sent],
    ["a disposition with two names", form([{ body: "x", disposition: 'form-data; name="kind"; name="file"' }]), sent],
    ["an invalid header", form([{ ...kind, headers: ["Bad Header: x"] }]), sent],
    ["more than 16 KiB of headers", form([{ ...kind, headers: [`X-Long: ${"x".repeat(20_000)}`] }]), sent],
    ["101 headers of a part", form([{ ...kind, headers: Array.from({ length: 101 }, (_, n) => `X-${n}: x`) }]), sent],
    ["33 parts", form(Array.from({ length: 33 }, () => kind)), sent],
    ["10,000 parts", form(Array.from({ length: 10_000 }, () => kind)), sent],
    ["a text of 8 KiB and one byte", form([{ name: "note", body: "n".repeat(8193) }]), sent],
    ["a text that is not UTF-8", form([{ name: "note", body: Uint8Array.of(0x61, 0xff) }]), sent],
    ["half of a surrogate pair", form([{ name: "note", body: Uint8Array.of(0xed, 0xa0, 0x80) }]), sent],
  ])("is refused for %s", async (_what, body, headers) => {
    const bytes = typeof body === "string" ? Buffer.from(body) : body
    expect(await send(bytes, headers, [10, 1, 50])).toMatchObject({ code: "INVALID_REQUEST_FORMAT" })
  })

  it.each([[10_000], [10, 1, 50]])(
    "of boundaries without parts is refused or empty, in pieces of %i bytes",
    async (...sizes) => {
      const body = Buffer.from(`--${boundary}`.repeat(30) + form([kind]).toString())
      const received = await send(body, sent, sizes)
      if ("code" in received) expect(received.code).toBe("INVALID_REQUEST_FORMAT")
      else expect(received.parts).toEqual([])
    },
  )

  it("is the same however its bytes are cut into pieces", async () => {
    const parts: ReadonlyArray<FormPart> = [
      kind,
      { ...file, body: `\r\n--${boundary.slice(0, -1)}\r\n-\r\r\n----\r\n--${boundary.slice(0, 8)}` },
      { name: "note", body: "\r\n--\r\n" },
    ]
    const whole = await parse(parts)
    expect(whole).toMatchObject({ texts: { note: "\r\n--\r\n" } })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), async (lengths) => {
        expect(await parse(parts, lengths)).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })
})

describe("the body of an upload", () => {
  it("is not read when its declared length is above the limit", async () => {
    let pulled = 0
    const pull = () => {
      pulled += 1
    }
    const stream = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
    const headers = { ...sent, "content-length": String(2 * 1024 * 1024) }
    const request = new Request("http://service.test/", { method: "POST", headers, body: stream, duplex: "half" })
    expect(await Effect.runPromise(receive(HttpServerRequest.fromWeb(request)))).toMatchObject({
      code: "INVALID_REQUEST_FORMAT",
      details: { limitBytes: 1000 },
    })
    expect(pulled).toBe(0)
  })

  it.each([
    ["a file", Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"\r\n\r\n`)],
    ["ignored parts", Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n`)],
    ["a preamble", Buffer.from("")],
    ["an epilogue", form([kind])],
  ])("that never ends is abandoned soon after the limit, in %s", async (_where, start) => {
    let produced = 0
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(start),
      pull: (controller) => {
        produced += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x61))
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const request = new Request("http://service.test/", {
      method: "POST",
      headers: sent,
      body: endless,
      duplex: "half",
    })
    expect(await Effect.runPromise(receive(HttpServerRequest.fromWeb(request)))).toMatchObject({
      details: { limitBytes: 1000 },
    })
    expect(isCancelled).toBe(true)
    expect(produced).toBeLessThan(1_048_576 + 3 * 65_536)
  })

  it("is read no faster than its file is taken", async () => {
    const large = { ...upload, fileBytesMax: 10_000_000 }
    let produced = 0
    let aheadMax = 0
    const start = `--${boundary}\r\nContent-Disposition: form-data; name="file"\r\n\r\n`
    const source = async function* () {
      yield Buffer.from(start)
      for (let n = 0; n < 100; n++) {
        produced += 65_536
        yield new Uint8Array(65_536)
      }
      yield Buffer.from(`\r\n--${boundary}--`)
    }
    const request = new Request("http://service.test/", {
      method: "POST",
      headers: sent,
      body: ReadableStream.from(source()),
      duplex: "half",
    })
    let taken = 0
    const slowly = (bytes: Stream.Stream<Uint8Array, ServiceError>) =>
      Stream.runForEach(bytes, (piece) =>
        Effect.gen(function* () {
          // Gives the source time to run ahead.
          for (let turn = 0; turn < 20; turn++) yield* Effect.promise(() => new Promise(setImmediate))
          aheadMax = Math.max(aheadMax, produced - taken)
          taken += piece.byteLength
        }),
      )
    await Effect.runPromise(formOf(HttpServerRequest.fromWeb(request), large)(slowly))
    expect(taken).toBe(100 * 65_536)
    expect(aheadMax).toBeLessThanOrEqual(4 * 65_536)
  })

  it("gives its bytes back to the budget of bodies", async () => {
    await byNode(form([kind, file]), sent, [30, 30])
    await byNode(form([kind, { ...file, body: "a".repeat(5000) }]), sent, [30, 30])
    expect(budget.total()).toBe(0)
  })

  it("may be left by a receiver that takes only its beginning", async () => {
    const request = new Request("http://service.test/", {
      method: "POST",
      headers: sent,
      body: ReadableStream.from(piecesOf(form([{ ...file, body: "a".repeat(900) }, kind]), [200, 200, 200])),
      duplex: "half",
    })
    const first = (bytes: Stream.Stream<Uint8Array, ServiceError>) => Stream.runHead(bytes)
    const received = await Effect.runPromise(formOf(HttpServerRequest.fromWeb(request), upload)(first))
    expect(received.texts).toEqual(Result.succeed({ kind: "PASSPORT" }))
    expect(received.parts[0]).toEqual(["file", "scan.pdf", sha256("a".repeat(900))])
  })
})
