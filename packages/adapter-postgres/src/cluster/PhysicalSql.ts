/**
 * Texts for a cell on a node of a cluster. Each table of a cell is there as one shard, a plain table whose name ends in the shard's number.
 * Statements name the shards, because the cluster's planner, which knows the tables by their own names, costs several times as much and
 * has no generic plans for the commit functions. What names shards must find out whether the cell is still on this node.
 * Source: D-517.
 */

/** The numbers of the shards of a cell's tables. */
export type Shards = ReadonlyMap<string, string>

const named = /\bcountersign\.(?:"([^"]+)"|([a-z_0-9]+))/gu
const schemaName = /\bcountersign\b/gu

/** Puts the cell's schema in the place of `countersign`. */
export const inSchema = (text: string, schema: string): string => text.replaceAll(schemaName, schema)

/** Functions name in such comments what they do in a cluster only. */
const onClusters = /\/\* cluster: (.*?) \*\//gu

/** `inSchema` with shards in the place of tables. */
export const physical = (text: string, schema: string, shards: Shards): string => {
  const sharded = text
    .replaceAll(onClusters, "$1")
    .replaceAll(named, (whole, quotedName: string | undefined, plainName: string | undefined) => {
      const name = quotedName ?? plainName ?? ""
      const shard = shards.get(name)
      return shard === undefined ? whole : `${schema}."${name}_${shard}"`
    })
  return inSchema(sharded, schema)
}

const isQuery = /^\s*(?:select|with)\b/iu

/** A call of a function that changes something, all but those of reads; and a query that keeps a row as it is. */
const isChange = /^\s*select\s+countersign\.(?!read_points|find_locked)\w+\(|\bfor key share\s*$/iu

/**
 * A query of the cell that fails with CS004 when the cell has moved to another node. A change keeps the cell here until its transaction ends.
 * A read does not: a move would wait for a long one, and everything else for the move. Another statement names the tables themselves: the
 * cluster finds them wherever they are.
 */
export const guarded = (text: string, schema: string, shards: Shards): string =>
  isQuery.test(text)
    ? `select each.* from (${physical(text, schema, shards)}) as each where (select ${schema}.require_here(${isChange.test(text)}))`
    : inSchema(text, schema)

/** The table whose shard stands for the cell. */
const marker = "ledger_account"

const shardOf = (shards: Shards, table: string): string => {
  const shard = shards.get(table)
  if (shard === undefined) throw new Error(`the cell has no table ${table}`)
  return shard
}

/** The table that only cells on a cluster have: how often the cell has been at another node, and at which it is. It moves with the cell. */
export const epochTable = (schema: string): string =>
  `create table if not exists ${schema}.job_epoch (one boolean primary key check (one), node_group int not null, epoch bigint not null)`

/**
 * The functions that only cells on a cluster have.
 * require_here: fails unless this node holds the cell. With `keep` it takes a lock for which a move waits, and waits for that of a move.
 * next_sequence: the number of the next job. The sequences of nodes have ranges of their own, so the number begins with the epoch, which the
 * first job after a move raises: jobs that are added after a move come after those before it.
 */
export const guardFunctions = (schema: string, shards: Shards): ReadonlyArray<string> => [
  `create or replace function ${schema}.require_here(keep boolean) returns boolean language plpgsql set search_path = pg_catalog, pg_temp
-- A move ends within this time, or the caller tries again.
set lock_timeout = 2000 as $body$
begin
  if keep then
    perform lock_shard_metadata(5, array[${shardOf(shards, marker)}]);
  end if;
  if not exists (
    select from pg_dist_placement as placement
    join pg_dist_local_group as local on local.groupid = placement.groupid
    where placement.shardid = ${shardOf(shards, marker)}
  ) then
    raise exception 'the cell has moved to another node' using errcode = 'CS004';
  end if;
  return true;
end $body$`,
  `create or replace function ${schema}.next_sequence() returns bigint language plpgsql set search_path = pg_catalog, pg_temp as $body$
declare
  present_epoch bigint;
begin
  select stored.epoch into present_epoch
  from ${schema}.job_epoch_${shardOf(shards, "job_epoch")} as stored
  where stored.node_group = (select groupid from pg_dist_local_group);
  if present_epoch is null then
    insert into ${schema}.job_epoch_${shardOf(shards, "job_epoch")} as stored (one, node_group, epoch)
    select true, groupid, 1 from pg_dist_local_group
    on conflict (one) do update set node_group = excluded.node_group, epoch = stored.epoch + 1
      where stored.node_group <> excluded.node_group;
    select stored.epoch into present_epoch from ${schema}.job_epoch_${shardOf(shards, "job_epoch")} as stored;
  end if;
  return (present_epoch << 42) + (nextval('${schema}.job_sequence_seq') & 4398046511103);
end $body$`,
]

/** The name by which the guard is found in the catalog. */
export const guardName = "require_here"

const parts = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^;'"$/-]+|[\s\S]/gu

/** The statements of a script: a cluster takes one at a time. */
export const statementsIn = (script: string): ReadonlyArray<string> => {
  const statements: Array<string> = [""]
  for (const [part] of script.matchAll(parts)) {
    if (part === ";") statements.push("")
    else statements.push(`${statements.pop() ?? ""}${part}`)
  }
  return statements
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/--[^\n]*/gu, "").trim() !== "")
}
