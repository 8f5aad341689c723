/**
 * The set-based commit: many change sets, one statement for each part of all of them. It commits those that hold whatever their order;
 * every other set is left to the serial commit, which tells its outcome. What no check foresaw (an id used twice, somebody faster)
 * is an error of the whole batch, whose sets are then sent again one by one.
 * Source: architecture, "The Store port" (PostgreSQL: the set-based path). `Batch.ts` tells what a batch holds.
 */
import { eventRetentionMillis } from "@countersign/core"
import { takeLocks } from "./CommitLocks.ts"
import { insertRecords, unlikeVersions, updateRecords } from "./GroupRecords.ts"
import { isClaimed, settings } from "./Settings.ts"

const s = "(e->>0)::int"
const overtaken = (what: string): string =>
  `raise exception 'a batch was overtaken: ${what}' using errcode = 'serialization_failure'`
const leaveOut = `if bad is not null then foreach i in array bad loop live[i] := false; end loop; end if;`
const perKind = (part: string, statement: string, then = ""): string => `
  for k, w in select key::int, value from jsonb_each(batch->'${part}') order by 1 loop
    ${statement}
    ${then}
  end loop;`

const checks = `
  select array_agg(q.s) into bad from (
    select ${s} s from jsonb_array_elements(batch->'sets') e join operation o on o.platform_id = ps[${s}] and o.id = os[${s}]
    union all
    select ${s} from jsonb_array_elements(batch->'y') e join replay y on y.platform_id = ps[${s}] and y.key = e->>1 where ws[${s}] < y.expires_at) q;
  ${leaveOut}
  ${perKind("g", unlikeVersions, leaveOut)}
  ${perKind("m", unlikeVersions, leaveOut)}
  if batch ? 'f' then
    select array_agg(${s}) into bad from jsonb_array_elements(batch->'f') e left join job j on j.id = e->>1 and j.platform_id = ps[${s}]
        and j.attempt = (e->>2)::int and ${isClaimed} and (us[${s}] is null or j.customer_id = us[${s}]) where j.id is null;
    ${leaveOut}
  end if;
  if batch ? 'k' then
    select array_agg(q.s) into bad from (select ${s} s, u.key held, count(*) over (partition by e->>1, e->>2) takers
      from jsonb_array_elements(batch->'k') e left join unique_key u on u.key = e->>1 and u.scope = e->>2 where live[${s}]) q
      where q.held is not null or q.takers > 1;
    ${leaveOut}
  end if;
  if batch ? 'ta' then
    -- An account is in danger when all that leaves it, or all that enters, would pass a bound: then the order would matter.
    select array_agg(q.s) into bad from (
      select ${s} s, a.id is null or (us[${s}] is not null and a.customer_id is distinct from us[${s}]) or a.currency is distinct from e->>4 wrong,
        a.floor, a.balance + sum(least((e->>2)::numeric, 0)) over account low, a.balance + sum(greatest((e->>2)::numeric, 0)) over account high
      from jsonb_array_elements(batch->'ta') e left join ledger_account a on a.platform_id = ps[${s}] and a.id = e->>1 where live[${s}]
      window account as (partition by ps[${s}], e->>1)) q
      where q.wrong or q.low < q.floor or q.low < -9007199254740991 or q.high > 9007199254740991;
    ${leaveOut}
  end if;
  if batch ? 'c' then
    select array_agg(q.s) into bad from (
      select ${s} s, coalesce(c.value, 0) + sum(greatest((e->>2)::numeric, 0)) over counter high,
        coalesce(c.value, 0) + sum(least((e->>2)::numeric, 0)) over counter low, min((e->>3)::numeric) over counter most
      from jsonb_array_elements(batch->'c') e left join counter c on c.platform_id = ps[${s}] and c.key = e->>1 where live[${s}]
      window counter as (partition by ps[${s}], e->>1)) q where q.high > q.most or q.low < 0;
    ${leaveOut}
  end if;
  if not (true = any (live)) then return '{"facts":[],"queues":[]}'; end if;`

