/**
 * The vault in an S3-compatible bucket: it is a `DocumentVault`, signs what it sends, repeats what may have failed, and shows no secret.
 * Source: wire contract areas 1.2.8; D-375, D-420.
 */
import { type S3Credentials, S3Vault, type S3VaultOptions } from "@countersign/adapter-s3"
import type { DocumentVault } from "@countersign/core/ports"
import { Effect, Exit, Fiber, Latch, Logger, Redacted, References, Stream } from "effect"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { bucketUrl } from "../../../packages/adapter-s3/src/S3Options.ts"
import { documentVaultConformance } from "../../../packages/test/src/conformance/index.ts"
import { eventually } from "../e2e/Deadline.ts"
import { type Fault, startS3Server } from "./S3Server.ts"

const keys = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "the+secret/access=key",
  sessionToken: "a+token/of=session",
}
const region = "test-region-1"
const server = await startS3Server({ bucket: "papers", keys, region })
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => server.reset())

const credentials: S3Credentials = {
  accessKeyId: keys.accessKeyId,
  secretAccessKey: Redacted.make(keys.secretAccessKey),
  sessionToken: Redacted.make(keys.sessionToken),
}
const options: S3VaultOptions = {
  endpoint: server.endpoint,
  bucket: "papers",
  region,
  credentials,
  timeoutMillis: 2000,
}

documentVaultConformance("in a bucket", S3Vault.layer(options))

const vaultOf = (more: Partial<S3VaultOptions> = {}) => S3Vault.make({ ...options, ...more })
const vault = vaultOf()
const run = Effect.runPromise
/** Builds the vault, as a start does. */
const started = (more: Partial<S3VaultOptions>) =>
  Effect.runPromiseExit(Effect.scoped(Effect.provide(Effect.void, S3Vault.layer({ ...options, ...more }))))
let number = 0
const newKey = () => `File-00000000-0000-4000-9000-${String(++number).padStart(12, "0")}`
const text = (value: string) => Stream.make(new TextEncoder().encode(value))
const read = (from: DocumentVault["Service"], key: string) =>
  Stream.runCollect(from.read(key)).pipe(Effect.map((pieces) => Buffer.concat([...pieces]).toString()))

const mebibyte = 1024 * 1024
/** A file of two parts. */
const large = Stream.range(0, 5).pipe(Stream.map((each) => new Uint8Array(mebibyte).fill(each)))
const largeSize = 6 * mebibyte

const calls = () => server.seen.map(({ call }) => call)
const first = (which: string, fault: Fault) =>
  server.fail((call, times) => (call === which && times === 1 ? fault : undefined))
const always = (which: string, fault: Fault) => server.fail((call) => (call === which ? fault : undefined))

