/**
 * Events end: each has the wall time from which it may be forgotten. Unique keys of external accounts no longer show the account.
 * Source: D-055, D-056.
 */
import type { Migration } from "./Migration.ts"

// The default serves processes of the release before, which do not write the column.
const retention = `
alter table event add column expires_at bigint not null default (extract(epoch from now()) * 1000)::bigint + 2592000000;
create index event_expires on event (expires_at);
`

// Until here there were US accounts only: owner, currency, type, account number and routing number, in clear between bars.
const part = (n: number): string => `split_part(substr(key, length('external-account:') + 1), '|', ${n})`
const hashedKeys = `
update unique_key set key = 'external-account:' || encode(sha256(convert_to(
    '["' || ${part(1)} || '","' || ${part(2)} || '","' || ${part(3)} || '","' || ${part(4)} || '","' || ${part(5)} || '"]', 'UTF8')), 'hex')
  where key like 'external-account:%|USD|USD_ACCOUNT|%';
`

export const retentionOfEvents: Migration = { version: 2, name: "retention", sql: retention + hashedKeys }
