/**
 * A short history of documents: one is uploaded and replaced, another is uploaded and deleted, and the vault ends with the bytes of the
 * record that exists.
 * Source: wire contract areas 1.2.8.
 */
import { createHash } from "node:crypto"
import { MemoryVault } from "@countersign/adapter-memory"
import { PostgresVault } from "@countersign/adapter-postgres"
import { Documents, type IncomingForm } from "@countersign/core"
import { DocumentVault } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer, Result, Stream } from "effect"
import { expect } from "vitest"
import type { AgentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { TestDatabase } from "../adapter-postgres/TestDatabase.ts"
import type { Retry } from "./PlatformHistory.ts"

/** A vault whose keys a test can list, those of partly stored bytes included. */
export interface ListedVault {
  readonly layer: Layer.Layer<DocumentVault>
  readonly keys: () => Promise<ReadonlyArray<string>>
}

export const memoryVault = (): ListedVault => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  return { layer: Layer.succeed(DocumentVault, MemoryVault.make({ files })), keys: async () => [...files.keys()] }
}

export const postgresVault = (database: Promise<TestDatabase>): ListedVault => ({
  layer: Layer.unwrap(Effect.promise(async () => PostgresVault.layer({ connection: (await database).connection }))),
  keys: async () => {
    const text = "select key from countersign.vault_file union select key from countersign.vault_chunk"
    const keys = await (await database).connection.query({ text, values: [] })
    return keys.filter((key) => key !== null)
  },
})

const replacement = "%PDF-1.7 the replacement"

const form =
  <T>(texts: T, content: string): IncomingForm<T> =>
  (receive) =>
    Effect.map(receive(Stream.make(new TextEncoder().encode(content))), (received) => ({
      texts: Result.succeed(texts),
      file: { name: "scan.pdf", received },
      parts: [["file", "scan.pdf", createHash("sha256").update(content).digest("hex")]],
    }))

const texts = { documentType: "PASSPORT", country: "US" } as const

const upload = async (pay: AgentWorld, content: string, retry: Retry): Promise<string> => {
  const incoming = form({ documentHolder: pay.customerId, ...texts }, content)
  const key = { key: content, method: "POST", path: "/documents" }
  return (await retry(() => pay.run(Documents.use((all) => all.upload(incoming, key))))).body.id
}

/** Uploads, replaces and deletes; returns the id of the document that exists at the end. */
export const begin = async (pay: AgentWorld, retry: Retry): Promise<string> => {
  const kept = await upload(pay, "%PDF-1.7 the first", retry)
  await retry(() => pay.run(Documents.use((all) => all.replace(kept, form(texts, replacement)))))
  const deleted = await upload(pay, "%PDF-1.7 the second", retry)
  await retry(() => pay.run(Documents.use((all) => all.remove(deleted))))
  return kept
}

/** Asserts that one document exists, and that the vault has its bytes and nothing else. */
export const checkEnd = async (pay: AgentWorld, vault: ListedVault, kept: string): Promise<void> => {
  const listed = await pay.run(Documents.use((all) => all.list({})))
  expect(listed.data.map(({ id }) => id)).toEqual([kept])
  const read = Store.use((store) => store.read({ records: [{ kind: "Document", id: kept }] }))
  const document = (await pay.run(read)).record("Document", kept)?.data
  expect(document).toMatchObject({
    size: replacement.length,
    sha256: createHash("sha256").update(replacement).digest("hex"),
  })
  const [key = "", ...others] = await vault.keys()
  expect(others).toEqual([])
  expect(key).toBe(document?.fileId?.replace(":", "-"))
  const bytes = await pay.run(Stream.runCollect(Stream.unwrap(DocumentVault.useSync((port) => port.read(key)))))
  expect(Buffer.concat([...bytes]).toString()).toBe(replacement)
}
