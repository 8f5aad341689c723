/**
 * The serial commit: an array of change sets, one after another in one transaction, each with its own outcome. A set is applied part
 * by part in the order of the reference; where a part refuses, what was written goes back to the set's savepoint.
 * Source: architecture, "Load, ask, decide, commit"; ports/ChangeSet.ts. `ChangeSetCode.ts` tells what a set's letters mean.
 */
import { eventRetentionMillis } from "@countersign/core/store"
import { locksOf, takeRows } from "./CommitLocks.ts"
import { findRecord, insertRecord, kindNames, updateRecord } from "./RecordStatements.ts"
import { isClaimed, readCommitted, settings } from "./Settings.ts"

// A code that ends in 000 would stand for all of its class, and take mistakes for refusals.
const refuse = (detail: string): string =>
  `raise exception 'refused' using errcode = 'CS003', detail = (${detail})::text`
const conflict = (on: string): string => refuse(`jsonb_build_object('_tag', 'Conflict', 'on', ${on})`)
const mistake = (message: string): string => `raise exception '%', 'change set: ' || ${message} using errcode = 'CS001'`

/**
 * The set's platform, told by the row `v` (a JSON array, or a string, which has no member): so that a table which the planner does not know yet
 * is looked up for each row by its whole key, and is not read for its platform first.
 */
const own = (row: string): string => `coalesce(${row}->>'', p)`

const records = `
  for e in select v from jsonb_array_elements(x->'i') v loop
    ${insertRecord}
    if not found then ${conflict("kinds[(e->>0)::int + 1] || ' ' || (e->>1)")}; end if;
  end loop;
  for e in select v from jsonb_array_elements(x->'m') v loop
    ${updateRecord}
    if not found then ${conflict("kinds[(e->>0)::int + 1] || ' ' || (e->>1)")}; end if;
    if (e->>5)::boolean then
      ${findRecord("(e->>0)::int", "e->>1")}
      delete from record_history h where h.owner_id = coalesce(head_customer, p) and h.id = e->>1 and h.kind = kinds[(e->>0)::int + 1];
    end if;
  end loop;
  for e in select v from jsonb_array_elements(x->'g') v loop
    ${findRecord("(e->>0)::int", "e->>1")}
    if head_version is distinct from (e->>2)::int or (u is not null and head_customer is distinct from u) then
      ${conflict("kinds[(e->>0)::int + 1] || ' ' || (e->>1)")};
    end if;
  end loop;`

const claimedJobs = `
  for e in select v from jsonb_array_elements(x->'f') v loop
    delete from job j where j.id = e->>0 and j.platform_id = p and (u is null or j.customer_id = u)
      and j.attempt = (e->>1)::int and ${isClaimed} returning j.queue, j.lane, j.sequence, j.holds into r;
    if not found then ${conflict("'job ' || (e->>0)")}; end if;
    touched := touched || r.queue;
    if r.lane is not null and r.holds then perform open_lane(r.queue, p, r.lane, r.sequence); end if;
  end loop;
  for e in select v from jsonb_array_elements(x->'b') v loop
    update job j set state = e->>2, not_before = (e->>3)::bigint, error = e->>4, payload = coalesce((e->>5)::json, j.payload),
        holds = j.lane is not null and (j.lane_hold_millis is null or (e->>2 <> 'parked' and j.first_claimed_at + j.lane_hold_millis > w)),
        holds_until = case when j.lane is not null and e->>2 <> 'parked' and j.first_claimed_at + j.lane_hold_millis > w
          then j.first_claimed_at + j.lane_hold_millis end
      where j.id = e->>0 and j.platform_id = p and (u is null or j.customer_id = u) and j.attempt = (e->>1)::int and ${isClaimed}
      returning j.queue, j.lane, j.sequence, j.holds into r;
    if not found then ${conflict("'job ' || (e->>0)")}; end if;
    touched := touched || r.queue;
    if r.lane is not null and not r.holds then perform open_lane(r.queue, p, r.lane, r.sequence); end if;
  end loop;`

