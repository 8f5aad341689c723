/**
 * The places of `--documents`: an upload to a running server is stored there, erased there, and an import reads it from there.
 * Source: wire contract areas 1.2.8, 1.5.5; D-421.
 */
import { randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startS3Server } from "../adapter-s3/S3Server.ts"
import { people } from "../bulk/ImportHarness.ts"
import { passport, pdfText } from "../document/DocumentHarness.ts"
import { type Send, textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { credentialOptions, newCustomer, platformAt } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { newDatabase } from "./ServerDatabase.ts"
import { run, startServer } from "./ServerProcess.ts"

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: randomBytes(20).toString("base64") }
const bucket = await startS3Server({ bucket: "papers", region: "test-1", keys })
afterAll(() => bucket[Symbol.asyncDispose]())

const bucketOptions = ["--documents", "s3:papers", "--s3-endpoint", bucket.endpoint, "--s3-region", "test-1"]
const bucketKeys = {
  COUNTERSIGN_S3_ACCESS_KEY_ID: keys.accessKeyId,
  COUNTERSIGN_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
}

const upload = async (send: Send) => {
  const { customerId } = await newCustomer(send)
  const body = new FormData()
  for (const [name, part] of Object.entries(passport(customerId))) if (part !== undefined) body.append(name, part)
  const reply = await send("POST", "/documents", { body })
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return textAt(reply, "id")
}

/** Uploads a document and imports customers; the bytes are in the place, and erased with the document and at the end of the import. */
const provePlace = async (send: Send, stored: () => Promise<ReadonlyArray<string>>, form: unknown = pdfText) => {
  const documentId = await upload(send)
  expect(await stored()).toEqual([form])
  const { umaDomain } = (await send("GET", "/config")).body
  const body = new FormData()
  body.append("file", new File([people(3).replaceAll("DOMAIN", String(umaDomain))], "customers.csv"))
  const jobId = textAt(await send("POST", "/customers/bulk/csv", { body }), "jobId")
  await eventually(
    "the import",
    async () => (await send("GET", `/customers/bulk/jobs/${jobId}`)).body["status"],
    (status) => status === "COMPLETED",
  )
  expect((await send("DELETE", `/documents/${documentId}`)).status).toBe(204)
  await eventually("erased files", stored, (files) => files.length === 0)
}

describe("documents", { timeout: 120_000 }, () => {
  it.each([
    ["in clear", [], pdfText],
    ["encrypted", ["--documents-encryption", "on"], expect.not.stringContaining("PDF")],
  ])("are stored in a folder, %s", async (_, encryption, form) => {
    await using folder = await newFolder()
    const path = join(folder.path, "documents")
    const places = ["--documents", `folder:${path}`, "--store", `pglite:${join(folder.path, "db")}`]
    await using server = await startServer({ options: [...credentialOptions, ...places, ...encryption] })
    expect(server.printed("documents")).toBe(path)
    await provePlace(
      platformAt(server.base),
      async () => {
        const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
        // A file that is erased between the list and the read is not stored any more.
        const erased = (error: unknown): ReadonlyArray<string> => {
          if (Object(error).code === "ENOENT") return []
          throw error
        }
        const read = async (file: string) => [await readFile(file, "utf8")]
        return (
          await Promise.all(files.map(({ name, parentPath }) => read(join(parentPath, name)).catch(erased)))
        ).flat()
      },
      form,
    )
  })

  it("are stored in a bucket, by two processes of one database, and no output contains its keys", async () => {
    await using database = await newDatabase()
    const options = [...credentialOptions, ...database.options, ...bucketOptions]
    await using api = await startServer({ options: [...options, "--role", "api"], env: bucketKeys })
    await using worker = await startServer({ options: [...options, "--role", "worker"], env: bucketKeys })
    expect(api.printed("documents")).toBe(`bucket papers of ${bucket.endpoint}`)
    await provePlace(platformAt(api.base), async () =>
      [...bucket.objects.values()].map(({ bytes }) => bytes.toString()),
    )
    bucket.fail((call) => (call === "PUT" ? { code: "AccessDenied" } : undefined))
    const { customerId } = await newCustomer(platformAt(api.base))
    const body = new FormData()
    for (const [name, part] of Object.entries(passport(customerId))) if (part !== undefined) body.append(name, part)
    const refused = await platformAt(api.base)("POST", "/documents", { body })
    bucket.reset()
    expect([refused.status, refused.body["code"]]).toEqual([503, "SERVICE_UNAVAILABLE"])
    const output = [api, worker].map((server) => server.stdout() + server.stderr()).join("")
    expect(output).toContain("AccessDenied")
    for (const key of [...Object.values(keys), "Signature="]) expect(output).not.toContain(key)
  })

  it("are stored in the database of the store", async () => {
    await using database = await newDatabase()
    await using server = await startServer({
      options: [...credentialOptions, ...database.options, "--documents", "postgres"],
    })
    expect(server.printed("documents")).toBe("in the store")
    await provePlace(platformAt(server.base), async () => {
      const query =
        "select convert_from(bytes, 'UTF8') as text from countersign.vault_file join countersign.vault_chunk using (key)"
      return (await database.pool.query(query)).rows.map((row) => String((row as { readonly text: unknown }).text))
    })
  })

  it("do not start with a bucket that refuses the keys, or with a folder that is a file", async () => {
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [
        bucketOptions.with(1, "s3:missing"),
        /the bucket missing cannot be used: GET was answered with 404: NoSuchBucket/u,
      ],
      [
        ["--documents", "folder:/dev/null/documents"],
        /the folder \/dev\/null\/documents of --documents cannot be used/u,
      ],
    ]
    for (const [options, said] of refusals) {
      const isBucket = options !== refusals[1]?.[0]
      await using server = run({ options: ["--port", "0", ...options], env: isBucket ? bucketKeys : {} })
      expect([(await server.exited).code, server.stderr()]).toEqual([3, expect.stringMatching(said)])
      expect(server.stderr()).not.toContain(keys.secretAccessKey)
    }
  })
})
