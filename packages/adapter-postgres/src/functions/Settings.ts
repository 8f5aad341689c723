/**
 * How the functions run. The rows of unnested arrays are not known to the planner, and a small or never analyzed table would get a
 * scan of all of it; plans that do not depend on the parameters are made once.
 */
export const settings = `language plpgsql set search_path = countersign, pg_catalog, pg_temp set jit = off
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
  set enable_memoize = off set plan_cache_mode = force_generic_plan`

/** Whoever waited for a lock has to see what was committed meanwhile. */
export const readCommitted = `
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'commits need READ COMMITTED; the transaction is %', upper(current_setting('transaction_isolation')) using errcode = '0A000';
  end if;`

/** A job `j` that is claimed, said so that it is looked up by its id and not through the index of running jobs. */
export const isClaimed = "j.state not in ('waiting', 'parked')"
