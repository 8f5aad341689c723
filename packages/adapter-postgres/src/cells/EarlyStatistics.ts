/**
 * Has the server analyze the tables of a new database while they grow, between commits. Autovacuum looks once a minute, and never in PGlite:
 * until then each session would keep the plans of empty tables.
 * Source: D-492.
 */
import type { Connection } from "../connection/Connection.ts"

/** After this many commits of the process tables are looked at, and then after four times as many each time. */
const firstLook = 250
const looksMax = 5
const growth = 4

/** A table is analysed once it has more pages than these, and several times as many as when it was analysed last. */
const pagesMin = 16

const statement = {
  text: `do $look$
  declare
    grown text;
  begin
    select string_agg(format('countersign.%I', c.relname), ', ') into grown
    from pg_catalog.pg_class as c
    where c.relnamespace = 'countersign'::regnamespace and c.relkind = 'r'
      and pg_catalog.pg_relation_size(c.oid) / current_setting('block_size')::int
        > greatest(${pagesMin}, ${growth} * c.relpages);
    if grown is not null then
      execute 'analyze (skip_locked) ' || grown;
    end if;
  end $look$`,
  values: [],
}

/** One after another, so that commits find connections. */
const lookInTurn = async (cells: ReadonlyArray<Connection>): Promise<void> => {
  // The server may not let this role analyze, or be gone: then autovacuum does it, later.
  for (const cell of cells) await cell.query(statement).catch(() => undefined)
}

/** Returns the function to call after each commit in any of the cells. */
export const make = (cells: ReadonlyArray<Connection>): (() => void) => {
  let commits = 0
  let looks = 0
  return () => {
    if (looks === looksMax) return
    commits += 1
    if (commits < firstLook * growth ** looks) return
    looks += 1
    lookInTurn(cells)
  }
}
