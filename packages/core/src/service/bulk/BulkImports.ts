/**
 * Bulk imports of customers: a file is uploaded and read once, and a job creates a customer of each row, slice by slice.
 * Source: wire contract areas 1.5; D-410 to D-413.
 */
import { Clock, Context, Effect, Layer, Result, Schema, Stream } from "effect"
import type { SecureRandom } from "effect/crypto"
import { openingIdsMax } from "../../decision/account/AccountChanges.ts"
import {
  acceptImport,
  beginImport,
  endImport,
  eraseErrors,
  importsCounter,
  importsFull,
} from "../../decision/bulk/ImportDecision.ts"
import { importRow } from "../../decision/bulk/ImportRowDecision.ts"
import { createCustomer } from "../../decision/customer/CustomerDecision.ts"
import { notFound, type Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { importsMax, isReadable } from "../../model/bulk/BulkImport.ts"
import {
  type BulkCustomerImportJob,
  type BulkCustomerImportJobAccepted,
  toBulkImport,
} from "../../model/bulk/BulkImportResource.ts"
import { emptyFile } from "../../model/bulk/ImportHeader.ts"
import { type ImportRow, importRowOf } from "../../model/bulk/ImportRow.ts"
import type { CustomerCreation } from "../../model/customer/CustomerRequest.ts"
import type { FileBytes, IncomingForm } from "../../operation/IncomingForm.ts"
import { finishing, JobDeferred, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import { listAll } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { CsvReader } from "../../ports/CsvReader.ts"
import type { KeyVault } from "../../ports/KeyVault.ts"
import { Verifier } from "../../ports/Verifier.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { EndUserTerms } from "../../settings/EndUserTerms.ts"
import { ImportStart } from "../../settings/ImportStart.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { firstStatus, loadForCreation } from "../customer/CustomerCreationReads.ts"
import { startOf } from "../file/FileStart.ts"
import { Files, type ReceivedFile } from "../file/Files.ts"
import { scan } from "./ImportScan.ts"

type Answer<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const importNotFound = notFound("import job", "BULK_UPLOAD_JOB_NOT_FOUND")
const vaultUnavailable: Refusal = { code: "SERVICE_UNAVAILABLE", message: "The file cannot be read now. Try again." }

/** A slice ends after this many rows, or this wall time: it must fit into a lease, and a stopping process waits for it. */
const sliceRows = 1000
const sliceMillis = 5000

/** How many errors one commit erases. */
const erasedPerCommit = 100

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ importId: Schema.String }))

const errorsOf = (importId: string) => listAll("BulkImportError", { importId: { eq: importId } })

const loadImport = <E>(read: Operation.Read<E>, importId: string) =>
  Effect.map(readExisting(read, "BulkImport", importId, importNotFound), (bulkImport) => ({ bulkImport }))

export class BulkImports extends Context.Service<
  BulkImports,
  {
    /** Receives a file and accepts its import. Errors: `INVALID_REQUEST_FORMAT`, `RATE_LIMITED`. What is wrong with its content, the job says. */
    readonly upload: (
      form: IncomingForm<unknown>,
      key?: Omit<Operation.Keyed, "body">,
    ) => Answer<Operation.Answered<BulkCustomerImportJobAccepted>>
    /** Errors: `BULK_UPLOAD_JOB_NOT_FOUND`. */
    readonly get: (jobId: string) => Answer<BulkCustomerImportJob>
    readonly run: JobHandler
    readonly expire: JobHandler
  }