describe("a file in a bucket", () => {
  it("is one signed request if it fits into a part, also without bytes", async () => {
    const [key, empty] = [newKey(), newKey()]
    await run(vault.store(key, text("a document")))
    await run(vault.store(empty, Stream.empty))
    expect(calls()).toEqual(["PUT", "PUT"])
    expect(server.objects.get(key)?.bytes.toString()).toBe("a document")
    expect(server.objects.get(empty)?.bytes.byteLength).toBe(0)
  })

  it("is sent in parts of 5 MiB if it is larger, and takes no more of its bytes than a part", async () => {
    const key = newKey()
    let produced = 0
    let aheadMax = 0
    const counted = Stream.tap(large, (piece) =>
      Effect.sync(() => {
        produced += piece.byteLength
        const sent = server.seen.filter(({ call }) => call.startsWith("PUT part")).length * 5 * mebibyte
        aheadMax = Math.max(aheadMax, produced - sent)
      }),
    )
    await run(vault.store(key, counted))
    expect(calls()).toEqual(["POST uploads", "PUT part 1", "PUT part 2", "POST upload"])
    expect(server.objects.get(key)?.bytes.byteLength).toBe(largeSize)
    expect(aheadMax).toBeLessThanOrEqual(6 * mebibyte)
    expect(server.uploads.size).toBe(0)
  })

  it("lies under the prefix, from which it is read and erased", async () => {
    const prefixed = vaultOf({ prefix: "a/b_" })
    const key = newKey()
    await run(prefixed.store(key, large))
    expect([...server.objects.keys()].filter((each) => each.endsWith(key))).toEqual([`a/b_${key}`])
    expect((await run(read(prefixed, key))).length).toBe(largeSize)
    always("DELETE upload", { code: "AccessDenied" })
    await run(Effect.flip(prefixed.store(newKey(), Stream.concat(large, Stream.fail("broken")))))
    expect(server.uploads.size).toBe(1)
    const [upload] = server.uploads.values()
    server.reset()
    await run(prefixed.erase(upload?.key.slice("a/b_".length) ?? ""))
    expect(server.uploads.size).toBe(0)
    await run(prefixed.erase(key))
    expect(server.objects.has(`a/b_${key}`)).toBe(false)
  })

  it.each([
    ["https://s3.example.com/", "path", "https://s3.example.com/papers"],
    ["https://example.com/storage/s3/", "path", "https://example.com/storage/s3/papers"],
    ["https://s3.example.com:8443", "host", "https://papers.s3.example.com:8443"],
  ] as const)("is addressed in a bucket that the path or the host names: %s by %s", (endpoint, addressing, url) => {
    expect(bucketUrl({ ...options, endpoint, addressing })).toBe(url)
  })

  it.each([
    ["AES256", "AES256" as const],
    ["aws:kms key-1", { kmsKeyId: "key-1" }],
    [undefined, undefined],
  ])("is encrypted by the service as the options say: %s", async (encryption, option) => {
    const encrypting = vaultOf(option === undefined ? {} : { encryption: option })
    const [small, inParts] = [newKey(), newKey()]
    await run(encrypting.store(small, text("x")))
    await run(encrypting.store(inParts, large))
    expect([small, inParts].map((key) => server.objects.get(key)?.encryption)).toEqual([encryption, encryption])
  })

  it("is stored with credentials that are renewed for each request", async () => {
    let asked = 0
    const renewed = vaultOf({
      credentials: Effect.sync(() => {
        asked += 1
        return credentials
      }),
    })
    const key = newKey()
    await run(renewed.store(key, text("x")))
    await run(read(renewed, key))
    expect(asked).toBe(2)
  })

  it("is not stored under a key that is not one of the vault's", async () => {
    for (const use of [vault.store("../other", text("x")), vault.erase("a/b"), read(vault, "")]) {
      expect(Exit.hasDies(await Effect.runPromiseExit(use))).toBe(true)
    }
    expect(server.seen).toEqual([])
  })
})

