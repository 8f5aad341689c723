/** Files that are encrypted before a vault stores them: they read back alike, and nothing that happens to the storage goes unnoticed. */
import { mkdtempSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EncryptedVault, FolderVault } from "@countersign/adapter-http"
import { MemoryVault } from "@countersign/adapter-memory"
import { DocumentVault, vaultOf } from "@countersign/core/ports"
import { Effect, Layer, Redacted, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { documentVaultConformance } from "../../../packages/test/src/conformance/index.ts"

const folder = mkdtempSync(join(tmpdir(), "countersign-sealed-"))
afterAll(() => rm(folder, { recursive: true, force: true }))

const keys = (secret: string) => vaultOf(Redacted.make(secret.repeat(8)))
const over = <E>(
  vault: Layer.Layer<DocumentVault, E>,
  encryption: Parameters<typeof EncryptedVault.layer>[0] = "on",
  secret = "one of 8",
) => Layer.provide(EncryptedVault.layer(encryption), Layer.merge(vault, keys(secret)))

documentVaultConformance("encrypted in memory", over(MemoryVault.layer))
documentVaultConformance("encrypted in a folder", over(FolderVault.layer(join(folder, "conformance"))))
documentVaultConformance("in clear, beside encrypted ones", over(MemoryVault.layer, "off"))

const inFolder = FolderVault.layer(folder)
const key = (number: number) => `File-00000000-0000-4000-a000-${String(number).padStart(12, "0")}`
const pathOf = (file: string) => join(folder, file.slice(-2), file)
/** Bytes that differ in each chunk of 64 KiB. */
const bytesOf = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) & 0xff)

const within = <A, E>(
  use: (vault: DocumentVault["Service"]) => Effect.Effect<A, E>,
  layer: ReturnType<typeof over> | typeof inFolder = over(inFolder),
) => DocumentVault.use(use).pipe(Effect.provide(layer, { local: true }), Effect.runPromise)
const store = (file: string, bytes: Uint8Array, layer?: Parameters<typeof within>[1]) =>
  within((vault) => vault.store(file, Stream.make(bytes)), layer)
const read = (file: string, layer?: Parameters<typeof within>[1], from?: number) =>
  within(
    (vault) => Effect.map(Stream.runCollect(vault.read(file, from)), (pieces) => Buffer.concat([...pieces])),
    layer,
  )
const problemOf = (file: string, layer?: Parameters<typeof within>[1], from?: number) =>
  within((vault) => Effect.flip(Stream.runDrain(vault.read(file, from))), layer).then((failure) =>
    failure._tag === "VaultUnavailable" ? String(failure.cause) : failure._tag,
  )

const inClear = "Error: the file was stored without encryption"
const changed = "Error: the bytes of the file were changed, or belong to another key"

describe("what the storage holds", () => {
  it("shows nothing of the file, and differs for the same file under another key", async () => {
    const bytes = new TextEncoder().encode("passport of Ada Lovelace ".repeat(4000))
    await store(key(1), bytes)
    await store(key(2), bytes)
    const [one, other] = await Promise.all([readFile(pathOf(key(1))), readFile(pathOf(key(2)))])
    expect(one.includes("Lovelace")).toBe(false)
    expect(one.byteLength).toBe(other.byteLength)
    expect(one.subarray(16, 48).equals(other.subarray(16, 48))).toBe(false)
  })

  it("differs if a file is stored again under its key", async () => {
    await store(key(3), bytesOf(1000))
    const first = await readFile(pathOf(key(3)))
    await store(key(3), bytesOf(1000))
    expect((await readFile(pathOf(key(3)))).equals(first)).toBe(false)
  })
})

describe("a file whose bytes were changed does not open", () => {
  const size = 3 * 65_536 + 100
  const sealed = 65_536 + 16
  const head = 16
  const flipped = (at: number) => (bytes: Buffer) =>
    bytes.map((byte, index) => (index === at || index === at + bytes.length ? byte ^ 1 : byte))
  const changes: ReadonlyArray<readonly [what: string, change: (bytes: Buffer) => Uint8Array, from?: number]> = [
    ["a bit of its beginning", flipped(12)],
    ["a bit of a chunk", flipped(head + 5)],
    ["a bit of the last tag", flipped(-1)],
    [
      "the order of two chunks",
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, head),
          bytes.subarray(head + sealed, head + 2 * sealed),
          bytes.subarray(head, head + sealed),
          bytes.subarray(head + 2 * sealed),
        ]),
    ],
    [
      "a chunk that is doubled",
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, head + sealed),
          bytes.subarray(head, head + sealed),
          bytes.subarray(head + sealed),
        ]),
    ],
    ["a last chunk that is missing", (bytes) => bytes.subarray(0, head + 3 * sealed)],
    [
      "a last chunk that is missing, read from its position",
      (bytes) => bytes.subarray(0, head + 3 * sealed),
      3 * 65_536,
    ],
    [
      "a first chunk that is missing",
      (bytes) => Buffer.concat([bytes.subarray(0, head), bytes.subarray(head + sealed)]),
    ],
    ["everything behind its beginning", (bytes) => bytes.subarray(0, head)],
    ["half of its last tag", (bytes) => bytes.subarray(0, -8)],
    ["bytes behind its end", (bytes) => Buffer.concat([bytes, Buffer.from("more")])],
  ]

  it.each(changes.map((change, number) => [change[0], number, change] as const))(
    "%s",
    async (_, number, [, change, from]) => {
      const file = key(100 + number)
      await store(file, bytesOf(size))
      await writeFile(pathOf(file), change(await readFile(pathOf(file))))
      expect(await problemOf(file, undefined, from)).toBe(changed)
    },
  )

  it("the bytes of another file", async () => {
    await store(key(4), bytesOf(10))
    await store(key(5), bytesOf(10))
    await writeFile(pathOf(key(4)), await readFile(pathOf(key(5))))
    expect(await problemOf(key(4))).toBe(changed)
  })

  it("a file that was encrypted with another secret", async () => {
    await store(key(6), bytesOf(10))
    expect(await problemOf(key(6), over(inFolder, "on", "8 others"))).toBe(changed)
    expect(await problemOf(key(6), over(inFolder, "new", "8 others"))).toBe(changed)
  })
})

describe("a file that was stored in clear", () => {
  it.each([0, 5, 16, 70_000])("of %i bytes is read with encryption new, and refused with on", async (size) => {
    const file = key(200 + (size % 100))
    await store(file, bytesOf(size), inFolder)
    expect(await problemOf(file)).toBe(inClear)
    expect((await read(file, over(inFolder, "new"))).equals(bytesOf(size))).toBe(true)
    const from = Math.floor(size / 2)
    expect((await read(file, over(inFolder, "new"), from)).equals(bytesOf(size).subarray(from))).toBe(true)
  })

  it("is what encryption off stores, which reads encrypted files as well", async () => {
    const off = over(inFolder, "off")
    await store(key(7), new TextEncoder().encode("in clear"), off)
    expect(await readFile(pathOf(key(7)), "utf8")).toBe("in clear")
    await store(key(8), bytesOf(70_000))
    expect((await read(key(8), off)).equals(bytesOf(70_000))).toBe(true)
  })
})
