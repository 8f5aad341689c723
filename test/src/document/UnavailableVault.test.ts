/** A vault that cannot be reached: uploads are refused without a trace, and erasures are made up for. Source: wire contract areas 1.2.8; D-375. */
import { MemoryVault } from "@countersign/adapter-memory"
import { DocumentVault, VaultUnavailable } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { idOf, passport, person, upload } from "./DocumentHarness.ts"

/** A service with a vault that can be taken away. */
const service = async () => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  const inner = MemoryVault.make({ files })
  const vault = { isDown: false, erasures: 0 }
  const failing = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | VaultUnavailable, R> =>
    Effect.suspend(
      (): Effect.Effect<A, E | VaultUnavailable, R> =>
        vault.isDown ? Effect.fail(new VaultUnavailable({ cause: "the bucket is away" })) : call,
    )
  const ports = Layer.succeed(DocumentVault, {
    store: (key, bytes) => failing(inner.store(key, bytes)),
    read: inner.read,
    erase: (key) => {
      vault.erasures += 1
      return failing(inner.erase(key))
    },
  })
  return { files, pay: await harness({ ports, tape: false }), vault }
}

it("refuses an upload, says so without the cause, and keeps no part of it", async () => {
  const { files, pay, vault } = await service()
  await using _ = pay
  const holder = await person(pay)
  vault.isDown = true
  const refused = await upload(pay, passport(holder))
  expect([refused.status, refused.body]).toEqual([
    503,
    { status: 503, code: "SERVICE_UNAVAILABLE", message: "Files cannot be stored now. Try again." },
  ])
  expect((await pay.send("GET", "/documents")).body).toMatchObject({ data: [] })
  vault.isDown = false
  expect((await upload(pay, passport(holder))).status).toBe(201)
  await pay.clock.advance("1 day")
  expect(files.size).toBe(1)
  expect(pay.log().join("\n")).toContain("the document vault is unavailable")
})

it("erases the bytes of a deleted document as soon as it is back", async () => {
  const { files, pay, vault } = await service()
  await using _ = pay
  const document = await upload(pay, passport(await person(pay)))
  expect(files.size).toBe(1)
  vault.isDown = true
  expect((await pay.send("DELETE", `/documents/${idOf(document)}`)).status).toBe(204)
  await pay.settle()
  expect([files.size, vault.erasures]).toEqual([1, 1])
  vault.isDown = false
  await pay.clock.advance("1 hour")
  expect([files.size, vault.erasures]).toEqual([0, 2])
  await pay.clock.advance("1 day")
  expect(vault.erasures).toBe(2)
})
