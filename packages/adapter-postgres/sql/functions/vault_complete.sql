-- vault_complete: makes a file of the document vault complete: without its row a file does not exist for readers.
-- Source: wire contract areas 1.2.8; D-375.

create or replace function countersign.vault_complete(file_key text, file_size bigint, file_sha256 text)
returns text
language sql
set search_path = pg_catalog, pg_temp
as $body$
  insert into countersign.vault_file (key, size, sha256) values (file_key, file_size, file_sha256);
  select '';
$body$;
