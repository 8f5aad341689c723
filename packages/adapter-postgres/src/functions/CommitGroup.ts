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

/** Accounts and counters have numbers in a batch (`k`), in the order of their names. */
const leg = `select (e->>0)::int s, (e->>1)::int k, (e->>2)::numeric total, (e->>3)::int n, e->>4 currency from jsonb_array_elements(batch->'ta') e`
const charge = `select (e->>0)::int s, (e->>1)::int k, (e->>2)::numeric delta, (e->>3)::numeric most, o
  from jsonb_array_elements(batch->'c') with ordinality q(e, o)`

const found = `
  if batch ? 'accounts' then
    select array_agg(e->>0 order by o), array_agg(e->>1 order by o), array_agg(a.owner_id order by o), array_agg(a.customer_id order by o),
        array_agg(a.currency order by o), array_agg(a.floor order by o), array_agg(a.balance order by o), array_agg(a.sequence order by o)
      into ap, ai, ah, au, ac, af, ab, aq
      from jsonb_array_elements(batch->'accounts') with ordinality q(e, o) left join ledger_account a on a.id = e->>1 and a.platform_id = e->>0;
  end if;
  if batch ? 'counters' then
    select array_agg(e->>0 order by o), array_agg(e->>1 order by o), array_agg(e->>2 order by o), array_agg(c.value order by o) into cp, ck, ch, cv
      from jsonb_array_elements(batch->'counters') with ordinality q(e, o) left join counter c on c.platform_id = e->>0 and c.key = e->>1;
  end if;`

const checks = `
  select array_agg(q.s) into bad from (
    select ${s} s from jsonb_array_elements(batch->'sets') e join operation o on o.owner_id = hs[${s}] and o.id = os[${s}]
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
  ${found}
  if batch ? 'ta' then
    -- An account is in danger when all that leaves it, or all that enters, would pass a bound: then the order would matter.
    select array_agg(q.s) into bad from (
      select l.s, ah[l.k] is null or (us[l.s] is not null and au[l.k] is distinct from us[l.s]) or ac[l.k] is distinct from l.currency wrong,
        af[l.k] "floor", ab[l.k] + sum(least(l.total, 0)) over account low, ab[l.k] + sum(greatest(l.total, 0)) over account high
      from (${leg}) l where live[l.s] window account as (partition by l.k)) q
      where q.wrong or q.low < q.floor or q.low < -9007199254740991 or q.high > 9007199254740991;
    ${leaveOut}
  end if;
  if batch ? 'c' then
    select array_agg(q.s) into bad from (
      select c.s, coalesce(cv[c.k], 0) + sum(greatest(c.delta, 0)) over counter high, coalesce(cv[c.k], 0) + sum(least(c.delta, 0)) over counter low,
        min(c.most) over counter most
      from (${charge}) c where live[c.s] window counter as (partition by c.k)) q where q.high > q.most or q.low < 0;
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
    select count(distinct l.k) into wanted from (${leg}) l where live[l.s];
    for r in update ledger_account a set balance = a.balance + d.total, sequence = a.sequence + d.n from (
        select l.k, sum(l.total)::bigint total, sum(least(l.total, 0)) low, sum(greatest(l.total, 0)) high, sum(l.n) n
        from (${leg}) l where live[l.s] group by l.k order by l.k) d
        where a.id = ai[d.k] and a.platform_id = ap[d.k] and (a.floor is null or a.balance + d.low >= a.floor)
          and a.balance + d.low >= -9007199254740991 and a.balance + d.high <= 9007199254740991
        returning d.k, a.balance, a.sequence loop
      ab[r.k] := r.balance; aq[r.k] := r.sequence; moved := moved || r.k; wanted := wanted - 1;
    end loop;
    if wanted <> 0 then ${overtaken("balance")}; end if;
    insert into ledger_entry (owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at)
      select ah[l.k], ap[l.k], ai[l.k], aq[l.k] - count(*) over later, l.amount, ab[l.k] - coalesce(sum(l.amount) over later, 0), l.reference, os[l.s], l.transfer, ts[l.s]
      from (select (e->>0)::int s, (e->>1)::int k, (e->>2)::bigint amount, e->>3 reference, (e->>4)::int transfer, o
        from jsonb_array_elements(batch->'lt') with ordinality q(e, o)) l where live[l.s]
      window later as (partition by l.k order by l.o desc rows between unbounded preceding and 1 preceding);
  end if;`

