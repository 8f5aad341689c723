/**
 * The refusals of saved worlds, and their audit records.
 * Source: D-470, D-471.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { isActive } from "../../model/approval/ConsoleSession.ts"
import type { AuditOperation } from "../../model/audit/AuditRecord.ts"
import { checksumOf, worldFileVersion } from "../../model/world/WorldFileText.ts"
import type { WorldFile } from "../../model/world/WorldResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

export const worldsMax = 50

const conflict = (reason: string, message: string): Refusal => ({ code: "CONFLICT", message, details: { reason } })

export const worldsNotOffered: Refusal = {
  code: "NOT_IMPLEMENTED",
  message: "This server saves no worlds: its store must be in memory or in a folder.",
}

export const sharedByPlatforms: Refusal = conflict(
  "SEVERAL_PLATFORMS",
  "Several platforms share this server, and a world is the state of all.",
)

export const worldExists = (name: string): Refusal =>
  conflict("WORLD_EXISTS", `A world ${name} is saved already: choose another name, or replace it.`)

export const tooManyWorlds: Refusal = conflict(
  "TOO_MANY_WORLDS",
  `${worldsMax} worlds are saved, which is the most: delete one first.`,
)

export const worldTooLarge: Refusal = conflict("WORLD_TOO_LARGE", "The world is too large to be saved.")

export const fileTooLarge: Refusal = conflict(
  "WORLD_FILE_TOO_LARGE",
  "The world is too large for a file that a server accepts: its file would have more than 1 MiB, or more than 16 MiB before compression.",
)

export const worldInvalid = (why: string): Refusal => ({
  code: "INVALID_INPUT",
  message: `The world cannot be loaded, and nothing was changed: ${why}.`,
  details: { reason: "WORLD_INVALID" },
})

/** What the server of a load has: the kind of its store, and the roots of wallets' keys that it can open. */
export interface WorldServer {
  readonly store: string
  readonly walletRoots: ReadonlyArray<string>
}

/** Returns why a server cannot load this file; `undefined` if it can. */
export const refusalOfFile = (file: WorldFile, { store, walletRoots }: WorldServer): Refusal | undefined => {
  if (file.version > worldFileVersion) {
    return worldInvalid(
      `a newer version saved it (format ${file.version}; this server reads up to ${worldFileVersion})`,
    )
  }
  if (checksumOf(file) !== file.checksum)
    return worldInvalid("its checksum does not match: the file is damaged or changed")
  if (file.store !== store) {
    return worldInvalid(`it was saved by a store "${file.store}", and this server has a store "${store}"`)
  }
  if (file.walletRoots.some((root) => !walletRoots.includes(root))) {
    return worldInvalid("it has wallets, whose keys only the server has that saved it")
  }
  return undefined
}

/** The audit record of an operation on the worlds. `name`: the saved world; absent for a reset. */
const worldRecord = (context: DecisionContext, operation: AuditOperation, name?: string): Changes.Changes => {
  const { platformId } = context.caller
  const target = { id: platformId, platformId, customerId: null }
  return auditRecord(context, operation, target, { details: name === undefined ? {} : { name } })
}

export const auditWorld =
  (operation: AuditOperation, name: string) =>
  (_loaded: unknown, context: DecisionContext): Decision<null> =>
    answer(200, null, worldRecord(context, operation, name))

/** The same for an operation that moved the clock by `millis`: the sessions of the console last as long as they would have. */
export const auditReplacedWorld =
  (operation: AuditOperation, millis: number, name?: string) =>
  (sessions: ReadonlyArray<Stored<"ConsoleSession">>, context: DecisionContext): Decision<null> => {
    const shifted = sessions
      .filter(({ data }) => millis !== 0 && isActive(data, context.now - millis))
      .map((session) => {
        const { activeAt, expiresAt } = session.data
        return Changes.update(session, { ...session.data, activeAt: activeAt + millis, expiresAt: expiresAt + millis })
      })
    return answer(200, null, Changes.combine(worldRecord(context, operation, name), ...shifted))
  }