describe("a request that fails", () => {
  const transient: ReadonlyArray<Fault> = [
    { code: "SlowDown" },
    { code: "InternalError" },
    { answer: { status: 429 } },
    "cut",
    "lost",
  ]
  it.each(transient)("is repeated, and stores the file once: %j", async (fault) => {
    for (const which of ["PUT", "POST uploads", "PUT part 2", "POST upload"]) {
      server.reset()
      first(which, fault)
      const key = newKey()
      const result = await run(vault.store(key, which === "PUT" ? text("x") : large))
      expect([which, calls().filter((call) => call === which).length]).toEqual([which, 2])
      expect(server.objects.get(key)?.bytes.byteLength).toBe(result.size)
      await run(vault.erase(key))
    }
    // The upload whose begin was answered by nobody is erased with the file.
    expect(server.uploads.size).toBe(0)
  })

  it("is repeated if the completion of an upload reports its failure in an answer of 200", async () => {
    const body = '<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>'
    first("POST upload", { answer: { status: 200, body } })
    const key = newKey()
    await run(vault.store(key, large))
    expect(server.objects.get(key)?.bytes.byteLength).toBe(largeSize)
  })

  it.each<readonly [string, Fault]>([
    ["PUT", { code: "SlowDown" }],
    ["PUT", { code: "AccessDenied" }],
    ["PUT", { answer: { status: 307, headers: { location: "http://127.0.0.1:1/" } } }],
    ["PUT", "lost"],
    ["PUT", "hang"],
    ["PUT part 2", { code: "SlowDown" }],
    ["PUT part 2", "cut"],
    ["POST uploads", { answer: { status: 200, body: "<html>" } }],
    ["POST upload", { code: "InvalidPart" }],
    ["POST upload", { code: "NoSuchUpload" }],
  ])("leaves no file and no parts, and the vault is unavailable: %s %j", async (which, fault) => {
    always(which, fault)
    const hanging = vaultOf({ timeoutMillis: 300 })
    const key = newKey()
    const failure = await run(Effect.flip(hanging.store(key, which === "PUT" ? text("x") : large)))
    expect(failure._tag).toBe("VaultUnavailable")
    expect(server.objects.has(key)).toBe(false)
    expect(server.uploads.size).toBe(0)
    server.reset()
    expect((await run(Effect.flip(read(vault, key))))._tag).toBe("BytesMissing")
  })

  it("leaves no parts of a file whose storing is interrupted while a part is sent", async () => {
    const reached = Latch.makeUnsafe()
    server.fail((call) => {
      if (call !== "PUT part 2") return undefined
      Effect.runSync(reached.open)
      return "hang"
    })
    const key = newKey()
    const storing = Effect.runFork(vault.store(key, large))
    await run(reached.await)
    await run(Fiber.interrupt(storing))
    expect(server.uploads.size).toBe(0)
    expect(server.objects.has(key)).toBe(false)
  })
})

describe("a file that is read", () => {
  const stored = async (value = "a document") => {
    const key = newKey()
    await run(vault.store(key, text(value)))
    server.reset()
    return key
  }

  it("is missing if its object does not exist", async () => {
    const key = await stored()
    always("GET", { code: "NoSuchKey" })
    expect((await run(Effect.flip(read(vault, key))))._tag).toBe("BytesMissing")
  })

  it.each<readonly [string, Fault]>([
    ["a bucket that does not exist", { code: "NoSuchBucket" }],
    ["a page that nothing serves", { answer: { status: 404, body: "<html>not found</html>" } }],
    ["a refusal", { code: "AccessDenied" }],
    ["a service that is overloaded", { code: "SlowDown" }],
    ["a service that never answers", "hang"],
    ["a body that breaks off", "half"],
    ["a body that stops", "stall"],
  ])("is unavailable for %s", async (_what, fault) => {
    const key = await stored()
    always("GET", fault)
    expect((await run(Effect.flip(read(vaultOf({ timeoutMillis: 300 }), key))))._tag).toBe("VaultUnavailable")
  })

  it("is read from a position of a service that knows no ranges, too", async () => {
    const key = await stored()
    always("GET", { answer: { status: 200, body: "a document" } })
    const pieces = await run(Stream.runCollect(vault.read(key, 2)))
    expect(Buffer.concat([...pieces]).toString()).toBe("document")
    expect(server.seen.map(({ headers }) => headers.range)).toEqual(["bytes=2-"])
  })

  it("is asked for again when the service is overloaded for a moment", async () => {
    const key = await stored()
    first("GET", { code: "SlowDown" })
    expect(await run(read(vault, key))).toBe("a document")
  })

  it("gives up the connection of a reader that stops early", async () => {
    const key = await stored("x".repeat(20 * mebibyte))
    await run(Stream.runDrain(Stream.take(vault.read(key), 1)))
    await eventually("no answer is sent", server.open, (open) => open === 0)
  })
})