>()("@countersign/core/BulkImports") {
  static readonly layer = Layer.effect(
    BulkImports,
    Effect.gen(function* () {
      const files = yield* Files
      const reader = yield* CsvReader
      const verifier = yield* Verifier
      const wall = yield* WallTime
      const startFor = yield* ImportStart
      const store = yield* Store
      const settings = { terms: yield* EndUserTerms, scaRegions: yield* ScaRegions }
      const services = yield* Effect.context<Store | KeyVault | WallTime | SecureRandom.SecureRandom>()

      /** Stores the bytes of a file that is not empty. */
      const receive = (bytes: FileBytes) =>
        Effect.gen(function* () {
          const file = yield* startOf(bytes, 1)
          return file.start.byteLength === 0 ? undefined : yield* files.receive(file.bytes)
        }).pipe(Effect.scoped)

      const scanned = (received: ReceivedFile) =>
        scan(reader, files.read(received.file.id)).pipe(
          Effect.map((found) => ({ ...received, ...found })),
          Effect.catchTag(["VaultUnavailable", "BytesMissing"], () => Effect.fail(new ServiceError(vaultUnavailable))),
        )

      /** Refuses an upload before its body arrives. One with a key may be the repetition of an accepted one. */
      const refuseFull = Effect.gen(function* () {
        const key = importsCounter((yield* CurrentCaller).platformId)
        const found = yield* store.read({ counters: [key] })
        if (found.counter(key) >= importsMax) return yield* new ServiceError(importsFull)
      })

      const upload = Effect.fnUntraced(
        function* (incoming: IncomingForm<unknown>, key?: Omit<Operation.Keyed, "body">) {
          if (key === undefined) yield* refuseFull
          const { file, parts } = yield* incoming(receive)
          const received = file?.received
          if (received === undefined) return yield* new ServiceError(emptyFile)
          const accepted = Effect.flatMap(scanned(received), (found) =>
            Operation.run({
              name: "BulkImports.upload",
              keyed: key && { ...key, body: { parts } },
              load: () => Effect.void,
              decide: acceptImport(found, startFor(file?.name ?? "")),
            }),
          )
          return yield* files.using(received, accepted, ({ replayed }) => !replayed)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = (jobId: string) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const bulkImport = yield* readExisting(store.read, "BulkImport", jobId, importNotFound, ({ data }) =>
            isReadable(data, now),
          )
          const errors = yield* errorsOf(jobId)
          return toBulkImport(
            bulkImport,
            errors.map(({ data }) => data),
          )
        }).pipe(platformOnly, Effect.provideService(Store, store))

      const createOf = Effect.fnUntraced(function* (importId: string, row: ImportRow, request: CustomerCreation) {
        const customerId = yield* IdPool.draw("Customer")
        return yield* Operation.run({
          name: "BulkImports.create",
          owner: customerId,
          ids: openingIdsMax + 3,
          load: (read) =>
            // In one trip, where the store joins reads.
            Effect.map(
              Effect.all([loadImport(read, importId), loadForCreation(read, request)], { concurrency: "unbounded" }),
              ([found, loaded]) => ({ ...found, ...loaded }),
            ),
          ask: yield* firstStatus(verifier, customerId, request),
          decide: importRow(row, createCustomer(customerId, request, settings)),
        })
      })

      const refuseOf = (importId: string, row: ImportRow, refusal: Refusal) =>
        Operation.run({
          name: "BulkImports.refuse",
          load: (read) => loadImport(read, importId),
          decide: importRow<unknown>(row, () => Operation.refuse(refusal)),
        })

      /** Decides one row. Returns whether this worker may go on. */
      const decideRow = (importId: string, row: ImportRow) =>
        Effect.map(
          Result.match(row.customer, {
            onSuccess: (request) => createOf(importId, row, request),
            onFailure: (refusal) => refuseOf(importId, row, refusal),
          }),
          ({ body }) => body,
        )

      /** Decides the next rows, until the slice has its length. */
      const runSlice = Effect.fnUntraced(function* ({ data, id }: Stored<"BulkImport">) {
        const until = (yield* wall.now) + sliceMillis
        const rows = reader.rows(files.read(data.fileId, data.position), data.position)
        let number = data.processed
        yield* Stream.runForEachWhile(
          Stream.take(rows, sliceRows),
          Effect.fnUntraced(function* (row) {
            number += 1
            const isNext = yield* decideRow(id, importRowOf(row, number, data))
            // A store in memory never waits: other requests get their turn here.
            yield* Effect.yieldNow
            return isNext && (yield* wall.now) < until
          }),
        ).pipe(
          Effect.catchTag(["VaultUnavailable", "BytesMissing", "CsvMalformed"], ({ _tag }) =>
            Effect.fail(new JobFailed({ reason: `the file could not be read: ${_tag}` })),
          ),
        )
      })

      const run: JobHandler = Effect.fnUntraced(function* (job) {
        const { importId } = yield* Effect.orDie(decodePayload(job.payload))
        const load = <E>(read: Operation.Read<E>) => loadImport(read, importId)
        yield* Operation.run({ name: "BulkImports.begin", load, decide: beginImport })
        const { bulkImport: before } = yield* load(store.read)
        const { problem, total } = before.data
        if (problem === undefined && before.data.processed < total) yield* runSlice(before)
        const { bulkImport } = yield* load(store.read)
        const { processed } = bulkImport.data
        if (problem === undefined && processed < total) {
          if (processed === before.data.processed) return yield* new JobFailed({ reason: "the file has too few rows" })
          return yield* new JobDeferred({ reason: "the next rows follow", notBefore: yield* wall.now })
        }
        yield* Operation.run({
          name: "BulkImports.end",
          load: (read) =>
            Effect.gen(function* () {
              return { ...(yield* load(read)), errors: yield* errorsOf(importId) }
            }),
          decide: endImport(finishing(job)),
        })
      }, Effect.provideContext(services))

      const expire: JobHandler = Effect.fnUntraced(function* (job) {
        const { importId } = yield* Effect.orDie(decodePayload(job.payload))
        const errors = yield* errorsOf(importId)
        for (let at = 0; ; at += erasedPerCommit) {
          const isLast = at + erasedPerCommit >= errors.length
          yield* Operation.run({
            name: "BulkImports.expire",
            load: () => Effect.succeed(errors.slice(at, at + erasedPerCommit)),
            decide: eraseErrors(isLast ? finishing(job) : {}),
          })
          if (isLast) return
        }
      }, Effect.provideContext(services))

      return BulkImports.of({ upload, get, run, expire })
    }),
  )
}