const finishedJobs = `
  if batch ? 'f' then
    select count(*) into wanted from jsonb_array_elements(batch->'f') e where live[${s}];
    for r in with gone as (delete from job j using (select q.e from jsonb_array_elements(batch->'f') q(e) order by q.e->>1) q
        where j.id = q.e->>1 and j.attempt = (q.e->>2)::int and ${isClaimed} and live[(q.e->>0)::int]
        returning j.queue, j.platform_id, j.lane, j.sequence, j.holds) select * from gone order by sequence loop
      wanted := wanted - 1;
      if not r.queue = any (touched) then touched := touched || r.queue; end if;
      if r.lane is not null and r.holds then perform open_lane(r.queue, r.platform_id, r.lane, r.sequence); end if;
    end loop;
    if wanted <> 0 then ${overtaken("job")}; end if;
  end if;`

const uniqueKeys = `
  if batch ? 'k' then
    insert into unique_key (key, scope, kind, id, platform_id, customer_id)
      select e->>1, e->>2, e->>3, e->>5, ps[${s}], e->>7 from jsonb_array_elements(batch->'k') e where live[${s}] order by e->>1, e->>2;
  end if;`

const ledger = `
  if batch ? 'ta' then
    select count(*) into wanted from (select distinct ps[${s}], e->>1 from jsonb_array_elements(batch->'ta') e where live[${s}]) q;
    update ledger_account a set balance = a.balance + d.total, sequence = a.sequence + d.n from (
      select ps[${s}] p, e->>1 id, sum((e->>2)::numeric)::bigint total, sum(least((e->>2)::numeric, 0)) low, sum(greatest((e->>2)::numeric, 0)) high, sum((e->>3)::int) n
      from jsonb_array_elements(batch->'ta') e where live[${s}] group by 1, 2 order by 1, 2) d
      where a.platform_id = d.p and a.id = d.id and (a.floor is null or a.balance + d.low >= a.floor)
        and a.balance + d.low >= -9007199254740991 and a.balance + d.high <= 9007199254740991;
    get diagnostics found_rows = row_count;
    if found_rows <> wanted then ${overtaken("balance")}; end if;
    insert into ledger_entry (platform_id, account_id, sequence, amount, balance_after, reference, operation_id, at)
      select a.platform_id, a.id, a.sequence - coalesce(count(*) over later, 0), (e->>2)::bigint, a.balance - coalesce(sum((e->>2)::numeric) over later, 0),
        e->>5, os[${s}], ts[${s}]
      from jsonb_array_elements(batch->'lt') with ordinality q(e, o) join ledger_account a on a.platform_id = ps[${s}] and a.id = e->>1 where live[${s}]
      window later as (partition by a.platform_id, a.id order by q.o desc rows between unbounded preceding and 1 preceding);
  end if;
  -- A set's facts are what stood after it: the balance now, without what the sets after it moved.
  for r in select q.s, jsonb_object_agg(q.id, jsonb_build_object('balance', q.balance, 'sequence', q.sequence)) f from (
      select ${s} s, e->>1 id, coalesce(a.balance - coalesce(sum((e->>2)::numeric) over later, 0), 0) balance,
        coalesce(a.sequence - coalesce(sum((e->>3)::int) over later, 0), 0) sequence
      from jsonb_array_elements(batch->'ob') e left join ledger_account a on a.platform_id = ps[${s}] and a.id = e->>1
        and (us[${s}] is null or a.customer_id = us[${s}]) where live[${s}]
      window later as (partition by ps[${s}], e->>1 order by ${s} desc rows between unbounded preceding and 1 preceding)) q group by q.s loop
    balances[r.s] := r.f;
  end loop;`