describe("a file that is erased", () => {
  it("is erased where the service has no list of incomplete uploads, too", async () => {
    const key = newKey()
    await run(vault.store(key, text("x")))
    always("GET uploads", { code: "NotImplemented" })
    await run(vault.erase(key))
    expect(server.objects.has(key)).toBe(false)
  })

  it.each<readonly [string, Fault]>([
    ["GET uploads", { code: "SlowDown" }],
    ["DELETE", { code: "AccessDenied" }],
  ])("is not taken as erased when the service refuses %s", async (which, fault) => {
    const key = newKey()
    await run(vault.store(key, text("x")))
    always(which, fault)
    expect((await run(Effect.flip(vault.erase(key))))._tag).toBe("VaultUnavailable")
    expect(server.objects.has(key)).toBe(true)
  })

  it("is logged in a bucket that keeps versions", async () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => lines.push(String(message)))
    always("DELETE", { answer: { status: 204, headers: { "x-amz-delete-marker": "true" } } })
    await run(Effect.provide(vault.erase(newKey()), Logger.layer([logger])))
    expect(lines).toEqual([expect.stringContaining("the bucket keeps versions")])
  })
})

describe("the credentials of a bucket", () => {
  const secrets = [keys.secretAccessKey, keys.sessionToken, keys.accessKeyId, "Signature=", "AWS4"]
  const refusals: ReadonlyArray<Partial<S3VaultOptions>> = [
    { credentials: { ...credentials, secretAccessKey: Redacted.make("another secret") } },
    { credentials: { ...credentials, accessKeyId: "AKIDOTHER" } },
    { region: "elsewhere" },
    { bucket: "missing" },
  ]
  it.each(refusals)("are refused at the start, and the error does not contain them: %j", async (more) => {
    const exit = await started(more)
    expect(String(exit)).toMatch(/the bucket \w+ cannot be used: GET was answered with 40[34]: \w+/u)
    for (const secret of secrets) expect(JSON.stringify(exit) + String(exit)).not.toContain(secret)
  })

  it("are not sent to an address to which the service redirects, nor are the bytes", async () => {
    await using other = await startS3Server({ bucket: "papers", keys, region })
    const headers = { location: `${other.endpoint}/papers/elsewhere` }
    server.fail((call) => (call === "GET" || call === "PUT" ? { answer: { status: 307, headers } } : undefined))
    await run(Effect.flip(vault.store(newKey(), text("x"))))
    await run(Effect.flip(read(vault, newKey())))
    expect(other.seen).toEqual([])
  })

  it("do not reach a log or an error", async () => {
    always("PUT", { code: "AccessDenied" })
    const lines: Array<string> = []
    const logger = Logger.make(({ cause, message }) => lines.push(JSON.stringify([message, cause]), String(cause)))
    await vault.store(newKey(), text("x")).pipe(
      Effect.tapCause((cause) => Effect.logError("failed", cause)),
      Effect.exit,
      Effect.tap((exit) => Effect.sync(() => lines.push(JSON.stringify(exit), String(exit)))),
      Effect.provide(Logger.layer([logger])),
      Effect.provideService(References.MinimumLogLevel, "All"),
      run,
    )
    expect(lines.join()).toContain("AccessDenied")
    for (const secret of secrets) expect(lines.join()).not.toContain(secret)
  })

  it("are not needed at a start while nobody answers", async () => {
    expect(Exit.isSuccess(await started({ endpoint: "http://127.0.0.1:1" }))).toBe(true)
  })

  it.each<readonly [Partial<S3VaultOptions>, RegExp]>([
    [{ endpoint: "s3.example.com" }, /`endpoint`/u],
    [{ endpoint: "https://user:password@s3.example.com" }, /`endpoint`/u],
    [{ bucket: "A/B" }, /`bucket`/u],
    [{ prefix: "../" }, /`prefix`/u],
    [{ region: "" }, /`region`/u],
  ])("are not sent anywhere with options that are not valid: %j", async (more, said) => {
    const exit = await started(more)
    expect(String(exit)).toMatch(said)
    expect(String(exit)).not.toContain("password@")
    expect(server.seen).toEqual([])
  })
})