// [key, scope, kind, kind's number, id, inserted by this set, customer]: an inserted record's owner is known.
const findOwner = `
    if (e->>5)::boolean then owner_customer := e->>6; else
      ${findRecord("(e->>3)::int", "e->>4")}
      if head_version is null or (u is not null and head_customer is distinct from u) then ${conflict("(e->>2) || ' ' || (e->>4)")}; end if;
      owner_customer := head_customer;
    end if;`

const uniqueKeys = `
  for e in select v from jsonb_array_elements(x->'r') v loop
    ${findOwner}
    delete from unique_key k where k.key = e->>0 and k.scope = e->>1 and k.kind = e->>2 and k.id = e->>4;
    if not found then ${conflict("(e->>2) || ' ' || (e->>4)")}; end if;
  end loop;
  for e in select v from jsonb_array_elements(x->'k') v loop
    ${findOwner}
    loop
      insert into unique_key (key, scope, kind, id, platform_id, customer_id)
        values (e->>0, e->>1, e->>2, e->>4, p, owner_customer) on conflict do nothing;
      exit when found;
      -- One that the record holds already is held fast: somebody may be giving it back.
      perform 1 from unique_key k where k.key = e->>0 and k.scope = e->>1 and k.kind = e->>2 and k.id = e->>4 for key share;
      exit when found;
      if exists (select from unique_key k where k.key = e->>0 and k.scope = e->>1) then
        ${refuse("jsonb_build_object('_tag', 'Taken', 'claim', jsonb_build_object('scope', case e->>1 when '' then 'global' else 'platform' end, 'key', e->>0))")};
      end if;
    end loop;
  end loop;`

const bound = (tag: string): string =>
  `jsonb_build_object('_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', '${tag}', 'account', r.id))`

const ledger = `
  if x ? 'la' then
    insert into ledger_account (owner_id, platform_id, id, currency, floor, customer_id)
      select coalesce(v->>3, p), p, v->>0, v->>1, (v->>2)::bigint, v->>3 from jsonb_array_elements(x->'la') v order by (v->>0) collate "C" on conflict do nothing;
    for r in select v->>0 id from jsonb_array_elements(x->'la') v where not exists (select from ledger_account a where a.id = v->>0 and a.platform_id = p
        and a.customer_id is not distinct from v->>3 and a.currency = v->>1 and a.floor is not distinct from (v->>2)::bigint) loop
      ${mistake("'ledger account ' || r.id || ' is open with other properties'")};
    end loop;
  end if;
  if x ? 'ta' or x ? 'as' then
    violated := null;
    perform 1 from ledger_account a where a.platform_id = p and a.id = any (array(
      select v->>0 from jsonb_array_elements(coalesce(x->'ta', '[]') || coalesce(x->'as', '[]')) v)) order by a.id for no key update;
    for r in select v.v->>0 id, (v.v->>1)::numeric total, v.v->>3 currency, a.id found, a.customer_id, a.currency own, a.floor, a.balance
        from jsonb_array_elements(x->'ta') with ordinality v(v, o) left join ledger_account a on a.platform_id = ${own("v.v")} and a.id = v.v->>0 order by v.o loop
      if r.found is null then ${mistake("'ledger account ' || r.id || ' is not open'")}; end if;
      if u is not null and r.customer_id is distinct from u then ${mistake("'ledger account ' || r.id || ' belongs to another tenant'")}; end if;
      if r.own is distinct from r.currency then ${mistake("'another currency moved on ledger account ' || r.id")}; end if;
      if violated is null and r.total < 0 and r.balance + r.total < r.floor then violated := ${bound("Floor")};
      elsif violated is null and abs(r.balance + r.total) > 9007199254740991 then violated := ${bound("Range")}; end if;
    end loop;
    for r in select v->>0 id from jsonb_array_elements(x->'as') with ordinality v(v, o) left join ledger_account a
        on a.platform_id = ${own("v")} and a.id = v->>0 and (u is null or a.customer_id = u) where coalesce(a.sequence, 0) <> (v->>1)::bigint order by o limit 1 loop
      ${conflict("'ledger account ' || r.id")};
    end loop;
    if violated is not null then ${refuse("violated")}; end if;
    update ledger_account a set balance = a.balance + d.total, sequence = a.sequence + d.n
      from (select ${own("v")} p, v->>0 id, (v->>1)::bigint total, (v->>2)::int n from jsonb_array_elements(x->'ta') v) d where a.platform_id = d.p and a.id = d.id;
    insert into ledger_entry (owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at)
      select a.owner_id, p, a.id, a.sequence - (v->>3)::int, (v->>1)::bigint, a.balance - (v->>2)::numeric, v->>4, x->>'o', (v->>5)::int, t
      from jsonb_array_elements(x->'lt') v join ledger_account a on a.platform_id = ${own("v")} and a.id = v->>0;
  end if;`

