/**
 * Uploaded files: their bytes go to the vault as they arrive, before a record keeps them, and what no record keeps is erased.
 * Source: wire contract areas 1.2.8; D-375, D-377.
 */
import { Context, Effect, Exit, Layer, Schema, type Stream } from "effect"
import type { SecureRandom } from "effect/crypto"
import { abandonFile, beginFile, eraseDone, sweepFile } from "../../decision/file/FileDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { receiveMillisMax, vaultKeyOf } from "../../model/file/StoredFile.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import type { FileBytes } from "../../operation/IncomingForm.ts"
import { finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { type BytesMissing, DocumentVault, type StoredBytes, type VaultUnavailable } from "../../ports/DocumentVault.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

/** A file whose bytes are stored, until a record keeps it. */
export interface ReceivedFile extends StoredBytes {
  readonly file: Stored<"StoredFile">
}

const unavailable = ({ cause }: VaultUnavailable) =>
  Effect.logWarning("the document vault is unavailable", cause).pipe(
    Effect.andThen(
      Effect.fail(new ServiceError({ code: "SERVICE_UNAVAILABLE", message: "Files cannot be stored now. Try again." })),
    ),
  )

const tooSlow = Effect.fail(
  new ServiceError({
    code: "INVALID_REQUEST_FORMAT",
    message: `\`file\` must arrive within ${receiveMillisMax / 60_000} minutes.`,
    details: { field: "file", limitSeconds: receiveMillisMax / 1000 },
  }),
)

const decodeSweep = Schema.decodeUnknownEffect(Schema.Struct({ fileId: Schema.String }))
const decodeErase = Schema.decodeUnknownEffect(Schema.Struct({ fileIds: Schema.Array(Schema.String) }))

const loadFile =
  (fileId: string) =>
  <E>(read: Operation.Read<E>) =>
    Effect.map(read({ records: [{ kind: "StoredFile", id: fileId }] }), (found) => ({
      file: found.record("StoredFile", fileId),
    }))

export class Files extends Context.Service<
  Files,
  {
    /** Stores the bytes of a file under a key of its own. `decision/file` has the change by which a record keeps it. */
    readonly receive: (bytes: FileBytes) => Effect.Effect<ReceivedFile, ServiceError | StoreUnavailable, CurrentCaller>
    /** Runs what may keep the file, and erases the file unless `keeps` says of its result that it did. */
    readonly using: <A, E, R>(
      file: ReceivedFile | undefined,
      use: Effect.Effect<A, E, R>,
      keeps: (result: A) => boolean,
    ) => Effect.Effect<A, E, R | CurrentCaller>
    /** The bytes of a file, from a position on. */
    readonly read: (fileId: string, from?: number) => Stream.Stream<Uint8Array, VaultUnavailable | BytesMissing>
    readonly sweep: JobHandler
    readonly erase: JobHandler
  }
>()("@countersign/core/Files") {
  static readonly layer = Layer.effect(
    Files,
    Effect.gen(function* () {
      const vault = yield* DocumentVault
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const abandon = (fileId: string) =>
        Operation.run({ name: "Files.abandon", load: loadFile(fileId), decide: abandonFile }).pipe(
          Effect.provideContext(services),
          // The sweep erases what is left.
          Effect.ignore,
        )

      /** Fails if the file was swept while its bytes arrived: a sandbox may move its clock. */
      const requireReceiving = (fileId: string) =>
        Effect.flatMap(loadFile(fileId)(store.read), ({ file }) =>
          file?.data.status === "RECEIVING" ? Effect.void : tooSlow,
        )

      const receive = Effect.fnUntraced(function* (bytes: FileBytes) {
        const { platformId } = yield* CurrentCaller
        const fileId = yield* IdPool.draw("File", platformId)
        const { body: file } = yield* Operation.run({
          name: "Files.begin",
          load: () => Effect.void,
          decide: beginFile(fileId, platformId),
        })
        yield* reachFailPoint("file.begun")
        const stored = yield* vault.store(vaultKeyOf(fileId), bytes).pipe(
          Effect.catchTag("VaultUnavailable", unavailable),
          Effect.timeoutOrElse({ duration: receiveMillisMax, orElse: () => tooSlow }),
          Effect.tap(() => requireReceiving(fileId)),
          Effect.onError(() => abandon(fileId)),
        )
        yield* reachFailPoint("file.stored")
        return { ...stored, file }
      }, Effect.provideContext(services))

      const using = <A, E, R>(
        file: ReceivedFile | undefined,
        use: Effect.Effect<A, E, R>,
        keeps: (result: A) => boolean,
      ): Effect.Effect<A, E, R | CurrentCaller> =>
        file === undefined
          ? use
          : Effect.onExit(use, (exit) =>
              Exit.isSuccess(exit) && keeps(exit.value) ? Effect.void : abandon(file.file.id),
            )

      const sweep: JobHandler = Effect.fnUntraced(function* (job) {
        const { fileId } = yield* Effect.orDie(decodeSweep(job.payload))
        yield* Operation.run({ name: "Files.sweep", load: loadFile(fileId), decide: sweepFile(finishing(job)) })
      })

      const erase: JobHandler = Effect.fnUntraced(function* (job) {
        const { fileIds } = yield* Effect.orDie(decodeErase(job.payload))
        for (const fileId of fileIds) {
          yield* Effect.catchTag(vault.erase(vaultKeyOf(fileId)), "VaultUnavailable", () =>
            Effect.fail(new JobFailed({ reason: "the document vault was unavailable" })),
          )
        }
        yield* reachFailPoint("file.erased")
        yield* Operation.run({
          name: "Files.erase",
          load: (read) =>
            Effect.map(read({ records: fileIds.map((id) => ({ kind: "StoredFile" as const, id })) }), (found) =>
              fileIds.flatMap((id) => found.record("StoredFile", id) ?? []),
            ),
          decide: eraseDone(finishing(job)),
        })
      })

      return Files.of({ receive, using, read: (fileId, from) => vault.read(vaultKeyOf(fileId), from), sweep, erase })
    }),
  )
}
