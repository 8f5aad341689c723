/**
 * Reads by name, many in one trip: one statement for each kind of record, and for balances, counters, kept answers and events, each
 * serves all who ask. It is stable: everything is of one moment.
 * Source: architecture, "The Store port" (read: many in one trip). `Points.ts` tells what goes in and out.
 */
import { aheadText } from "../schema/BusinessTime.ts"
import { type KindTable, kindTables, quoted } from "../schema/KindTables.ts"
import { kindNames } from "./RecordStatements.ts"
import { settings } from "./Settings.ts"

/** Rows are [number, platform, agent's customer or null, ...]: only what the caller's tenant owns is there. */
const seen = (alias: string): string =>
  `${alias}.platform_id = e->>1 and (e->>2 is null or ${alias}.customer_id = e->>2)`

const found = (table: KindTable): string => `
  when ${table.number} then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join ${quoted(table.table)} c on c.id = e->>3 and ${seen("c")};`

export const readPointsFunction = `
create or replace function read_points_$H(asked jsonb) returns text stable ${settings} as $body$
declare
  kinds constant text[] := ${kindNames};
  wanted jsonb := coalesce(asked->'records', '[]'); k int; w jsonb; part text; records text; balances text; counters text; replays text; events text;
begin
  if asked ? 'holders' then
    select wanted || coalesce(jsonb_agg(jsonb_build_array(h.k, h.rows)), '[]') into wanted from (
      select array_position(kinds, u.kind) - 1 k, jsonb_agg(jsonb_build_array(e->0, u.platform_id, null, u.id)) as rows
        from jsonb_array_elements(asked->'holders') e join unique_key u on u.key = e->>1 and u.scope = '' group by 1) h;
  end if;
  for i in 0..jsonb_array_length(wanted) - 1 loop
    k := (wanted->i->>0)::int;
    w := wanted->i->1;
    case k ${kindTables.map(found).join("")}
    end case;
    if part is not null then records := concat_ws(',', records, concat('[', k, ',', part, ']')); end if;
  end loop;
  if asked ? 'balances' then
    select json_agg(json_build_array(e->0, a.id, a.balance, a.sequence))::text into balances
      from jsonb_array_elements(asked->'balances') e join ledger_account a on a.id = e->>3 and ${seen("a")};
  end if;
  if asked ? 'counters' then
    select json_agg(json_build_array(e->0, c.key, c.value))::text into counters
      from jsonb_array_elements(asked->'counters') e join counter c on c.platform_id = e->>1 and c.key = e->>2;
  end if;
  if asked ? 'replays' then
    select json_agg(json_build_array(e->0, y.fingerprint, y.status, y.answer, y.shown, y.sums))::text into replays
      from jsonb_array_elements(asked->'replays') e join replay y on y.platform_id = e->>1 and y.key = e->>2 and (e->>3)::bigint < y.expires_at;
  end if;
  if asked ? 'events' then
    select json_agg(json_build_array(e->0, v.id, v.platform_id, v.customer_id, v.type, v.subject, v.data, v.created_at, v.shown, v.sums))::text into events
      from jsonb_array_elements(asked->'events') e join event v on v.id = e->>3 and ${seen("v")};
  end if;
  return concat('{"ahead":', ${aheadText}, ',"records":[', records, '],"balances":', coalesce(balances, '[]'), ',"counters":', coalesce(counters, '[]'),
    ',"replays":', coalesce(replays, '[]'), ',"events":', coalesce(events, '[]'), '}');
end $body$;`