const counters = `
  if batch ? 'c' then
    select count(*) into wanted from (select distinct ps[${s}], e->>1 from jsonb_array_elements(batch->'c') e where live[${s}]) q;
    insert into counter as c (platform_id, key, value)
      select d.p, d.key, d.total from (select ps[${s}] p, e->>1 key, sum((e->>2)::numeric)::bigint total
        from jsonb_array_elements(batch->'c') e where live[${s}] group by 1, 2 order by 1, 2) d
      on conflict (platform_id, key) do update set value = c.value + excluded.value;
    -- Checked again on what is there now: somebody may have charged since the check.
    select count(*) into found_rows from (select distinct q.p, q.key from (
      select ps[${s}] p, e->>1 key, c.value - sum((e->>2)::numeric) over counter + sum(greatest((e->>2)::numeric, 0)) over counter high,
        c.value - sum((e->>2)::numeric) over counter + sum(least((e->>2)::numeric, 0)) over counter low, min((e->>3)::numeric) over counter most
      from jsonb_array_elements(batch->'c') e join counter c on c.platform_id = ps[${s}] and c.key = e->>1 where live[${s}]
      window counter as (partition by ps[${s}], e->>1)) q where q.high <= q.most and q.low >= 0) q;
    if found_rows <> wanted then ${overtaken("counter")}; end if;
    for r in select q.s, jsonb_object_agg(q.key, q.value order by q.o) f from (
        select ${s} s, q.o, e->>1 key, c.value - coalesce(sum((e->>2)::numeric) over later, 0) as value
        from jsonb_array_elements(batch->'c') with ordinality q(e, o) join counter c on c.platform_id = ps[${s}] and c.key = e->>1 where live[${s}]
        window later as (partition by ps[${s}], e->>1 order by q.o desc rows between unbounded preceding and 1 preceding)) q group by q.s loop
      sums[r.s] := r.f;
    end loop;
  end if;
  for i in 1..n loop
    if live[i] then facts[i] := jsonb_build_object('balances', coalesce(balances[i], '{}'), 'counters', coalesce(sums[i], '{}')); end if;
  end loop;`

const rest = `
  if batch ? 'e' then
    insert into event (platform_id, id, type, customer_id, subject, data, created_at, expires_at, facts)
      select ps[${s}], e->>1, e->>2, e->>3, e->>4, (e->>5)::json, ts[${s}], ws[${s}] + ${eventRetentionMillis}, facts[${s}] from jsonb_array_elements(batch->'e') e where live[${s}];
  end if;
  if batch ? 'j' then
    insert into job (platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds)
      select ps[${s}], e->>1, e->>2, e->>3, e->>4, e->>5, (e->>6)::bigint, (e->>7)::bigint, (e->>8)::json,
        e->>5 is null or (row_number() over (partition by ps[${s}], e->>2, e->>5 order by o) = 1 and (select true from job j
          where j.platform_id = ps[${s}] and j.queue = e->>2 and j.lane = e->>5 and j.holds limit 1) is null), e->>5 is not null
      from jsonb_array_elements(batch->'j') with ordinality q(e, o) where live[${s}] order by o;
    touched := touched || array(select distinct e->>2 from jsonb_array_elements(batch->'j') e where live[${s}]);
  end if;
  if batch ? 'y' then
    insert into replay as y (platform_id, key, fingerprint, status, answer, facts, expires_at)
      select ps[${s}], e->>1, e->>2, (e->>3)::int, (e->>4)::json, facts[${s}], (e->>5)::bigint from jsonb_array_elements(batch->'y') e where live[${s}]
      on conflict (platform_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
        answer = excluded.answer, facts = excluded.facts, expires_at = excluded.expires_at;
  end if;
  insert into operation (platform_id, id, facts, expires_at)
    select ps[${s}], os[${s}], facts[${s}], (e->>6)::bigint from jsonb_array_elements(batch->'sets') e where live[${s}];`

export const commitGroupFunction = `
create or replace function commit_group_$H(batch jsonb) returns text ${settings} as $body$
declare
  sets constant jsonb := batch->'locks';
  ps text[]; us text[]; os text[]; ts bigint[]; ws bigint[]; n int; k int; i int; w jsonb; r record; bad int[]; wanted int; found_rows int;
  live boolean[]; balances jsonb[]; sums jsonb[]; facts jsonb[]; touched text[] := '{}';
begin
  select array_agg(e->>1 order by o), array_agg(e->>2 order by o), array_agg(e->>3 order by o), array_agg((e->>4)::bigint order by o),
      array_agg((e->>5)::bigint order by o), count(*) into ps, us, os, ts, ws, n from jsonb_array_elements(batch->'sets') with ordinality q(e, o);
  live := array_fill(true, array[n]); balances := array_fill(null::jsonb, array[n]); sums := balances; facts := balances;
  ${takeLocks}
  ${checks}
  ${perKind("i", insertRecords)}
  ${perKind(
    "m",
    `select count(*) into wanted from jsonb_array_elements(w) e where live[${s}];
     ${updateRecords}
     get diagnostics found_rows = row_count;`,
    `if found_rows <> wanted then ${overtaken("record")}; end if;`,
  )}
  ${finishedJobs}
  ${uniqueKeys}
  ${ledger}
  ${counters}
  ${rest}
  return json_build_object('facts', array_to_json(facts), 'queues', array_to_json(touched))::text;
end $body$;`
