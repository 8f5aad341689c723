-- vault_add_chunk: adds the bytes of one row to a file of the document vault.
-- Source: wire contract areas 1.2.8; D-375.

create or replace function countersign.vault_add_chunk(file_key text, chunk_number int, base64 text)
returns text
language sql
set search_path = pg_catalog, pg_temp
as $body$
  insert into countersign.vault_chunk (key, number, bytes) values (file_key, chunk_number, decode(base64, 'base64'));
  select '';
$body$;
