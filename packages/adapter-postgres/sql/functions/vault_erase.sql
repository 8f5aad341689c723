-- vault_erase: erases a file of the document vault, complete or not.
-- Source: wire contract areas 1.2.8; D-375.

create or replace function countersign.vault_erase(file_key text)
returns text
language sql
set search_path = pg_catalog, pg_temp
as $body$
  delete from countersign.vault_file as file where file.key = file_key;
  delete from countersign.vault_chunk as chunk where chunk.key = file_key;
  select '';
$body$;
