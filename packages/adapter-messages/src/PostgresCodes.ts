/**
 * `CodeStore` in a table of PostgreSQL, for deployments on several processes. Each operation is one statement.
 * Source: D-528.
 */
import { type PortCheck, withPortChecks } from "@countersign/core/ports"
import { Data, Effect, Layer } from "effect"
import { CodeStore } from "./CodeStore.ts"
import { MessagesUnusable } from "./MessageFailure.ts"

/** What the adapter needs of a pool of `pg`. */
export interface CodePool {
  readonly query: (text: string, values?: Array<unknown>) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

/** The pool and the table of the codes. */
export interface PostgresCodesOptions {
  readonly pool: CodePool
  /** With or without a schema, which must exist. Default: `countersign_security_code`. */
  readonly table?: string
}

/** The database did not answer as expected. It has the SQLSTATE and nothing else. */
export class CodesUnavailable extends Data.TaggedError("CodesUnavailable")<{ readonly code: string }> {
  override get message(): string {
    return `the table of security codes cannot be used: ${this.code}`
  }
}

const codeOf = (error: unknown): string => {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined
  return typeof code === "string" && /^\w{1,30}$/u.test(code) ? code : "no code"
}

const tableDefault = "countersign_security_code"
const isTable = (table: string): boolean => /^[a-z_][a-z0-9_]{0,62}(?:\.[a-z_][a-z0-9_]{0,62})?$/u.test(table)

/** The table, for an operator who creates it in a migration. */
const schema = (table: string = tableDefault): string =>
  `create table if not exists ${table} (
  recipient text primary key,
  digest text not null,
  expires_at bigint not null,
  attempts integer not null,
  attempts_max integer not null,
  used boolean not null
);
create index if not exists ${table.split(".").at(-1)}_expiry on ${table} (expires_at)`

/** Removes a few expired codes, so that the table holds those of the recent past. Rows that another process removes are skipped. */
const keepText = (table: string) => `with expired as (
  delete from ${table} where recipient in (
    select recipient from ${table} where expires_at <= $5 and recipient <> $1 limit 20 for update skip locked))
insert into ${table} (recipient, digest, expires_at, attempts_max, attempts, used) values ($1, $2, $3, $4, 0, false)
on conflict (recipient) do update set digest = excluded.digest, expires_at = excluded.expires_at,
  attempts_max = excluded.attempts_max, attempts = 0, used = false`

/** Concurrent attempts wait for each other at the row, and see what the one before has changed. */
const useText = (table: string) => `update ${table} set attempts = attempts + 1, used = (digest = $2)
where recipient = $1 and not used and attempts < attempts_max and expires_at > $3 returning used`

/** A lock that processes take which start at the same time. */
const createText = (table: string) => `select pg_advisory_xact_lock(hashtext('countersign codes')); ${schema(table)}`

const layer = ({
  pool,
  table = tableDefault,
}: PostgresCodesOptions): Layer.Layer<CodeStore, MessagesUnusable | CodesUnavailable> =>
  Layer.effect(
    CodeStore,
    Effect.gen(function* () {
      if (!isTable(table))
        return yield* new MessagesUnusable({
          message: "`table` must be a name of lower-case letters, digits and underscores.",
        })
      const query = (text: string, values?: Array<unknown>) =>
        Effect.tryPromise({
          try: () => pool.query(text, values),
          catch: (error) => new CodesUnavailable({ code: codeOf(error) }),
        })
      const { rows } = yield* query("select to_regclass($1) is not null as found", [table])
      const [row] = rows
      const isFound = typeof row === "object" && row !== null && Reflect.get(row, "found") === true
      if (!isFound) yield* query(createText(table))
      const check: PortCheck = {
        name: "security codes",
        run: Effect.match(query(`select from ${table} limit 1`), {
          onSuccess: () => ({ status: "ok", text: `the table ${table} can be used` }) as const,
          onFailure: ({ message }) =>
            ({ status: "problem", text: message, fix: "start the database, or correct its address" }) as const,
        }),
      }
      const store: CodeStore["Service"] = {
        keep: (recipient, { attemptsMax, digest, expiresAt }, now) =>
          query(keepText(table), [recipient, digest, expiresAt, attemptsMax, now]).pipe(Effect.orDie, Effect.asVoid),
        use: (recipient, digest, now) =>
          query(useText(table), [recipient, digest, now]).pipe(
            Effect.orDie,
            Effect.map((answer) =>
              answer.rows.some(
                (each) => typeof each === "object" && each !== null && Reflect.get(each, "used") === true,
              ),
            ),
          ),
      }
      return withPortChecks(store, [check])
    }),
  )

export const PostgresCodes = { layer, schema }
