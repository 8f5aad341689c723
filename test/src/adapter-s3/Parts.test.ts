/** The documents of uploads in parts, which quote what the service names. Source: D-420. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import * as MultipartUpload from "../../../packages/adapter-s3/src/MultipartUpload.ts"
import type { S3Answer, S3Request, S3Requests } from "../../../packages/adapter-s3/src/S3Requests.ts"

/** A bucket that gives these answers, and notes what it was asked. */
const bucket = (...answers: ReadonlyArray<Partial<S3Answer>>) => {
  const asked: Array<S3Request> = []
  const next = answers.values()
  const requests: S3Requests = {
    call: (request) => {
      asked.push(request)
      const { headers = new Headers(), status = 200, text = "" } = next.next().value ?? {}
      return Effect.succeed({ headers, status, text })
    },
    open: () => Effect.die("not asked"),
  }
  return { asked, requests }
}

const upload = (id: string) => `<Upload><UploadId>${id}</UploadId></Upload>`

it("an id is read with its entities, and an unknown entity stays", async () => {
  const { asked, requests } = bucket({ text: upload("a&lt;&gt;&amp;&quot;&apos;&nbsp;b") })
  expect(await Effect.runPromise(MultipartUpload.begin(requests, "k", { a: "b" }))).toBe(`a<>&"'&nbsp;b`)
  expect(asked).toEqual([{ method: "POST", key: "k", query: { uploads: "" }, headers: { a: "b" } }])
})

it("a part has its number, and its tag is that of the answer", async () => {
  const { asked, requests } = bucket({ headers: new Headers({ etag: '"tag"' }) })
  const body = new Uint8Array([1])
  expect(await Effect.runPromise(MultipartUpload.sendPart(requests, "k", "id", 7, body))).toBe('"tag"')
  expect(asked).toEqual([{ method: "PUT", key: "k", query: { partNumber: "7", uploadId: "id" }, body }])
})

it("parts are named from 1, with their tags escaped", async () => {
  const { asked, requests } = bucket({})
  await Effect.runPromise(MultipartUpload.complete(requests, "k", "id", ['"<a>"', "b&c"], 9))
  const parts = [`"&lt;a&gt;"`, "b&amp;c"].map(
    (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  )
  const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
  expect(asked).toEqual([{ method: "POST", key: "k", query: { uploadId: "id" }, body, accepts: [404] }])
})

it.each([
  ["an id", (requests: S3Requests) => MultipartUpload.begin(requests, "k", {}), "POST was not answered: NoUploadId"],
  [
    "a tag",
    (requests: S3Requests) => MultipartUpload.sendPart(requests, "k", "id", 1, new Uint8Array()),
    "PUT was not answered: NoTag",
  ],
] as const)("an answer without %s is a failure", async (_, ask, message) => {
  const failure: { readonly message: string } = await Effect.runPromise(
    Effect.flip<unknown, { readonly message: string }, never>(ask(bucket({}).requests)),
  )
  expect(failure.message).toBe(message)
})

it.each([
  ["is found with its size", { headers: new Headers({ "content-length": "9" }) }, undefined],
  ["is found with another size", { headers: new Headers({ "content-length": "8" }) }, "NoSuchUpload"],
  ["is not found", { status: 404, headers: new Headers({ "content-length": "9" }) }, "NoSuchUpload"],
] as const)("an upload that is gone was completed before if its object %s", async (_, found, code) => {
  const { asked, requests } = bucket({ status: 404 }, found)
  const ended = await Effect.runPromise(Effect.result(MultipartUpload.complete(requests, "k", "id", [], 9)))
  expect(ended._tag === "Failure" ? ended.failure : undefined).toEqual(
    code === undefined ? undefined : expect.objectContaining({ method: "POST", status: 404, code }),
  )
  expect(asked[1]).toEqual({ method: "HEAD", key: "k", accepts: [404] })
})

it("all uploads of a key are ended, unless the service has no list of them", async () => {
  const { asked, requests } = bucket({ text: upload("a") + upload("b") })
  await Effect.runPromise(MultipartUpload.abortAll(requests, "k", "p/"))
  expect(asked).toEqual([
    { method: "GET", key: "", query: { uploads: "", prefix: "p/k" }, accepts: [501] },
    ...["a", "b"].map((uploadId) => ({ method: "DELETE", key: "k", query: { uploadId }, accepts: [404] })),
  ])
  const none = bucket({ status: 501, text: upload("a") })
  await Effect.runPromise(MultipartUpload.abortAll(none.requests, "k", "p/"))
  expect(none.asked).toHaveLength(1)
})
