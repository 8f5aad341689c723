/**
 * The part of the auditor for documents: none is lost or stored twice, each has the contents of its last replacement, and the vault has
 * the bytes of the existing documents and of nothing else.
 * Source: wire contract areas 1.2.5, 1.2.7 and 1.2.8; D-377, D-378.
 */
import { createHash } from "node:crypto"
import type { DocumentResource } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { isReplaced } from "./AcceptedChange.ts"
import type { Answers } from "./Answers.ts"
import type { Pay } from "./World.ts"

const digest = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")

/** The file that the record of each document names. */
const filesOf = async (pay: Pay, ids: ReadonlyArray<string>) => {
  const records = ids.map((id) => ({ kind: "Document" as const, id }))
  const read = await pay.run(Store.use((store) => store.read({ records })))
  return new Map(ids.map((id) => [id, read.record("Document", id)?.data]))
}

/** `documents`: all that the customer has at the end. */
export const documentProblems = async (
  pay: Pay,
  answers: Answers,
  documents: ReadonlyArray<DocumentResource>,
): Promise<ReadonlyArray<string>> => {
  const ids = new Set<string>(documents.map(({ id }) => id))
  const records = await filesOf(pay, [...ids])
  const kept = new Set<string>()
  const problems: Array<string> = []
  for (const { documentNumber = "", fileName, id } of documents) {
    const versions = answers.documents.get(id)
    if (versions === undefined) problems.push(`${id} exists without a request`)
    if (answers.removed.has(id)) problems.push(`${id} was removed and is there`)
    if (/20[1-6]$/u.test(documentNumber)) problems.push(`${id} was refused for its number and is there`)
    const version = versions?.find((one) => one.fileName === fileName)
    if (version === undefined) {
      problems.push(`${id} has the file ${fileName}, which nobody uploaded for it`)
      continue
    }
    if (isReplaced(version, versions ?? [])) problems.push(`${id} has the file ${fileName}, which was replaced`)
    const { fileId = "", sha256, size } = records.get(id) ?? {}
    if (sha256 !== digest(version.content) || size !== version.content.length)
      problems.push(`${id} has the digest of another file`)
    const key = fileId.replace(":", "-")
    kept.add(key)
    const bytes = pay.outside.files().get(key)
    if (bytes === undefined) problems.push(`${id} has no bytes in the vault`)
    else if (Buffer.concat([...bytes]).toString() !== version.content)
      problems.push(`${id} has other bytes than were uploaded`)
  }
  const lost = [...answers.documents.keys()].filter((id) => !ids.has(id) && !answers.removed.has(id))
  const orphans = [...pay.outside.files().keys()].filter((key) => !kept.has(key))
  return [
    ...problems,
    ...lost.map((id) => `${id} was answered and does not exist`),
    ...orphans.map((key) => `${key} has bytes that no document keeps`),
  ]
}
