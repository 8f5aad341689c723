/**
 * Uploads that take longer than the service keeps files that no record needs: nothing of them stays.
 * Source: wire contract areas 1.2.8 (commit order); D-377, D-424.
 */
import { MemoryVault } from "@countersign/adapter-memory"
import { DocumentVault } from "@countersign/core/ports"
import { Layer } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { formHead, passport, person } from "./DocumentHarness.ts"

/** Sends the beginning of a document, and its end when it is released. */
const beginUpload = async () => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  const pay = await harness({ ports: Layer.succeed(DocumentVault, MemoryVault.make({ files })), tape: false })
  const { boundary, head } = formHead(passport(await person(pay)))
  const { promise: reached, resolve: reach } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(Buffer.from(`${head}%PDF-1.7 the first bytes`)),
      // The service asks for more once it has taken the beginning.
      pull: reach,
    },
    { highWaterMark: 0 },
  )
  const { clientId, clientSecret } = pay.credentials
  const init = {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
    body,
    duplex: "half" as const,
  }
  const sending = pay.fetch(`${pay.baseUrl}/documents`, init)
  const sender = await reached
  // The record of the file is committed in later turns.
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
  const release = () => {
    sender.enqueue(Buffer.from(` and the last ones\r\n--${boundary}--\r\n`))
    sender.close()
  }
  return { files, pay, sending, release }
}

const checkRefused = async ({ files, pay, sending }: Awaited<ReturnType<typeof beginUpload>>) => {
  const answer = await sending
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { code: "INVALID_REQUEST_FORMAT", details: { field: "file", limitSeconds: 3000 } },
  ])
  await pay.settle()
  expect(files.size).toBe(0)
  expect((await pay.send("GET", "/documents")).body).toMatchObject({ totalCount: 0 })
}

it("a file whose last bytes do not arrive within 50 minutes is refused, and erased", async () => {
  const upload = await beginUpload()
  await upload.pay.clock.advance({ minutes: 50 })
  await checkRefused(upload)
})

it("a file whose last bytes arrive after a sandbox's clock was moved past its sweep is refused, and erased again", async () => {
  const upload = await beginUpload()
  const moved = await upload.pay.send("POST", "/sandbox/clock/advance", { body: { seconds: 7200 } })
  expect(moved.status).toBe(200)
  await upload.pay.settle()
  upload.release()
  await checkRefused(upload)
})
