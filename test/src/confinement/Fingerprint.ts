/** What a store has: its audit, and its state as a short text: two are equal if no record, balance, counter, key, event or job changed in between. */
import { MemoryStore } from "@countersign/adapter-memory"
import { Effect } from "effect"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"

/** The requests and operations of all audit records. */
export const auditedOf = (pay: Harness) =>
  pay.run(
    Effect.map(MemoryStore, (memory) =>
      memory.snapshot().records.flatMap((versions) =>
        versions.flatMap(({ data, kind }) => {
          const { operation, requestId }: { readonly operation?: unknown; readonly requestId?: unknown } = Object(data)
          return kind === "AuditRecord" ? [{ operation: String(operation), requestId: String(requestId) }] : []
        }),
      ),
    ),
  )

/** A refused upload leaves a file that a job sweeps: it is stored before the texts beside it are read. */
const isOfRefusedUpload = (kind: string) => kind === "StoredFile" || kind.startsWith("file.")

/** The last use of a secret and the number of wrong ones are written in a batch after the requests (D-337, D-343). */
const isOfSecrets = (counter: string) => counter.includes("last-use:") || counter.startsWith("Service:limits\0")

export const fingerprintOf = (pay: Harness): Promise<string> =>
  pay.run(
    Effect.map(MemoryStore, (memory) => {
      const { answers: _, claims, counters, events, jobs, ledger, records } = memory.snapshot()
      return JSON.stringify({
        claims: claims.map(([name]) => name),
        counters: counters.filter(([name]) => !isOfSecrets(name)),
        events: events.map(({ event }) => event.id),
        jobs: jobs.filter(({ kind }) => !isOfRefusedUpload(kind)).map(({ attempt, id }) => [id, attempt]),
        ledger: ledger.map(({ balance, id, sequence }) => [id, balance, sequence]),
        records: records.flat().flatMap(({ id, kind, version }) => (isOfRefusedUpload(kind) ? [] : [[id, version]])),
      })
    }),
  )