const counters = `
  if batch ? 'c' then
    select count(distinct c.k) into wanted from (${charge}) c where live[c.s] and cv[c.k] is not null;
    for r in update counter c set value = c.value + d.total from (
        select c.k, sum(c.delta)::bigint total, sum(least(c.delta, 0)) low, sum(greatest(c.delta, 0)) high, min(c.most) most
        from (${charge}) c where live[c.s] and cv[c.k] is not null group by c.k order by c.k) d
        where c.platform_id = cp[d.k] and c.key = ck[d.k] and c.value + d.high <= d.most and c.value + d.low >= 0
        returning d.k, c.value loop
      cv[r.k] := r.value; wanted := wanted - 1;
    end loop;
    if wanted <> 0 then ${overtaken("counter")}; end if;
    -- One that is new was found to hold all of it; somebody else may begin it at the same time.
    for r in with d as materialized (
          select c.k, sum(c.delta)::bigint total, sum(greatest(c.delta, 0)) high, min(c.most) most
          from (${charge}) c where live[c.s] and cv[c.k] is null group by c.k order by c.k),
        begun as (insert into counter as c (owner_id, platform_id, key, value) select coalesce(ch[d.k], cp[d.k]), cp[d.k], ck[d.k], d.total from d
          on conflict (platform_id, key) do update set value = c.value + excluded.value returning c.platform_id, c.key, c.value)
        select d.k, b.value, b.value - d.total + d.high > d.most passed from d join begun b on b.key = ck[d.k] and b.platform_id = cp[d.k] loop
      if r.passed then ${overtaken("counter")}; end if;
      cv[r.k] := r.value;
    end loop;
    for r in select q.s, jsonb_object_agg(ck[q.k], cv[q.k] - q.total order by q.o) f from (
        select c.s, c.k, c.o, coalesce(sum(c.delta) over later, 0) total from (${charge}) c where live[c.s]
        window later as (partition by c.k order by c.o desc rows between unbounded preceding and 1 preceding)) q group by q.s loop
      sums[r.s] := r.f;
    end loop;
  end if;`

/** When everything is held, as what a set only observes may have been moved by others until then. */
const facts = `
  for r in select q.k, a.customer_id, a.balance, a.sequence from (select distinct (e->>1)::int k from jsonb_array_elements(batch->'ob') e where live[${s}]) q
      join ledger_account a on a.id = ai[q.k] and a.platform_id = ap[q.k] where q.k <> all (moved) loop
    au[r.k] := r.customer_id; ab[r.k] := r.balance; aq[r.k] := r.sequence;
  end loop;
  -- A set's facts are what stood after it: the balance now, without what the sets after it moved.
  for r in select q.s, jsonb_object_agg(ai[q.k], case when us[q.s] is null or au[q.k] = us[q.s]
        then jsonb_build_object('balance', coalesce(ab[q.k] - q.total, 0), 'sequence', coalesce(aq[q.k] - q.n, 0))
        else '{"balance":0,"sequence":0}' end) f from (
      select (e->>0)::int s, (e->>1)::int k, coalesce(sum((e->>2)::numeric) over later, 0) total, coalesce(sum((e->>3)::int) over later, 0) n
      from jsonb_array_elements(batch->'ob') e where live[${s}]
      window later as (partition by (e->>1)::int order by ${s} desc rows between unbounded preceding and 1 preceding)) q group by q.s loop
    balances[r.s] := r.f;
  end loop;
  for i in 1..n loop
    if live[i] then facts[i] := jsonb_build_object('balances', coalesce(balances[i], '{}'), 'counters', coalesce(sums[i], '{}')); end if;
  end loop;`

const rest = `
  if batch ? 'e' then
    insert into event (owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, facts)
      select coalesce(e->>3, ps[${s}]), ps[${s}], e->>1, e->>2, e->>3, e->>4, (e->>5)::json, ts[${s}], ts[${s}] + ${eventRetentionMillis}, facts[${s}]
      from jsonb_array_elements(batch->'e') e where live[${s}];
  end if;
  if batch ? 'j' then
    insert into job (owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds)
      select coalesce(e->>4, ps[${s}]), ps[${s}], e->>1, e->>2, e->>3, e->>4, e->>5, (e->>6)::bigint, (e->>7)::bigint, (e->>8)::json,
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
  insert into operation (owner_id, platform_id, id, facts, expires_at)
    select hs[${s}], ps[${s}], os[${s}], facts[${s}], (e->>6)::bigint from jsonb_array_elements(batch->'sets') e where live[${s}];`

export const commitGroupFunction = `
create or replace function commit_group_$H(batch jsonb) returns text ${settings} as $body$
declare
  sets constant jsonb := batch->'locks';
  ps text[]; us text[]; os text[]; hs text[]; ts bigint[]; ws bigint[]; n int; k int; i int; w jsonb; r record; bad int[]; wanted int; found_rows int;
  ap text[]; ai text[]; ah text[]; au text[]; ac text[]; af bigint[]; ab bigint[]; aq bigint[]; cp text[]; ck text[]; ch text[]; cv bigint[]; moved int[] := '{}';
  live boolean[]; balances jsonb[]; sums jsonb[]; facts jsonb[]; touched text[] := '{}';
begin
  select array_agg(e->>1 order by o), array_agg(e->>2 order by o), array_agg(e->>3 order by o), array_agg((e->>4)::bigint order by o),
      array_agg((e->>5)::bigint order by o), array_agg(e->>7 order by o), count(*) into ps, us, os, ts, ws, hs, n from jsonb_array_elements(batch->'sets') with ordinality q(e, o);
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
  ${facts}
  ${rest}
  return json_build_object('facts', array_to_json(facts), 'queues', array_to_json(touched))::text;
end $body$;`
