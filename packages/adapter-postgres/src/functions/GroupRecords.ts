/**
 * The set-based statements that differ from kind to kind: one branch for each table, for the rows of its kind.
 * Source: architecture, "The Store port" (PostgreSQL: the set-based path).
 */
import { named, type Part, rowsOf } from "../schema/BatchParts.ts"
import { type KindTable, kindTables, quoted } from "../schema/KindTables.ts"

const branches = (statement: (table: KindTable) => string): string =>
  ["case k", ...kindTables.map((kind) => `when ${kind.number} then ${statement(kind)};`), "end case;"].join("\n")

const columns = (kind: KindTable): string => kind.fields.map(({ column }) => `${quoted(column)}, `).join("")

/** Runs a statement for the rows of each kind, which end where `ends` says. */
export const perKind = (ends: "guarded" | "changed" | "recorded", statement: string): string => `
  lo := 1;
  for i in 1..cardinality(${named(ends, "kind")}) loop
    k := (${named(ends, "kind")})[i]; hi := (${named(ends, "last")})[i];
    ${statement}
    lo := hi + 1;
  end loop;`

/** The values of the row's fields, parsed once. */
const parsed = (kind: KindTable): string =>
  kind.fields.length === 0 ? "" : " cross join lateral (select e.fields::jsonb j offset 0) f"

const slice = { slice: "[lo:hi]" }

/** Sets whose record is not there for their caller, or has another version. */
export const unlikeVersions = (part: Extract<Part, "guard" | "change">): string =>
  branches(
    (kind) => `select array_agg(e.nr) into fault from ${rowsOf(part, slice)} left join ${quoted(kind.table)} c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr])`,
  )

export const insertRecords = branches(
  (
    kind,
  ) => `insert into ${quoted(kind.table)} (owner_id, platform_id, customer_id, id, version, created_at, updated_at, ${columns(kind)}data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], ${kind.fields
      .map((_, n) => `f.j->${n}, `)
      .join("")}e.data::json
    from ${rowsOf("record", slice)}${parsed(kind)}`,
)

/**
 * Updates, and keeps what was there. The record is found once, and its row is then written where it was found: its lock is held, and
 * who moved it all the same (a migration that fills a column) makes it one too few.
 */
export const updateRecords = branches(
  (kind) => `with was as (
      update ${quoted(kind.table)} c set version = c.version + 1, updated_at = set__at[e.nr],
        ${kind.fields.map(({ column }, n) => `${quoted(column)} = f.j->${n}, `).join("")}data = e.data::json
      from ${rowsOf("change", slice)} join ${quoted(kind.table)} b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
${parsed(kind)}
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, '${kind.kind}', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w`,
)
