-- Migration 3, one key: the id alone is the key of a record. The owner led a second unique index of every table, for
-- clusters that distribute tables by a column; on those the service does not start (docs/scale.md, "A cluster"), and
-- each row of every table paid for the index.
--
-- Without a primary key, logical replication of updates and deletions needs to be told by which index it finds a row.
-- Source: D-512. A released migration is never edited.

do $$
declare
  found record;
begin
  for found in
    select class.relname as name
    from pg_class as class
    join pg_constraint as first on first.conrelid = class.oid and first.contype = 'p'
      and first.conname = class.relname || '_pkey' and pg_get_constraintdef(first.oid) = 'PRIMARY KEY (owner_id, id)'
    join pg_constraint as second on second.conrelid = class.oid and second.contype = 'u'
      and second.conname = class.relname || '_id_key' and pg_get_constraintdef(second.oid) = 'UNIQUE (id)'
    where class.relnamespace = 'countersign'::regnamespace
    order by class.relname
  loop
    execute format('alter table countersign.%I drop constraint %I', found.name, found.name || '_pkey');
    execute format('alter table countersign.%I replica identity using index %I', found.name, found.name || '_id_key');
  end loop;
end $$;
