/**
 * Actions on documents: uploads, replacements and deletions, now and then with a number that the provider refuses.
 * Source: wire contract areas 1.2.
 */
import type { Send } from "@countersign/test"
import { contentType, form } from "../document/Forms.ts"
import type { DocumentVersion } from "./Answers.ts"
import { anyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"

/** The numbers that the provider refuses. */
const refused = ["201", "202", "203", "204", "205", "206"] as const

/** A form with a new file; the name and the contents of each are unique. */
const newFile = ({
  name,
  random,
  pay,
}: Client): { readonly send: Send; readonly fileName: string; readonly content: string } => {
  const fileName = `${name()}.pdf`
  const content = `%PDF-1.7 ${fileName} ${"x".repeat(random.below(300))}`
  const texts = {
    documentHolder: pay.customerId,
    documentType: "PASSPORT",
    country: "US",
    documentNumber: `A12${random.once(4) ? random.pick(refused) : "000"}`,
  }
  const parts = [
    { name: "file", fileName, body: content },
    ...Object.entries(texts).map(([part, body]) => ({ name: part, body })),
  ]
  return { send: { headers: { "content-type": contentType }, body: form(parts).toString() }, fileName, content }
}

/** Sends a new file, and returns it with the times of its request if it was accepted. */
const sent = async <A>(client: Client, request: (send: Send) => Promise<A | undefined>) => {
  const { answers } = client
  const { content, fileName, send } = newFile(client)
  const begunAt = answers.requests
  const accepted = await request(send)
  const version: DocumentVersion = { fileName, content, begunAt, endedAt: answers.requests }
  return accepted === undefined ? undefined : { accepted, version }
}

const anyDocument = ({ answers, random }: Client) => anyOf(random, answers.documents.keys())

export const documentActions: ClientActions = {
  document: {
    weight: 4,
    run: async (client) => {
      const made = await sent(client, (send) => client.keyed("/documents", send))
      if (made === undefined) return false
      const id = String(made.accepted["id"])
      client.answers.documents.set(id, [...(client.answers.documents.get(id) ?? []), made.version])
      return true
    },
  },
  "document replaced": {
    weight: 3,
    run: async (client) => {
      const id = anyDocument(client)
      if (id === undefined) return undefined
      const made = await sent(client, async (send) => {
        const reply = await client.insist("PUT", `/documents/${id}`, send)
        return isDone(reply) ? true : undefined
      })
      if (made !== undefined) client.answers.documents.get(id)?.push(made.version)
      return made !== undefined
    },
  },
  "document deleted": {
    weight: 1,
    run: async (client) => {
      const id = anyDocument(client)
      if (id === undefined) return undefined
      client.answers.removed.add(id)
      await client.insist("DELETE", `/documents/${id}`)
      return true
    },
  },
}
