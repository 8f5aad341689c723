/** What a PostgreSQL server says about itself, its role and this session, in one question. Source: D-534. */
import type { Connection } from "@countersign/adapter-postgres"

export interface DatabaseFacts {
  /** Unix milliseconds of the server's clock. */
  readonly now: number
  /** Whether this session is encrypted; `null`: the server does not say. */
  readonly isEncrypted: boolean | null
  /** The server's address; `null`: a socket of this machine. */
  readonly address: string | null
  readonly isSuperuser: boolean
  /** Whether the role may make the schema, or change the one that exists. */
  readonly mayMigrate: boolean
  /** How many sessions this role may have in this database; and how many all have now. */
  readonly sessionsMax: number
  readonly sessions: number
  readonly isReplica: boolean
  readonly encoding: string
  /** Settings without which a commit that was answered can be lost. */
  readonly unsafeSettings: ReadonlyArray<string>
}

const text = `select json_build_object(
  'now', extract(epoch from clock_timestamp()) * 1000,
  'isEncrypted', (select ssl from pg_stat_ssl where pid = pg_backend_pid()),
  'address', host(inet_server_addr()),
  'isSuperuser', r.rolsuper,
  'mayMigrate', coalesce(
    (select pg_has_role(nspowner, 'USAGE') from pg_namespace where nspname = 'countersign'),
    has_database_privilege(d.oid, 'CREATE')),
  'sessionsMax', least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
    nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)),
  'sessions', (select count(*) from pg_stat_activity where backend_type = 'client backend'),
  'isReplica', pg_is_in_recovery(),
  'encoding', pg_encoding_to_char(d.encoding),
  'unsafeSettings', coalesce((select json_agg(name) from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'), '[]'))::text
from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`

export const readFacts = async (connection: Connection): Promise<DatabaseFacts> => {
  const [row] = await connection.query({ text, values: [] })
  return JSON.parse(row ?? "null")
}
