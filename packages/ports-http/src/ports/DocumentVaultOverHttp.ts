/**
 * `DocumentVault` at a server that answers over HTTP. At most one piece of a file is on its way, and the next one is taken after its answer.
 * Source: ports/DocumentVault.ts; D-375, D-536.
 */
import {
  BytesMissing,
  type DocumentVault,
  inChunks,
  isVaultKey,
  measured,
  PortUnavailable,
  VaultUnavailable,
} from "@countersign/core/ports"
import { Effect, Stream } from "effect"
import type { PortClient } from "../call/PortClient.ts"
import type { AskOperation } from "../contract/PortOperation.ts"
import { documentVaultOperations as operations, pieceBytesMax } from "../contract/VaultOperations.ts"

const unavailable = (operation: string, cause: string) =>
  new VaultUnavailable({ cause: new PortUnavailable({ operation, cause }) })

const requireKey = (key: string): void => {
  if (!isVaultKey(key)) throw new Error("not a key of the vault")
}

/** Returns the size of a piece whose answer, in base64, is within a limit. */
const pieceBytesOf = (answerBytesMax: number): number =>
  Math.min(pieceBytesMax, Math.max(1024, Math.floor(((answerBytesMax - 1024) * 3) / 4)))

export const documentVaultOverHttp = ({ answerBytesMax, attempt }: PortClient): DocumentVault["Service"] => {
  const pieceBytes = pieceBytesOf(answerBytesMax)
  const ask = <Q, A>(operation: AskOperation<Q, A>, request: NoInfer<Q>) =>
    Effect.mapError(attempt(operation, request), ({ reason }) => unavailable(operation.path, reason))

  const erase = (key: string) =>
    Effect.suspend(() => {
      requireKey(key)
      return Effect.asVoid(ask(operations.erase, { key }))
    })

  const append = Effect.fnUntraced(function* (key: string, position: number, content: Uint8Array) {
    const { result: held } = yield* ask(operations.append, { key, position, content })
    if (held === position + content.byteLength) return held
    return yield* unavailable(operations.append.path, "the vault has another number of bytes than were sent")
  })

  const complete = Effect.fnUntraced(function* (key: string, size: number, sha256: string) {
    const answer = yield* ask(operations.complete, { key, size, sha256 })
    if (answer._tag === "Refused") {
      return yield* unavailable(operations.complete.path, "the vault has other bytes than were sent")
    }
  })

  const store = Effect.fnUntraced(function* <E, R>(key: string, bytes: Stream.Stream<Uint8Array, E, R>) {
    requireKey(key)
    const passing = measured(bytes)
    let sent = 0
    let hasBegun = false
    const begun = Effect.sync(() => {
      hasBegun = true
    })
    const take = Effect.fnUntraced(function* (piece: Uint8Array) {
      sent = yield* Effect.andThen(begun, append(key, sent, piece))
    })
    return yield* Effect.gen(function* () {
      yield* Stream.runForEach(inChunks(pieceBytes)(passing.bytes), take)
      const result = passing.result()
      yield* Effect.andThen(begun, complete(key, result.size, result.sha256))
      return result
    }).pipe(
      // An answer that is lost may follow a file that is complete.
      Effect.onError(() => (hasBegun ? Effect.ignore(erase(key)) : Effect.void)),
    )
  })

  /** Returns the bytes at a position, and the size of the file. */
  const readPiece = Effect.fnUntraced(function* (key: string, position: number, known: number | undefined) {
    const answer = yield* ask(operations.read, { key, position, length: pieceBytes })
    if (answer._tag === "Missing") return yield* new BytesMissing({ key })
    const { content, size } = answer
    const expected = Math.min(pieceBytes, Math.max(0, size - position))
    if (content.byteLength <= expected && content.byteLength > 0 === expected > 0 && (known ?? size) === size)
      return answer
    return yield* unavailable(operations.read.path, "the piece does not belong to the file")
  })

  const read = (key: string, from = 0): Stream.Stream<Uint8Array, VaultUnavailable | BytesMissing> =>
    Stream.suspend(() => {
      requireKey(key)
      const start: { readonly position: number; readonly size?: number } = { position: from }
      return Stream.unfold(start, ({ position, size: known }) =>
        Effect.gen(function* () {
          if (known !== undefined && position >= known) return undefined
          const { content, size } = yield* readPiece(key, position, known)
          return content.byteLength === 0
            ? undefined
            : ([content, { position: position + content.byteLength, size }] as const)
        }),
      )
    })

  return { store, read, erase }
}
