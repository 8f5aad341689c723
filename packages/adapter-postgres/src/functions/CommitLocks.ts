/**
 * The locks of a commit, taken first and in one order, so that commits queue and never wait for each other in a circle.
 * Source: architecture, "A change set is the one way to write" (guards).
 *
 * They are advisory: a guard holds its record shared without writing the row, a waiting writer is not passed by later guards, and
 * what is not there yet (a key, a lane, an answer) can be held too. Operations and answers come first: a set that is sent again, since
 * the connection of the first one broke, then waits for the first one, whatever that waits for.
 */

/**
 * Takes the locks that rows of `locks` name (columns `name` and `alone`: for itself, and not shared), and those of the lanes of the
 * jobs that rows of `jobs` name (`id`), which are finished or given back.
 */
export const locksOf = (locks: string, jobs: string): string => `
  perform case when q.x then pg_advisory_xact_lock(q.h)::text else pg_advisory_xact_lock_shared(q.h)::text end from (
    select q.h, bool_or(q.x) x from (
      select hashtextextended(e.name, 0) h, e.alone x, e.name !~ '^(operation|replay) ' late from ${locks}
      union all
      select hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true, true
        from ${jobs} join job j on j.id = e.id where j.lane is not null
    ) q group by q.h order by bool_and(q.late), q.h) q;`

/** The rows that several sets of one call move: in the order of one set, so that two calls meet in that order too. */
export const takeRows = `
  if jsonb_array_length(sets) > 1 then
    perform 1 from job j where j.id = any (array(
      select f->>0 from jsonb_array_elements(sets) s, jsonb_array_elements(coalesce(s->'f', '[]') || coalesce(s->'b', '[]')) f)) order by j.id for update;
    -- Driven by the sorted names, whatever the planner thinks of the tables.
    perform 1 from (select distinct (s->>'p') collate "C" p, (d->>0) collate "C" id from jsonb_array_elements(sets) s,
        jsonb_array_elements(coalesce(s->'ta', '[]') || coalesce(s->'as', '[]')) d order by 1, 2) d
      cross join lateral (select from ledger_account a where a.platform_id = d.p and a.id = d.id for no key update) a;
    perform 1 from (select distinct (s->>'p') collate "C" p, (d->>0) collate "C" id from jsonb_array_elements(sets) s, jsonb_array_elements(s->'ct') d order by 1, 2) d
      cross join lateral (select from counter c where c.platform_id = d.p and c.key = d.id for no key update) c;
  end if;`
