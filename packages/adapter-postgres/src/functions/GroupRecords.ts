/**
 * The set-based statements that differ from kind to kind; `w` holds the rows of one kind, each with its set's number first.
 * Source: architecture, "The Store port" (PostgreSQL: the set-based path).
 */
import { type KindTable, kindTables, quoted } from "../schema/KindTables.ts"

const branches = (statement: (table: KindTable) => string): string =>
  ["case k", ...kindTables.map((kind) => `when ${kind.number} then ${statement(kind)};`), "end case;"].join("\n")

const columns = (kind: KindTable): string => kind.fields.map(({ column }) => `${quoted(column)}, `).join("")

/** Sets whose record ([set, id, version]) is not there for their caller, or has another version. */
export const unlikeVersions = branches(
  (kind) => `select array_agg((e->>0)::int) into fault from jsonb_array_elements(w) e left join ${quoted(kind.table)} c
    on c.platform_id = ps[(e->>0)::int] and c.id = e->>1
    where c.version is distinct from (e->>2)::int or (us[(e->>0)::int] is not null and c.customer_id is distinct from us[(e->>0)::int])`,
)

/** Inserts [set, id, customer, fields, data]. */
export const insertRecords = branches(
  (
    kind,
  ) => `insert into ${quoted(kind.table)} (owner_id, platform_id, customer_id, id, version, created_at, updated_at, ${columns(kind)}data)
    select coalesce(e->>2, ps[(e->>0)::int]), ps[(e->>0)::int], e->>2, e->>1, 1, ts[(e->>0)::int], ts[(e->>0)::int], ${kind.fields.map((_, n) => `e->3->${n}, `).join("")}e->4
    from jsonb_array_elements(w) e`,
)

/** Updates [set, id, version, fields, data]; the versions were found to be right, and their records are held. */
export const updateRecords = branches(
  (
    kind,
  ) => `with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, '${kind.kind}', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data
      from jsonb_array_elements(w) e join ${quoted(kind.table)} c on c.platform_id = ps[(e->>0)::int] and c.id = e->>1)
    update ${quoted(kind.table)} c set version = c.version + 1, updated_at = ts[(e->>0)::int],
      ${kind.fields.map(({ column }, n) => `${quoted(column)} = e->3->${n}, `).join("")}data = e->4
    from jsonb_array_elements(w) e where c.platform_id = ps[(e->>0)::int] and c.id = e->>1 and c.version = (e->>2)::int`,
)