const counters = `
  if x ? 'ct' then
    insert into counter (owner_id, platform_id, key, value) select coalesce(v->>2, p), p, v->>0, 0 from jsonb_array_elements(x->'ct') v
      where not exists (select from counter c where c.platform_id = ${own("v")} and c.key = v->>0) order by (v->>0) collate "C" on conflict do nothing;
    perform 1 from counter c where c.platform_id = p and c.key = any (array(select v->>0 from jsonb_array_elements(x->'ct') v)) order by c.key for no key update;
    violated := null; wrong := null;
    for r in select v.v->>0 key, (v.v->>1)::numeric prefix, (v.v->>2)::numeric most, (v.v->>3)::numeric expected, c.value
        from jsonb_array_elements(x->'c') with ordinality v(v, o) join counter c on c.platform_id = ${own("v.v")} and c.key = v.v->>0 order by v.o loop
      if r.expected <> r.value then ${conflict("'counter ' || r.key")}; end if;
      continue when violated is not null or wrong is not null;
      if r.value + r.prefix > r.most then
        violated := jsonb_build_object('_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Counter', 'key', r.key));
      elsif r.value + r.prefix < 0 then wrong := 'counter ' || r.key || ' gives back more than was taken'; end if;
    end loop;
    if violated is not null then ${refuse("violated")}; end if;
    if wrong is not null then ${mistake("wrong")}; end if;
    update counter c set value = c.value + d.total from (select ${own("v")} p, v->>0 key, (v->>1)::bigint total from jsonb_array_elements(x->'ct') v) d
      where c.platform_id = d.p and c.key = d.key and d.total <> 0;
  end if;`

const sumsOf = `
  select concat_ws(',',
    (select string_agg(concat(coalesce(a.balance, 0), ',', coalesce(a.sequence, 0)), ',' order by o) from jsonb_array_elements(x->'ob') with ordinality v(v, o)
      left join ledger_account a on a.platform_id = ${own("v.v")} and a.id = v.v#>>'{}' and (u is null or a.customer_id = u)),
    (select string_agg(c.value::text, ',' order by o) from jsonb_array_elements(x->'ct') with ordinality v(v, o)
      join counter c on c.platform_id = ${own("v.v")} and c.key = v.v->>0)) into sums;`

const events = `
  if x ? 'e' then
    with ins as (insert into event (owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums)
      select coalesce(v->>2, p), p, v->>0, v->>1, v->>2, v->>3, (v->>4)::json, t, t + ${eventRetentionMillis}, (v->>5)::json, case when v->>5 is not null then sums end
      from jsonb_array_elements(x->'e') v on conflict do nothing returning id)
    select v->>0 into missing from jsonb_array_elements(x->'e') with ordinality v(v, o) where v->>0 not in (select ins.id from ins) order by o limit 1;
    if found then ${conflict("'event ' || missing")}; end if;
  end if;`

