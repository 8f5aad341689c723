/**
 * Decides the life of an uploaded file: its record is committed before its bytes are stored, so that bytes that no record keeps are found
 * and erased, whatever ends the process.
 * Source: wire contract areas 1.2.8 (commit order, deletion); D-377.
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { FileMachine } from "../../model/file/FileMachine.ts"
import { type StoredFile, sweepMillis } from "../../model/file/StoredFile.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

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

interface Loaded {
  readonly file: Stored<"StoredFile"> | undefined
}

const abandoned = (file: Stored<"StoredFile">, { ids, now }: DecisionContext): Changes.Changes =>
  Changes.combine(
    Changes.update(file, { status: FileMachine.follow(file.data.status, "Abandon").state }),
    eraseFiles(ids, now, [file.id]),
  )

/** Abandons a file that no record keeps, an hour after it was begun. */
export const sweepFile =
  (finishing: Changes.Changes) =>
  ({ file }: Loaded, context: DecisionContext): Decision<null> =>
    file !== undefined && FileMachine.allows(file.data.status, "Abandon")
      ? answer(200, null, Changes.combine(finishing, abandoned(file, context)))
      : answer(200, null, finishing)

/** Abandons a file whose request keeps it in no record. Bytes that arrived after its sweep are erased again. */
export const abandonFile = ({ file }: Loaded, context: DecisionContext): Decision<null> => {
  if (file === undefined || file.data.status === "KEPT") return answer(200, null)
  return answer(
    200,
    null,
    FileMachine.allows(file.data.status, "Abandon")
      ? abandoned(file, context)
      : eraseFiles(context.ids, context.now, [file.id]),
  )
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
