/**
 * Carries files between the server of a bank and its folder. Call `carry` every minute, before the cycle of the bank's files, in as many
 * processes as you like.
 * Source: D-536.
 */
import { Effect } from "effect"
import { type LocalFiles, localFiles } from "./folder/LocalFiles.ts"
import { bytesDefault, problemOfOptions, type SftpOptions } from "./options/SftpOptions.ts"
import type { SftpProblem } from "./options/SftpProblem.ts"
import { receiveFiles, type Sightings } from "./ReceiveFiles.ts"
import { type Skipped, sendFiles } from "./SendFiles.ts"
import { connect } from "./server/Connection.ts"
import { remoteFiles } from "./server/RemoteFiles.ts"

/** What one call did. `problem`: the rest was not done, and the next call goes on. */
export type Carried =
  | {
      readonly bank: string
      readonly sent: ReadonlyArray<string>
      readonly received: ReadonlyArray<string>
      /** Files of the server that may not be complete yet. */
      readonly waiting: ReadonlyArray<string>
      /** Files that were left alone. */
      readonly skipped: ReadonlyArray<Skipped>
    }
  | { readonly bank: string; readonly problem: string }

export interface SftpCarrier {
  readonly carry: Effect.Effect<Carried>
}

export const carrierOver = (options: SftpOptions, local: LocalFiles): SftpCarrier => {
  const { bytesMax = bytesDefault, name: bank, received = "keep", remoteIn, remoteOut, server } = options
  const wrong = problemOfOptions(options)
  if (wrong !== undefined) throw new RangeError(`the server of the bank ${bank} cannot be used: ${wrong}`)
  const sightings: Sightings = new Map()
  const abandoned = new Set<string>()
  const exchange = Effect.gen(function* () {
    yield* local.prepare
    const remote = remoteFiles(yield* connect(server))
    const { sent, skipped } = yield* sendFiles(local, remote, { remoteOut, bytesMax }, abandoned)
    const taken = yield* receiveFiles(local, remote, { remoteIn, received, bytesMax }, sightings)
    const all = [...skipped, ...taken.skipped]
    for (const each of all)
      yield* Effect.logWarning(`the bank ${bank}: the file ${each.name} is left alone: ${each.reason}`)
    return { bank, sent, received: taken.received, waiting: taken.waiting, skipped: all } satisfies Carried
  })
  const failed = ({ message }: SftpProblem) =>
    Effect.as(Effect.logWarning(`the server of the bank ${bank}: ${message}`), {
      bank,
      problem: message,
    } satisfies Carried)
  return { carry: Effect.catch(Effect.scoped(exchange), failed) }
}

/** Throws a `RangeError` if an option is wrong. */
export const sftpCarrier = (options: SftpOptions): SftpCarrier => carrierOver(options, localFiles(options.folder))
