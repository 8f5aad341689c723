/**
 * Decides the life of an uploaded file: its record is committed before its bytes are stored, so that bytes that no record keeps are found
 * and erased, whatever ends the process.
 * Source: wire contract areas 1.2.8 (commit order, deletion); D-377.
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { FileMachine } from "../../model/file/FileMachine.ts"
import type { StoredFile } from "../../model/file/StoredFile.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

/** Business time (ms) after which a file that no record keeps is erased. */
const sweepMillis = 60 * 60 * 1000

/** Inserts a file whose bytes are about to be stored. */
export const beginFile =
  (fileId: string, platformId: string) =>
  (_: unknown, { ids, now }: DecisionContext): Decision<Stored<"StoredFile">> => {
    const owner: Owner = { platformId, customerId: null }
    const data: StoredFile = { status: FileMachine.follow(null, "Receive").state }
    const sweep = job(ids, "file.sweep", { customerId: null, dueAt: now + sweepMillis, payload: { fileId } })
    return answer(
      201,
      Changes.insertedRecord("StoredFile", fileId, owner, data, now),
      Changes.combine(Changes.insert("StoredFile", fileId, owner, data), { jobs: [sweep] }),
    )
  }

/** Keeps the file of a record that the same commit writes. A file that was swept meanwhile makes the commit a conflict. */
export const keepFile = (file: Stored<"StoredFile">): Changes.Changes =>
  Changes.update(file, { status: FileMachine.follow(file.data.status, "Keep").state })

/** Erases the bytes of files whose records end in the same commit. */
export const eraseFiles = (ids: IdSource, now: number, fileIds: ReadonlyArray<string>): Changes.Changes =>
  fileIds.length === 0
    ? {}
    : { jobs: [job(ids, "file.erase", { customerId: null, dueAt: now, payload: { fileIds: [...fileIds] } })] }

/** Abandons a file that no record keeps; any other stays as it is. */
export const abandonFile =
  (finishing: Changes.Changes = {}) =>
  ({ file }: { readonly file: Stored<"StoredFile"> | undefined }, { ids, now }: DecisionContext): Decision<null> => {
    if (file === undefined || !FileMachine.allows(file.data.status, "Abandon")) return answer(200, null, finishing)
    const data = { status: FileMachine.follow(file.data.status, "Abandon").state }
    return answer(200, null, Changes.combine(finishing, Changes.update(file, data), eraseFiles(ids, now, [file.id])))
  }

/** Records that the bytes of the files are erased. */
export const eraseDone =
  (finishing: Changes.Changes) =>
  (files: ReadonlyArray<Stored<"StoredFile">>): Decision<null> =>
    answer(
      200,
      null,
      Changes.combine(
        finishing,
        ...files
          .filter(({ data }) => FileMachine.allows(data.status, "Erase"))
          .map((file) => Changes.update(file, { status: FileMachine.follow(file.data.status, "Erase").state })),
      ),
    )
