/**
 * The auditor finds each problem of quotes, documents and stablecoins in a run that was corrupted for it.
 * Source: wire contract areas 1.2, 1.6 and 3.1 to 3.3; D-418.
 */
import { describe, it } from "vitest"
import type { Body } from "./Answers.ts"
import { answering, finds, findsIn, listed, unheard, withBody, withInstructions, withOutside } from "./Corruptions.ts"
import type { ReceivedInstruction } from "./Outside.ts"

const twice = (one: ReceivedInstruction) => [one, one]
const never = () => []
const more = (one: ReceivedInstruction) => [{ ...one, amount: one.amount + 1 }]

describe("the auditor of quotes", { timeout: 120_000 }, () => {
  it("finds a quote that was pulled twice, never, or for another amount", async () => {
    const findsInQuotes = findsIn("quotes")
    await findsInQuotes(
      withInstructions(["pull"], twice),
      /the pull of Quote:\S+ was instructed 2 times/u,
      /Quote:\S+ is \w+ and was pulled: (\d+) \1/u,
    )
    await findsInQuotes(withInstructions(["pull"], never), /Quote:\S+ is \w+ and was pulled: never/u)
    await findsInQuotes(withInstructions(["pull"], more), /Quote:\S+ is \w+ and was pulled: \d+$/mu)
  })

  it("finds a payment that its rail was instructed to make twice", async () => {
    await finds(withInstructions(["push"], twice), /the push of Transaction:\S+ was instructed 2 times/u)
  })

  it("finds a quote that contradicts its magic values, and one that was executed without an effect", async () => {
    const become = (status: string) =>
      listed(/^\/transactions\?/u, (each) => [each["quoteId"] === undefined ? each : { ...each, status }])
    await finds(become("FAILED"), /Quote:\S+ ended as FAILED, whatever its magic values say: COMPLETED/u)
    await finds(become("EXPIRED"), /Quote:\S+ was executed and is EXPIRED/u)
  })
})

describe("the auditor of documents", { timeout: 120_000 }, () => {
  const documents = /^\/documents\?/u

  it("finds a document that is lost, and one that exists without a request", async () => {
    const isUpload = (method: string, path: string) => method === "POST" && path === "/documents"
    const renamed = answering(isUpload, (reply) =>
      reply.status === 201 ? withBody(reply, { id: "Document:never" }) : reply,
    )
    await finds(renamed, /Document:never was answered and does not exist/u, /Document:\S+ exists without a request/u)
  })

  it("finds a document that exists in spite of its removal, or of its refusal", async () => {
    const removed = unheard("DELETE", /^\/documents\//u, { status: 204, body: undefined })
    await finds(removed, /Document:\S+ was removed and is there/u)
    const refused = listed(documents, (each) => [{ ...each, documentNumber: "A12201" }])
    await finds(refused, /Document:\S+ was refused for its number and is there/u)
  })

  it("finds a document whose replacement is lost, and one with the file of another", async () => {
    const isReplacement = (method: string, path: string) => method === "PUT" && path.startsWith("/documents/")
    const refusal = { status: 400, body: { code: "INVALID_INPUT" } }
    const hidden = answering(isReplacement, (reply) => (reply.status === 200 ? { ...reply, ...refusal } : reply))
    await finds(hidden, /Document:\S+ has the file \S+, which nobody uploaded for it/u)
    const forgotten = unheard("PUT", /^\/documents\//u, { status: 200, body: {} })
    await finds(forgotten, /Document:\S+ has the file \S+, which was replaced/u)
  })

  it("finds bytes that are lost, changed, or kept by no document", async () => {
    type Files = ReturnType<Parameters<Parameters<typeof withOutside>[0]>[0]["files"]>
    const withFiles = (corrupt: (files: Files) => Files) =>
      withOutside(({ files }) => ({ files: () => corrupt(files()) }))
    await finds(
      withFiles(() => new Map()),
      /Document:\S+ has no bytes in the vault/u,
    )
    const other = [new TextEncoder().encode("%PDF-1.7 another file")]
    await finds(
      withFiles((files) => new Map([...files.keys()].map((key) => [key, other]))),
      /Document:\S+ has other bytes than were uploaded/u,
    )
    await finds(
      withFiles((files) => new Map([...files, ["File-never", other]])),
      /File-never has bytes that no document keeps/u,
    )
  })

  it("finds a record with the digest of another file", async () => {
    await finds((pay) => {
      const { run } = pay
      Object.assign(pay, {
        run: async (...asked: Parameters<typeof run>) => {
          const answer = await run(...asked)
          if (typeof answer !== "object" || answer === null || !("record" in answer)) return answer
          const { record } = answer as { readonly record: (kind: string, id: string) => Body | undefined }
          const corrupted = (kind: string, id: string) => {
            const found = record(kind, id)
            return kind === "Document" && found !== undefined
              ? { ...found, data: { ...(found["data"] as Body), sha256: "0" } }
              : found
          }
          return { ...answer, record: corrupted }
        },
      })
    }, /Document:\S+ has the digest of another file/u)
  })
})

describe("the auditor of stablecoins", { timeout: 120_000 }, () => {
  const operations = /^\/stablecoins\/[^/]+\/operations\?/u

  it("finds a mint or burn that was begun twice, never, or with another amount", async () => {
    const kinds = ["mint", "burn"] as const
    await finds(
      withInstructions(kinds, twice),
      /the mint of StablecoinOperation:\S+ was instructed 2 times/u,
      /the burn of StablecoinOperation:\S+ was instructed 2 times/u,
      /StablecoinOperation:\S+ was begun 2 times at its provider/u,
    )
    await finds(withInstructions(kinds, never), /StablecoinOperation:\S+ was begun 0 times at its provider/u)
    await finds(withInstructions(kinds, more), /StablecoinOperation:\S+ was begun with another amount or direction/u)
    const turned = withInstructions(["mint"], (one) => [{ ...one, kind: "burn" }])
    await finds(turned, /StablecoinOperation:\S+ was begun with another amount or direction/u)
  })

  it("finds a mint that is lost, hidden, or exists without a request", async () => {
    const hidden = listed(operations, () => [])
    await finds(
      hidden,
      /StablecoinOperation:\S+ was answered and does not exist/u,
      /StablecoinOperation:\S+ was begun at its provider and is not shown/u,
    )
    const twin = listed(operations, (each) => [each, { ...each, id: "StablecoinOperation:twin" }])
    await finds(twin, /StablecoinOperation:twin exists without a request/u)
  })

  it("finds an end that contradicts the provider", async () => {
    const ended = (status: string) => listed(operations, (each) => [{ ...each, status }])
    await finds(ended("PROCESSING"), /StablecoinOperation:\S+ ended as PROCESSING, and its provider said COMPLETED/u)
    await finds(ended("COMPLETED"), /StablecoinOperation:\S+ ended as COMPLETED \w+, and its provider said FAILED/u)
    const reason = listed(operations, (each) => [{ ...each, failureReason: "OTHER" }])
    await finds(reason, /StablecoinOperation:\S+ ended as FAILED OTHER, and its provider said FAILED \w+/u)
  })
})