const jobs = `
  if x ? 'j' then
    with ins as (insert into job (owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds)
      select coalesce(v->>3, p), p, v->>0, v->>1, v->>2, v->>3, v->>4, (v->>5)::bigint, (v->>6)::bigint, (v->>7)::json,
        v->>4 is null or (row_number() over (partition by v->>1, v->>4 order by o) = 1 and ((v->>8)::boolean or (select true from job j
          where j.platform_id = p and j.queue = v->>1 and j.lane = v->>4 and j.holds limit 1) is null)), v->>4 is not null
      from jsonb_array_elements(x->'j') with ordinality v(v, o) order by o on conflict do nothing returning id)
    select v->>0 into missing from jsonb_array_elements(x->'j') with ordinality v(v, o) where v->>0 not in (select ins.id from ins) order by o limit 1;
    if found then ${conflict("'job ' || missing")}; end if;
    touched := touched || array(select distinct v->>1 from jsonb_array_elements(x->'j') v);
  end if;`

const receipts = `
  if x ? 'y' then
    insert into replay as y (platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at)
      values (p, x->'y'->>0, x->'y'->>1, (x->'y'->>2)::int, (x->'y'->>3)::json, x->>'o', (x->'y'->>5)::json, case when x->'y'->>5 is not null then sums end, (x->'y'->>4)::bigint)
      on conflict (platform_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
        operation_id = excluded.operation_id, shown = excluded.shown, sums = excluded.sums, expires_at = excluded.expires_at;
  else
    insert into operation (owner_id, platform_id, id, sums, expires_at) values (x->>'h', p, x->>'o', sums, (x->>'x')::bigint);
  end if;`

/** Whether the operation or its key was committed before. The receipt of an operation with a key is the answer under it. */
const recall = `
    if x ? 'y' then
      select case when y.operation_id = x->>'o' then jsonb_build_object('_tag', 'Committed', 'sums', y.sums)
          else jsonb_build_object('_tag', 'Replayed', 'stored', jsonb_build_object('fingerprint', y.fingerprint, 'status', y.status,
            'answer', y.answer::text, 'shown', y.shown, 'sums', y.sums)) end
        into outcome from replay y where y.platform_id = p and y.key = x->'y'->>0 and w < y.expires_at;
    else
      select jsonb_build_object('_tag', 'Committed', 'sums', o.sums) into outcome from operation o where o.owner_id = x->>'h' and o.id = x->>'o';
    end if;
    if outcome is null and (x->>'d')::boolean then outcome := jsonb_build_object('_tag', 'Conflict', 'on', 'validUntil'); end if;
    if outcome is not null then outcomes := outcomes || outcome; continue; end if;`

const named = `jsonb_array_elements(sets) v, jsonb_array_elements(v->'l') l, lateral (select l->>0 as name, (l->>1)::boolean alone) e`
const ended = `jsonb_array_elements(sets) v, jsonb_array_elements(coalesce(v->'f', '[]') || coalesce(v->'b', '[]')) f, lateral (select f->>0 id) e`

export const commitSerialFunction = `
create or replace function commit_serial_$H(sets jsonb) returns text ${settings} as $body$
declare
  kinds constant text[] := ${kindNames};
  outcomes jsonb[] := '{}'; outcome jsonb; sums text; violated jsonb; x jsonb; e jsonb; r record;
  head_version int; head_customer text; p text; u text; t bigint; w bigint; owner_customer text; missing text; wrong text; refusal text; touched text[];
begin
  ${readCommitted}
  ${locksOf(named, ended)}
  ${takeRows}
  for x in select v from jsonb_array_elements(sets) v loop
    p := x->>'p'; u := x->>'u'; t := (x->>'t')::bigint; w := (x->>'w')::bigint; outcome := null; touched := '{}';
    ${recall}
    begin
      ${records}
      ${claimedJobs}
      ${uniqueKeys}
      ${ledger}
      ${counters}
      ${sumsOf}
      ${jobs}
      ${events}
      ${receipts}
      outcomes := outcomes || jsonb_build_object('_tag', 'Committed', 'sums', sums, 'queues', to_jsonb(touched));
    exception when sqlstate 'CS003' then
      get stacked diagnostics refusal = pg_exception_detail;
      outcomes := outcomes || refusal::jsonb;
    end;
  end loop;
  return array_to_json(outcomes)::text;
end $body$;`
