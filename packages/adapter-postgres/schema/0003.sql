-- Schema 3 (one key), as it was released.

create schema countersign;

set check_function_bodies = off;

-- Tables

create table countersign.agent (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  is_paused jsonb,
  is_connected jsonb,
  is_deleted jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.agent_action (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  agent_id jsonb,
  status jsonb,
  type jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.api_token (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  name jsonb,
  is_deleted jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.approver (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  key jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.audit_record (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  actor_id jsonb,
  operation jsonb,
  target jsonb,
  outcome jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.beneficial_owner (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.bulk_import (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.bulk_import_error (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  import_id jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.business_time (
  one boolean default true not null,
  ahead_millis bigint not null,
  mover text not null,
  held_until bigint not null
);

create table countersign.card (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  platform_card_id jsonb,
  state jsonb,
  funding_sources jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.card_transaction (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  card_id jsonb,
  status jsonb,
  platform_customer_id jsonb,
  account_id jsonb,
  issuer_transaction_token jsonb,
  is_unapplied jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.console_session (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  status jsonb,
  token_id jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.counter (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  key text collate "C" not null,
  value bigint not null
) with (fillfactor=50);

create table countersign.credential (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  account_id jsonb,
  type jsonb,
  contact jsonb,
  is_revoked jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.customer (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  platform_customer_id jsonb,
  customer_type jsonb,
  uma_address jsonb,
  region jsonb,
  currencies jsonb,
  is_deleted jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.delegated_key (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  account_id jsonb,
  funding_source_id jsonb,
  status jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.device_code (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  agent_id jsonb,
  status jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.document (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  document_holder jsonb,
  is_deleted jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.event (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  type text not null,
  subject text not null,
  data json not null,
  shown json,
  sums text,
  created_at bigint not null,
  expires_at bigint not null
);

create table countersign.event_attempt (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  event_id text collate "C" not null,
  number integer not null,
  data json not null
);

create table countersign.external_account (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  currency jsonb,
  status jsonb,
  is_default_uma_deposit jsonb,
  is_of_platform jsonb,
  is_deleted jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.internal_account (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  currency jsonb,
  type jsonb,
  status jsonb,
  is_platform jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.invitation (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.job (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  sequence bigint generated always as identity not null,
  queue text collate "C" not null,
  kind text not null,
  lane text collate "C",
  lane_hold_millis bigint,
  due_at bigint not null,
  payload json not null,
  state text default 'waiting'::text not null,
  attempt integer default 0 not null,
  not_before bigint default 0 not null,
  first_claimed_at bigint,
  worker text,
  session integer,
  error text,
  open boolean not null,
  holds boolean not null,
  holds_until bigint
) with (fillfactor=70);

create table countersign.job_line (
  queue text collate "C" not null,
  platform_id text collate "C" not null,
  served bigint not null
);

create table countersign.ledger_account (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  currency text not null,
  floor bigint,
  balance bigint default 0 not null,
  sequence bigint default 0 not null
) with (fillfactor=50);

create table countersign.ledger_entry (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  account_id text collate "C" not null,
  sequence bigint not null,
  amount bigint not null,
  balance_after bigint not null,
  reference text not null,
  operation_id text not null,
  transfer integer not null,
  at bigint not null
);

create table countersign.operation (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  id text collate "C" not null,
  sums text not null,
  expires_at bigint not null
);

create table countersign.otp_challenge (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.platform (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.quote (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.record_history (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  kind text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
);

create table countersign.replay (
  platform_id text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  status integer not null,
  answer json not null,
  operation_id text not null,
  shown json,
  sums text,
  expires_at bigint not null
);

create table countersign.sca_profile (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.schema_version (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null
);

create table countersign.session (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  account_id jsonb,
  auth_method_id jsonb,
  public_key jsonb,
  status jsonb,
  expires_at jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.signed_request (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.stablecoin (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  provider jsonb,
  issuance_status jsonb,
  service_operations_status jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.stablecoin_operation (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  stablecoin_id jsonb,
  operation_type jsonb,
  status jsonb,
  request_key jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.stablecoin_provider_account (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  provider jsonb,
  status jsonb,
  provider_account_id jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.stored_file (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.transaction (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  status jsonb,
  type jsonb,
  platform_customer_id jsonb,
  reference jsonb,
  source_account_id jsonb,
  destination_account_id jsonb,
  agent_id jsonb,
  is_unapplied jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.unique_key (
  key text collate "C" not null,
  scope text collate "C" not null,
  kind text not null,
  id text not null,
  platform_id text not null,
  customer_id text
);

create table countersign.vault_chunk (
  key text collate "C" not null,
  number integer not null,
  bytes bytea not null
);

create table countersign.vault_file (
  key text collate "C" not null,
  size bigint not null,
  sha256 text not null,
  stored_at timestamp with time zone default now() not null
);

create table countersign.verification (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  verification_status jsonb,
  data json not null
) with (fillfactor=70);

create table countersign.wallet (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.wallet_root (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.webhook_endpoint (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.webhook_key_ring (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null
) with (fillfactor=70);

create table countersign.worker_session (
  session integer not null
);

-- Constraints

alter table countersign.business_time add constraint business_time_pkey PRIMARY KEY (one);

alter table countersign.counter add constraint counter_pkey PRIMARY KEY (owner_id, key);

alter table countersign.event_attempt add constraint event_attempt_pkey PRIMARY KEY (owner_id, event_id, number);

alter table countersign.job_line add constraint job_line_pkey PRIMARY KEY (queue, platform_id);

alter table countersign.ledger_entry add constraint ledger_entry_pkey PRIMARY KEY (owner_id, account_id, sequence);

alter table countersign.operation add constraint operation_pkey PRIMARY KEY (owner_id, id);

alter table countersign.record_history add constraint record_history_pkey PRIMARY KEY (owner_id, id, kind, version);

alter table countersign.replay add constraint replay_pkey PRIMARY KEY (platform_id, key);

alter table countersign.schema_version add constraint schema_version_pkey PRIMARY KEY (version);

alter table countersign.unique_key add constraint unique_key_pkey PRIMARY KEY (key, scope);

alter table countersign.vault_chunk add constraint vault_chunk_pkey PRIMARY KEY (key, number);

alter table countersign.vault_file add constraint vault_file_pkey PRIMARY KEY (key);

alter table countersign.worker_session add constraint worker_session_pkey PRIMARY KEY (session);

alter table countersign.agent add constraint agent_id_key UNIQUE (id);

alter table countersign.agent_action add constraint agent_action_id_key UNIQUE (id);

alter table countersign.api_token add constraint api_token_id_key UNIQUE (id);

alter table countersign.approver add constraint approver_id_key UNIQUE (id);

alter table countersign.audit_record add constraint audit_record_id_key UNIQUE (id);

alter table countersign.beneficial_owner add constraint beneficial_owner_id_key UNIQUE (id);

alter table countersign.bulk_import add constraint bulk_import_id_key UNIQUE (id);

alter table countersign.bulk_import_error add constraint bulk_import_error_id_key UNIQUE (id);

alter table countersign.card add constraint card_id_key UNIQUE (id);

alter table countersign.card_transaction add constraint card_transaction_id_key UNIQUE (id);

alter table countersign.console_session add constraint console_session_id_key UNIQUE (id);

alter table countersign.counter add constraint counter_platform_id_key_key UNIQUE (platform_id, key);

alter table countersign.credential add constraint credential_id_key UNIQUE (id);

alter table countersign.customer add constraint customer_id_key UNIQUE (id);

alter table countersign.delegated_key add constraint delegated_key_id_key UNIQUE (id);

alter table countersign.device_code add constraint device_code_id_key UNIQUE (id);

alter table countersign.document add constraint document_id_key UNIQUE (id);

alter table countersign.event add constraint event_id_key UNIQUE (id);

alter table countersign.external_account add constraint external_account_id_key UNIQUE (id);

alter table countersign.internal_account add constraint internal_account_id_key UNIQUE (id);

alter table countersign.invitation add constraint invitation_id_key UNIQUE (id);

alter table countersign.job add constraint job_id_key UNIQUE (id);

alter table countersign.ledger_account add constraint ledger_account_id_key UNIQUE (id);

alter table countersign.otp_challenge add constraint otp_challenge_id_key UNIQUE (id);

alter table countersign.platform add constraint platform_id_key UNIQUE (id);

alter table countersign.quote add constraint quote_id_key UNIQUE (id);

alter table countersign.sca_profile add constraint sca_profile_id_key UNIQUE (id);

alter table countersign.session add constraint session_id_key UNIQUE (id);

alter table countersign.signed_request add constraint signed_request_id_key UNIQUE (id);

alter table countersign.stablecoin add constraint stablecoin_id_key UNIQUE (id);

alter table countersign.stablecoin_operation add constraint stablecoin_operation_id_key UNIQUE (id);

alter table countersign.stablecoin_provider_account add constraint stablecoin_provider_account_id_key UNIQUE (id);

alter table countersign.stored_file add constraint stored_file_id_key UNIQUE (id);

alter table countersign.transaction add constraint transaction_id_key UNIQUE (id);

alter table countersign.verification add constraint verification_id_key UNIQUE (id);

alter table countersign.wallet add constraint wallet_id_key UNIQUE (id);

alter table countersign.wallet_root add constraint wallet_root_id_key UNIQUE (id);

alter table countersign.webhook_endpoint add constraint webhook_endpoint_id_key UNIQUE (id);

alter table countersign.webhook_key_ring add constraint webhook_key_ring_id_key UNIQUE (id);

alter table countersign.business_time add constraint business_time_one_check CHECK (one);

alter table countersign.counter add constraint counter_value_check CHECK ((value <= '9007199254740991'::bigint));

alter table countersign.job add constraint job_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'parked'::text])));

alter table countersign.ledger_account add constraint floor_kept CHECK ((balance >= floor));

alter table countersign.ledger_account add constraint sums_exact CHECK (((balance >= '-9007199254740991'::bigint) AND (balance <= '9007199254740991'::bigint)));

alter table countersign.ledger_entry add constraint ledger_entry_amount_check CHECK ((amount <> 0));

-- Indexes

CREATE INDEX agent_action_by_agent_id_9dac4 ON countersign.agent_action USING btree (platform_id, ((agent_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((agent_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX agent_action_by_agent_id_sample_d10f0 ON countersign.agent_action USING btree (platform_id, ((agent_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((agent_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX agent_action_listed_a41ea ON countersign.agent_action USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status);

CREATE INDEX agent_action_listed_sample_7b01c ON countersign.agent_action USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX agent_action_owned_bea41 ON countersign.agent_action USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status);

CREATE INDEX agent_action_owned_sample_8053c ON countersign.agent_action USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX agent_listed_ba4d4 ON countersign.agent USING btree (platform_id, ((is_paused #>> '{}'::text[])) COLLATE "C", ((is_connected #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_paused, is_connected, is_deleted);

CREATE INDEX agent_listed_sample_e35ba ON countersign.agent USING btree (platform_id, ((is_paused #>> '{}'::text[])) COLLATE "C", ((is_connected #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_paused, is_connected, is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX agent_owned_8e0fe ON countersign.agent USING btree (platform_id, owner_id, ((is_paused #>> '{}'::text[])) COLLATE "C", ((is_connected #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_paused, is_connected, is_deleted);

CREATE INDEX agent_owned_sample_69445 ON countersign.agent USING btree (platform_id, owner_id, ((is_paused #>> '{}'::text[])) COLLATE "C", ((is_connected #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_paused, is_connected, is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX agent_updated_93eca ON countersign.agent USING btree (platform_id, ((is_paused #>> '{}'::text[])) COLLATE "C", ((is_connected #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", updated_at, created_at, id) INCLUDE (is_paused, is_connected, is_deleted);

CREATE INDEX agent_updated_sample_3fc7e ON countersign.agent USING btree (platform_id, ((is_paused #>> '{}'::text[])) COLLATE "C", ((is_connected #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", updated_at, created_at, id) INCLUDE (is_paused, is_connected, is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX api_token_by_name_ab4ab ON countersign.api_token USING btree (platform_id, ((name #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((name #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX api_token_by_name_sample_7af8c ON countersign.api_token USING btree (platform_id, ((name #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((name #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX api_token_listed_62385 ON countersign.api_token USING btree (platform_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_deleted);

CREATE INDEX api_token_listed_sample_5c335 ON countersign.api_token USING btree (platform_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX api_token_owned_05da2 ON countersign.api_token USING btree (platform_id, owner_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_deleted);

CREATE INDEX api_token_owned_sample_5fad2 ON countersign.api_token USING btree (platform_id, owner_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX api_token_updated_c3170 ON countersign.api_token USING btree (platform_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", updated_at, created_at, id) INCLUDE (is_deleted);

CREATE INDEX api_token_updated_sample_45353 ON countersign.api_token USING btree (platform_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", updated_at, created_at, id) INCLUDE (is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX approver_by_key_3d966 ON countersign.approver USING btree (platform_id, ((key #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((key #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX approver_listed_b6609 ON countersign.approver USING btree (platform_id, created_at, id);

CREATE INDEX approver_owned_57c98 ON countersign.approver USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX audit_record_by_actor_id_978a2 ON countersign.audit_record USING btree (platform_id, ((actor_id #>> '{}'::text[])) COLLATE "C", ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((actor_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX audit_record_by_actor_id_sample_e2361 ON countersign.audit_record USING btree (platform_id, ((actor_id #>> '{}'::text[])) COLLATE "C", ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((actor_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX audit_record_by_operation_bac85 ON countersign.audit_record USING btree (platform_id, ((operation #>> '{}'::text[])) COLLATE "C", ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((operation #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX audit_record_by_operation_sample_030a1 ON countersign.audit_record USING btree (platform_id, ((operation #>> '{}'::text[])) COLLATE "C", ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((operation #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX audit_record_by_target_54708 ON countersign.audit_record USING btree (platform_id, ((target #>> '{}'::text[])) COLLATE "C", ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((target #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX audit_record_by_target_sample_b1f5f ON countersign.audit_record USING btree (platform_id, ((target #>> '{}'::text[])) COLLATE "C", ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((target #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX audit_record_listed_cde92 ON countersign.audit_record USING btree (platform_id, ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (outcome);

CREATE INDEX audit_record_listed_sample_36bf0 ON countersign.audit_record USING btree (platform_id, ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (outcome) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX audit_record_owned_a68aa ON countersign.audit_record USING btree (platform_id, owner_id, ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (outcome);

CREATE INDEX audit_record_owned_sample_08a7e ON countersign.audit_record USING btree (platform_id, owner_id, ((outcome #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (outcome) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX beneficial_owner_listed_b6609 ON countersign.beneficial_owner USING btree (platform_id, created_at, id);

CREATE INDEX beneficial_owner_listed_sample_b50db ON countersign.beneficial_owner USING btree (platform_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX beneficial_owner_owned_57c98 ON countersign.beneficial_owner USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX beneficial_owner_owned_sample_cbfdb ON countersign.beneficial_owner USING btree (platform_id, owner_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX bulk_import_error_by_import_id_0d30c ON countersign.bulk_import_error USING btree (platform_id, ((import_id #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((import_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX bulk_import_error_listed_b6609 ON countersign.bulk_import_error USING btree (platform_id, created_at, id);

CREATE INDEX bulk_import_error_owned_57c98 ON countersign.bulk_import_error USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX bulk_import_listed_b6609 ON countersign.bulk_import USING btree (platform_id, created_at, id);

CREATE INDEX bulk_import_owned_57c98 ON countersign.bulk_import USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX card_by_platform_card_id_8f03c ON countersign.card USING btree (platform_id, ((platform_card_id #>> '{}'::text[])) COLLATE "C", ((state #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((platform_card_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX card_by_platform_card_id_sample_0cfa3 ON countersign.card USING btree (platform_id, ((platform_card_id #>> '{}'::text[])) COLLATE "C", ((state #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((platform_card_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX card_in_funding_sources_f49e0 ON countersign.card USING gin (funding_sources jsonb_path_ops);

CREATE INDEX card_listed_05945 ON countersign.card USING btree (platform_id, ((state #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (state);

CREATE INDEX card_listed_sample_408c7 ON countersign.card USING btree (platform_id, ((state #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (state) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX card_owned_17a78 ON countersign.card USING btree (platform_id, owner_id, ((state #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (state);

CREATE INDEX card_owned_sample_0fe7b ON countersign.card USING btree (platform_id, owner_id, ((state #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (state) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX card_transaction_by_account_id_fe45e ON countersign.card_transaction USING btree (platform_id, ((account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX card_transaction_by_account_id_sample_6c446 ON countersign.card_transaction USING btree (platform_id, ((account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX card_transaction_by_card_id_568f6 ON countersign.card_transaction USING btree (platform_id, ((card_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((card_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX card_transaction_by_card_id_sample_a477a ON countersign.card_transaction USING btree (platform_id, ((card_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((card_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX card_transaction_by_is_unapplied ON countersign.card_transaction USING btree (platform_id, created_at) WHERE (is_unapplied = 'true'::jsonb);

CREATE INDEX card_transaction_by_issuer_transaction_token_f7817 ON countersign.card_transaction USING btree (platform_id, ((issuer_transaction_token #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((issuer_transaction_token #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX card_transaction_by_issuer_transaction_token_sample_96685 ON countersign.card_transaction USING btree (platform_id, ((issuer_transaction_token #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((issuer_transaction_token #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX card_transaction_listed_a41ea ON countersign.card_transaction USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status);

CREATE INDEX card_transaction_listed_sample_7b01c ON countersign.card_transaction USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX card_transaction_owned_bea41 ON countersign.card_transaction USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status);

CREATE INDEX card_transaction_owned_sample_8053c ON countersign.card_transaction USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX console_session_listed_b6609 ON countersign.console_session USING btree (platform_id, created_at, id);

CREATE INDEX console_session_owned_57c98 ON countersign.console_session USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX counter_limit ON countersign.counter USING btree (key) WHERE ((key >= 'limit:'::text) AND (key < 'limit;'::text));

CREATE INDEX credential_by_account_id_a031c ON countersign.credential USING btree (platform_id, ((account_id #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX credential_by_account_id_sample_9f46b ON countersign.credential USING btree (platform_id, ((account_id #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX credential_by_contact_65bf1 ON countersign.credential USING btree (platform_id, ((contact #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((contact #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX credential_by_contact_sample_97130 ON countersign.credential USING btree (platform_id, ((contact #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((contact #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX credential_listed_b6609 ON countersign.credential USING btree (platform_id, created_at, id);

CREATE INDEX credential_listed_sample_b50db ON countersign.credential USING btree (platform_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX credential_owned_57c98 ON countersign.credential USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX credential_owned_sample_cbfdb ON countersign.credential USING btree (platform_id, owner_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX customer_by_platform_customer_id_f5803 ON countersign.customer USING btree (platform_id, ((platform_customer_id #>> '{}'::text[])) COLLATE "C", ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((platform_customer_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX customer_by_platform_customer_id_sample_8021e ON countersign.customer USING btree (platform_id, ((platform_customer_id #>> '{}'::text[])) COLLATE "C", ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((platform_customer_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX customer_by_region_a530d ON countersign.customer USING btree (platform_id, ((region #>> '{}'::text[])) COLLATE "C", ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((region #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX customer_by_region_sample_18f24 ON countersign.customer USING btree (platform_id, ((region #>> '{}'::text[])) COLLATE "C", ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((region #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX customer_by_uma_address_5ea96 ON countersign.customer USING btree (platform_id, ((uma_address #>> '{}'::text[])) COLLATE "C", ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((uma_address #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX customer_by_uma_address_sample_9978d ON countersign.customer USING btree (platform_id, ((uma_address #>> '{}'::text[])) COLLATE "C", ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((uma_address #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX customer_in_currencies_f5343 ON countersign.customer USING gin (currencies jsonb_path_ops);

CREATE INDEX customer_listed_33308 ON countersign.customer USING btree (platform_id, ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (customer_type, is_deleted);

CREATE INDEX customer_listed_sample_dc855 ON countersign.customer USING btree (platform_id, ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (customer_type, is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX customer_owned_930bd ON countersign.customer USING btree (platform_id, owner_id, ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (customer_type, is_deleted);

CREATE INDEX customer_owned_sample_5cac1 ON countersign.customer USING btree (platform_id, owner_id, ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (customer_type, is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX customer_updated_fedf5 ON countersign.customer USING btree (platform_id, ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", updated_at, created_at, id) INCLUDE (customer_type, is_deleted);

CREATE INDEX customer_updated_sample_8eb1a ON countersign.customer USING btree (platform_id, ((customer_type #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", updated_at, created_at, id) INCLUDE (customer_type, is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX delegated_key_by_account_id_fe45e ON countersign.delegated_key USING btree (platform_id, ((account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX delegated_key_by_account_id_sample_6c446 ON countersign.delegated_key USING btree (platform_id, ((account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX delegated_key_by_funding_source_id_77de2 ON countersign.delegated_key USING btree (platform_id, ((funding_source_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((funding_source_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX delegated_key_by_funding_source_id_sample_68999 ON countersign.delegated_key USING btree (platform_id, ((funding_source_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((funding_source_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX delegated_key_listed_a41ea ON countersign.delegated_key USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status);

CREATE INDEX delegated_key_listed_sample_7b01c ON countersign.delegated_key USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX delegated_key_owned_bea41 ON countersign.delegated_key USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status);

CREATE INDEX delegated_key_owned_sample_8053c ON countersign.delegated_key USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX device_code_by_agent_id_ca204 ON countersign.device_code USING btree (platform_id, ((agent_id #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((agent_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX device_code_listed_b6609 ON countersign.device_code USING btree (platform_id, created_at, id);

CREATE INDEX device_code_owned_57c98 ON countersign.device_code USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX document_by_document_holder_b8e4f ON countersign.document USING btree (platform_id, ((document_holder #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((document_holder #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX document_by_document_holder_sample_8a4fb ON countersign.document USING btree (platform_id, ((document_holder #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((document_holder #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX document_listed_62385 ON countersign.document USING btree (platform_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_deleted);

CREATE INDEX document_listed_sample_5c335 ON countersign.document USING btree (platform_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX document_owned_05da2 ON countersign.document USING btree (platform_id, owner_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_deleted);

CREATE INDEX document_owned_sample_5fad2 ON countersign.document USING btree (platform_id, owner_id, ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX event_expires ON countersign.event USING btree (expires_at);

CREATE INDEX event_listed_b6609 ON countersign.event USING btree (platform_id, created_at, id);

CREATE INDEX event_listed_sample_b50db ON countersign.event USING btree (platform_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX event_owned_30cda ON countersign.event USING btree (platform_id, owner_id, type, created_at, id);

CREATE INDEX event_owned_sample_a3059 ON countersign.event USING btree (platform_id, owner_id, type, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX event_subject_12fb9 ON countersign.event USING btree (platform_id, subject, created_at, id);

CREATE INDEX event_subject_sample_cd47d ON countersign.event USING btree (platform_id, subject, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX event_type_8bdc8 ON countersign.event USING btree (platform_id, type, created_at, id);

CREATE INDEX event_type_sample_057e6 ON countersign.event USING btree (platform_id, type, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX external_account_by_currency_d288d ON countersign.external_account USING btree (platform_id, ((currency #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((is_of_platform #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((currency #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX external_account_by_currency_sample_d94ab ON countersign.external_account USING btree (platform_id, ((currency #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((is_of_platform #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((currency #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX external_account_listed_e4d29 ON countersign.external_account USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", ((is_of_platform #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status, is_of_platform, is_deleted);

CREATE INDEX external_account_listed_sample_33649 ON countersign.external_account USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", ((is_of_platform #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status, is_of_platform, is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX external_account_owned_c4386 ON countersign.external_account USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", ((is_of_platform #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status, is_of_platform, is_deleted);

CREATE INDEX external_account_owned_sample_01170 ON countersign.external_account USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", ((is_of_platform #>> '{}'::text[])) COLLATE "C", ((is_deleted #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status, is_of_platform, is_deleted) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX internal_account_by_currency_6e976 ON countersign.internal_account USING btree (platform_id, ((currency #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((is_platform #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((currency #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX internal_account_by_currency_sample_44adf ON countersign.internal_account USING btree (platform_id, ((currency #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((is_platform #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((currency #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX internal_account_listed_5b85c ON countersign.internal_account USING btree (platform_id, ((type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((is_platform #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (type, status, is_platform);

CREATE INDEX internal_account_listed_sample_2bbe8 ON countersign.internal_account USING btree (platform_id, ((type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((is_platform #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (type, status, is_platform) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX internal_account_owned_812cd ON countersign.internal_account USING btree (platform_id, owner_id, ((type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((is_platform #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (type, status, is_platform);

CREATE INDEX internal_account_owned_sample_e7f13 ON countersign.internal_account USING btree (platform_id, owner_id, ((type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((is_platform #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (type, status, is_platform) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX invitation_listed_b6609 ON countersign.invitation USING btree (platform_id, created_at, id);

CREATE INDEX invitation_listed_sample_b50db ON countersign.invitation USING btree (platform_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX invitation_owned_57c98 ON countersign.invitation USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX invitation_owned_sample_cbfdb ON countersign.invitation USING btree (platform_id, owner_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX job_alarm ON countersign.job USING btree (queue, holds_until) WHERE (holds_until IS NOT NULL);

CREATE INDEX job_due ON countersign.job USING btree (due_at) WHERE (state <> 'parked'::text);

CREATE INDEX job_lane ON countersign.job USING btree (platform_id, queue, lane, sequence) WHERE (lane IS NOT NULL);

CREATE INDEX job_open ON countersign.job USING btree (queue, platform_id, due_at, sequence) WHERE (open AND (state <> 'parked'::text));

CREATE INDEX job_parked ON countersign.job USING btree (platform_id, id) WHERE (state = 'parked'::text);

CREATE INDEX job_running ON countersign.job USING btree (queue, platform_id) WHERE (state = 'running'::text);

CREATE INDEX ledger_entry_at ON countersign.ledger_entry USING brin (at);

CREATE INDEX operation_expires ON countersign.operation USING btree (expires_at);

CREATE INDEX otp_challenge_listed_b6609 ON countersign.otp_challenge USING btree (platform_id, created_at, id);

CREATE INDEX otp_challenge_owned_57c98 ON countersign.otp_challenge USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX platform_listed_b6609 ON countersign.platform USING btree (platform_id, created_at, id);

CREATE INDEX platform_owned_57c98 ON countersign.platform USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX quote_listed_b6609 ON countersign.quote USING btree (platform_id, created_at, id);

CREATE INDEX quote_listed_sample_b50db ON countersign.quote USING btree (platform_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX quote_owned_57c98 ON countersign.quote USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX quote_owned_sample_cbfdb ON countersign.quote USING btree (platform_id, owner_id, created_at, id) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX replay_expires ON countersign.replay USING btree (expires_at);

CREATE INDEX sca_profile_listed_b6609 ON countersign.sca_profile USING btree (platform_id, created_at, id);

CREATE INDEX sca_profile_owned_57c98 ON countersign.sca_profile USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX session_by_account_id_fe45e ON countersign.session USING btree (platform_id, ((account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX session_by_account_id_sample_6c446 ON countersign.session USING btree (platform_id, ((account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX session_by_auth_method_id_daf17 ON countersign.session USING btree (platform_id, ((auth_method_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((auth_method_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX session_by_auth_method_id_sample_f9ff6 ON countersign.session USING btree (platform_id, ((auth_method_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((auth_method_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX session_listed_a41ea ON countersign.session USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status);

CREATE INDEX session_listed_sample_7b01c ON countersign.session USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX session_owned_bea41 ON countersign.session USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status);

CREATE INDEX session_owned_sample_8053c ON countersign.session USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX signed_request_listed_b6609 ON countersign.signed_request USING btree (platform_id, created_at, id);

CREATE INDEX signed_request_owned_57c98 ON countersign.signed_request USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX stablecoin_listed_e4762 ON countersign.stablecoin USING btree (platform_id, ((provider #>> '{}'::text[])) COLLATE "C", ((issuance_status #>> '{}'::text[])) COLLATE "C", ((service_operations_status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (provider, issuance_status, service_operations_status);

CREATE INDEX stablecoin_listed_sample_d0838 ON countersign.stablecoin USING btree (platform_id, ((provider #>> '{}'::text[])) COLLATE "C", ((issuance_status #>> '{}'::text[])) COLLATE "C", ((service_operations_status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (provider, issuance_status, service_operations_status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX stablecoin_operation_by_request_key_b43f0 ON countersign.stablecoin_operation USING btree (platform_id, ((request_key #>> '{}'::text[])) COLLATE "C", ((operation_type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((request_key #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX stablecoin_operation_by_request_key_sample_352b6 ON countersign.stablecoin_operation USING btree (platform_id, ((request_key #>> '{}'::text[])) COLLATE "C", ((operation_type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((request_key #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX stablecoin_operation_by_stablecoin_id_3d3f7 ON countersign.stablecoin_operation USING btree (platform_id, ((stablecoin_id #>> '{}'::text[])) COLLATE "C", ((operation_type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((stablecoin_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX stablecoin_operation_by_stablecoin_id_sample_f1cef ON countersign.stablecoin_operation USING btree (platform_id, ((stablecoin_id #>> '{}'::text[])) COLLATE "C", ((operation_type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((stablecoin_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX stablecoin_operation_listed_54dba ON countersign.stablecoin_operation USING btree (platform_id, ((operation_type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (operation_type, status);

CREATE INDEX stablecoin_operation_listed_sample_bcf12 ON countersign.stablecoin_operation USING btree (platform_id, ((operation_type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (operation_type, status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX stablecoin_operation_owned_b9671 ON countersign.stablecoin_operation USING btree (platform_id, owner_id, ((operation_type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (operation_type, status);

CREATE INDEX stablecoin_operation_owned_sample_32836 ON countersign.stablecoin_operation USING btree (platform_id, owner_id, ((operation_type #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (operation_type, status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX stablecoin_owned_cef8d ON countersign.stablecoin USING btree (platform_id, owner_id, ((provider #>> '{}'::text[])) COLLATE "C", ((issuance_status #>> '{}'::text[])) COLLATE "C", ((service_operations_status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (provider, issuance_status, service_operations_status);

CREATE INDEX stablecoin_owned_sample_09f4b ON countersign.stablecoin USING btree (platform_id, owner_id, ((provider #>> '{}'::text[])) COLLATE "C", ((issuance_status #>> '{}'::text[])) COLLATE "C", ((service_operations_status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (provider, issuance_status, service_operations_status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX stablecoin_provider_account_by_provider_account_id_07480 ON countersign.stablecoin_provider_account USING btree (platform_id, ((provider_account_id #>> '{}'::text[])) COLLATE "C", ((provider #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((provider_account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX stablecoin_provider_account_by_provider_account_id_sample_97c57 ON countersign.stablecoin_provider_account USING btree (platform_id, ((provider_account_id #>> '{}'::text[])) COLLATE "C", ((provider #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((provider_account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX stablecoin_provider_account_listed_697a8 ON countersign.stablecoin_provider_account USING btree (platform_id, ((provider #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (provider, status);

CREATE INDEX stablecoin_provider_account_listed_sample_30b6d ON countersign.stablecoin_provider_account USING btree (platform_id, ((provider #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (provider, status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX stablecoin_provider_account_owned_b93b3 ON countersign.stablecoin_provider_account USING btree (platform_id, owner_id, ((provider #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (provider, status);

CREATE INDEX stablecoin_provider_account_owned_sample_b2b04 ON countersign.stablecoin_provider_account USING btree (platform_id, owner_id, ((provider #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (provider, status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX stored_file_listed_b6609 ON countersign.stored_file USING btree (platform_id, created_at, id);

CREATE INDEX stored_file_owned_57c98 ON countersign.stored_file USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX transaction_by_agent_id_10fbf ON countersign.transaction USING btree (platform_id, ((agent_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((agent_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX transaction_by_agent_id_sample_7459d ON countersign.transaction USING btree (platform_id, ((agent_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((agent_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX transaction_by_destination_account_id_96c52 ON countersign.transaction USING btree (platform_id, ((destination_account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((destination_account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX transaction_by_destination_account_id_sample_aa7f1 ON countersign.transaction USING btree (platform_id, ((destination_account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((destination_account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX transaction_by_is_unapplied ON countersign.transaction USING btree (platform_id, created_at) WHERE (is_unapplied = 'true'::jsonb);

CREATE INDEX transaction_by_reference_9cfc5 ON countersign.transaction USING btree (platform_id, ((reference #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((reference #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX transaction_by_reference_sample_3eed1 ON countersign.transaction USING btree (platform_id, ((reference #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((reference #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX transaction_by_source_account_id_e5344 ON countersign.transaction USING btree (platform_id, ((source_account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE (((source_account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX transaction_by_source_account_id_sample_becb9 ON countersign.transaction USING btree (platform_id, ((source_account_id #>> '{}'::text[])) COLLATE "C", ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) WHERE ((((source_account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL) AND ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0));

CREATE INDEX transaction_listed_862df ON countersign.transaction USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status, type);

CREATE INDEX transaction_listed_sample_1c2ed ON countersign.transaction USING btree (platform_id, ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status, type) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX transaction_owned_6f979 ON countersign.transaction USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status, type);

CREATE INDEX transaction_owned_sample_24651 ON countersign.transaction USING btree (platform_id, owner_id, ((status #>> '{}'::text[])) COLLATE "C", ((type #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (status, type) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX verification_listed_dbf59 ON countersign.verification USING btree (platform_id, ((verification_status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (verification_status);

CREATE INDEX verification_listed_sample_d8469 ON countersign.verification USING btree (platform_id, ((verification_status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (verification_status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX verification_owned_c8088 ON countersign.verification USING btree (platform_id, owner_id, ((verification_status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (verification_status);

CREATE INDEX verification_owned_sample_66bc2 ON countersign.verification USING btree (platform_id, owner_id, ((verification_status #>> '{}'::text[])) COLLATE "C", created_at, id) INCLUDE (verification_status) WHERE ((hashtextextended(id, (0)::bigint) & (31)::bigint) = 0);

CREATE INDEX wallet_listed_b6609 ON countersign.wallet USING btree (platform_id, created_at, id);

CREATE INDEX wallet_owned_57c98 ON countersign.wallet USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX wallet_root_listed_b6609 ON countersign.wallet_root USING btree (platform_id, created_at, id);

CREATE INDEX wallet_root_owned_57c98 ON countersign.wallet_root USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX webhook_endpoint_listed_b6609 ON countersign.webhook_endpoint USING btree (platform_id, created_at, id);

CREATE INDEX webhook_endpoint_owned_57c98 ON countersign.webhook_endpoint USING btree (platform_id, owner_id, created_at, id);

CREATE INDEX webhook_key_ring_listed_b6609 ON countersign.webhook_key_ring USING btree (platform_id, created_at, id);

CREATE INDEX webhook_key_ring_owned_57c98 ON countersign.webhook_key_ring USING btree (platform_id, owner_id, created_at, id);

-- Functions

CREATE OR REPLACE FUNCTION countersign.check_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from added
    left join countersign.ledger_account as account
      on account.owner_id = added.owner_id and account.id = added.account_id
    where account.id is null
  ) then
    raise exception 'an entry of the ledger is on no account' using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from added
    group by added.platform_id, added.operation_id, added.transfer
    having sum(added.amount) <> 0
  ) then
    raise exception 'entries of the ledger do not balance' using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION countersign.claim_jobs_34ab3f747765(claimed_queue text, claiming_worker text, claiming_session integer, business_now bigint, wall_now bigint, job_limit integer, leaves_reserve boolean, lease_millis bigint, run_kinds text[], run_max integer)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'countersign', 'pg_catalog', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
 SET enable_memoize TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET lock_timeout TO '500'
AS $function$
declare
  lane_row record;
  line_platform text;
  line_ids text[];
  line_running bigint[];
  line_served bigint[];
  line_due bigint[];
  line_sequence bigint[];
  running_max bigint;
  depth bigint;
  level_max bigint;
  level_found bigint;
  jobs_found bigint;
  chosen_ids text[];
  last_turn bigint;
  late_platforms text[] := '{}';
  busy_platforms text[];
  skipped_ids text[] := '{}';
  locked_ids text[];
  looked_at int := 16;
  found_jobs json[];
  found_ids text[];
  head_ids text[] := '{}';
  claimed_jobs json[] := '{}';
begin
  -- One claim at a time per queue keeps the shares and the turns exact. It lasts a few milliseconds.
  perform pg_advisory_xact_lock(hashtextextended('claim ' || claimed_queue, 0));

  -- From here on nothing waits.
  perform set_config('lock_timeout', '1', true);

  -- Release the lanes whose hold has expired. One that another transaction has locked is left to a later claim.
  for lane_row in
    select j.id, j.platform_id, j.lane, j.sequence from job as j
    where j.queue = claimed_queue and j.holds_until <= wall_now
    for update skip locked
  loop
    continue when not pg_try_advisory_xact_lock(
      hashtextextended(concat_ws(' ', 'lane', claimed_queue, lane_row.platform_id, lane_row.lane), 0)
    );
    begin
      update job as j set holds = false, holds_until = null where j.id = lane_row.id;
      perform open_lane_34ab3f747765(claimed_queue, lane_row.platform_id, lane_row.lane, lane_row.sequence);
    exception
      when lock_not_available then null;
    end;
  end loop;

  loop
    select coalesce(max(line.served), 0) into last_turn from job_line as line where line.queue = claimed_queue;

    -- Choose the platforms: the first job of each precedes its others, so no more than job_limit can get any.
    with recursive
    -- The platforms that have open jobs. Each step jumps through the index to the next platform.
    open_platform as (
      (
        select j.platform_id from job as j
        where j.queue = claimed_queue and j.open and j.state <> 'parked'
        order by j.platform_id
        limit 1
      )
      union all
      select (
        select j.platform_id from job as j
        where j.queue = claimed_queue and j.open and j.state <> 'parked' and j.platform_id > previous.platform_id
        order by j.platform_id
        limit 1
      )
      from open_platform as previous
      where previous.platform_id is not null
    ),
    -- For each platform with due jobs: the first of them, the turn that it had last, and how many jobs it has running.
    platform_line as (
      select open_platform.platform_id, head.due_at as first_due, head.sequence as first_sequence,
        case
          when open_platform.platform_id = any (late_platforms) then 9223372036854775807
          else coalesce(line.served, 0)
        end as served, (
          select count(*) from job as j
          where j.queue = claimed_queue and j.platform_id = open_platform.platform_id
            and j.state = 'running' and j.not_before > wall_now
        ) as running
      from open_platform
      cross join lateral due_jobs_34ab3f747765(
        claimed_queue, open_platform.platform_id, business_now, wall_now, 1, skipped_ids
      ) as head
      left join job_line as line on line.queue = claimed_queue and line.platform_id = open_platform.platform_id
      where open_platform.platform_id is not null
    )
    select array_agg(platform_id order by place), array_agg(running order by place), array_agg(served order by place),
        array_agg(first_due order by place), array_agg(first_sequence order by place), max(running)
      into line_ids, line_running, line_served, line_due, line_sequence, running_max
    from (
      select platform_line.*, row_number() over (order by running, served, first_due, first_sequence) as place
      from platform_line
    ) as placed
    where place <= job_limit;

    -- Choose the jobs by level: each job that a platform gets moves it back by one level, as a queue of turns would.
    -- All jobs up to a level are looked at, twice as many levels each time, until they are enough or no more are due.
    chosen_ids := null;
    depth := (job_limit - 1) / coalesce(cardinality(line_ids), 1) + 1;
    while line_ids is not null loop
      level_max := line_running[1] + depth;
      with candidate as (
        select line.*, due.id,
          row_number() over (partition by line.platform_id order by due.due_at, due.sequence) as turn
        from unnest(line_ids, line_running, line_served, line_due, line_sequence)
          as line (platform_id, running, served, first_due, first_sequence)
        cross join lateral due_jobs_34ab3f747765(
          claimed_queue, line.platform_id, business_now, wall_now, least(job_limit, level_max - line.running)::int,
          skipped_ids
        ) as due
        where line.running < level_max
      ),
      ranked as (
        select candidate.id, candidate.running + candidate.turn as level,
          row_number() over (
            order by candidate.running + candidate.turn, candidate.running desc, candidate.served,
              candidate.first_due, candidate.first_sequence
          ) as place
        from candidate
      )
      -- The reserve: a platform leaves as many places free as its number of running jobs has binary digits.
      select array_agg(ranked.id order by ranked.place) filter (
            where ranked.place <= job_limit and (
              not leaves_reserve
              or job_limit - ranked.place >= width_bucket(
                ranked.level - 1,
                array[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]::bigint[]
              )
            )
          ),
          count(*), max(ranked.level)
        into chosen_ids, jobs_found, level_found
      from ranked;
      exit when jobs_found >= job_limit or jobs_found > coalesce(cardinality(chosen_ids), 0)
        or (coalesce(level_found, 0) < level_max and running_max < level_max);
      depth := 2 * depth;
    end loop;
    exit when chosen_ids is null;

    -- Lock the turns of their platforms. A platform whose turn cannot be stored comes after its equals: choose again.
    with chosen as (
      select distinct j.platform_id from job as j where j.id = any (chosen_ids)
    ),
    locked as (
      select line.platform_id from job_line as line
      where line.queue = claimed_queue and line.platform_id in (select chosen.platform_id from chosen)
      for no key update skip locked
    )
    select array_agg(chosen.platform_id) into busy_platforms
    from chosen
    where chosen.platform_id <> all (late_platforms)
      and not exists (select from locked where locked.platform_id = chosen.platform_id);
    if busy_platforms is not null then
      -- Those that had no turn yet get a row.
      foreach line_platform in array busy_platforms loop
        begin
          insert into job_line (queue, platform_id, served) values (claimed_queue, line_platform, 0)
          on conflict (queue, platform_id) do nothing;
          if found then
            busy_platforms := array_remove(busy_platforms, line_platform);
          end if;
        exception
          when lock_not_available then null;
        end;
      end loop;
      late_platforms := late_platforms || busy_platforms;
      continue when cardinality(busy_platforms) > 0;
    end if;

    -- Claim them. A chosen job that is locked, or was returned meanwhile to be parked or to wait, is left out.
    with locked as (
      select j.id from job as j
      where j.id = any (chosen_ids) and j.state <> 'parked' and j.not_before <= wall_now
      for update skip locked
    ),
    claimed as (
      update job as j
      set state = 'running', attempt = j.attempt + 1, not_before = wall_now + lease_millis, worker = claiming_worker,
        session = claiming_session,
        first_claimed_at = coalesce(j.first_claimed_at, wall_now),
        holds = j.lane is not null,
        holds_until = case
          when j.lane is not null then greatest(
            coalesce(j.first_claimed_at, wall_now) + j.lane_hold_millis,
            case when j.lane_hold_millis is not null then wall_now + lease_millis end
          )
        end
      from locked
      where j.id = locked.id
      returning j.*
    ),
    -- Each platform remembers the turn of its last job.
    served as (
      update job_line as line set served = last_turn + turn.last
      from (
        select claimed.platform_id, max(array_position(chosen_ids, claimed.id)) as last
        from claimed
        group by claimed.platform_id
      ) as turn
      where line.queue = claimed_queue and line.platform_id = turn.platform_id
        and line.platform_id <> all (late_platforms)
    )
    select array_agg(
        json_strip_nulls(json_build_object(
          'id', claimed.id, 'queue', claimed.queue, 'kind', claimed.kind, 'platformId', claimed.platform_id,
          'lane', claimed.lane, 'dueAt', claimed.due_at, 'attempt', claimed.attempt,
          'firstClaimedAt', claimed.first_claimed_at, 'customerId', claimed.customer_id,
          'payload', claimed.payload::text
        ))
        order by claimed.due_at, claimed.sequence
      ), array_agg(claimed.id order by claimed.due_at, claimed.sequence)
      into found_jobs, found_ids
    from claimed;
    claimed_jobs := claimed_jobs || coalesce(found_jobs, '{}');
    head_ids := head_ids || coalesce(found_ids, '{}');
    job_limit := job_limit - coalesce(cardinality(found_jobs), 0);
    exit when job_limit = 0 or cardinality(found_jobs) = cardinality(chosen_ids);

    -- Some were locked. Choose again without them; look at more jobs of their platforms each time.
    select array_agg(due.id) into locked_ids
    from (select distinct j.platform_id from job as j where j.id = any (chosen_ids)) as chosen
    cross join lateral due_jobs_34ab3f747765(
      claimed_queue, chosen.platform_id, business_now, wall_now, looked_at, skipped_ids
    ) as due
    where not exists (select from job as j where j.id = due.id for update skip locked);
    skipped_ids := skipped_ids || coalesce(locked_ids, '{}');
    looked_at := 2 * looked_at;
  end loop;

  -- Claim the runs. A job that is locked ends its run, and so does one that must not be run now.
  if run_max > 1 and cardinality(run_kinds) > 0 and cardinality(head_ids) > 0 then
    with behind as (
      select head.id as head_id, later.id, later.place
      from unnest(head_ids) as named (id)
      join job as head on head.id = named.id
      cross join lateral (
        select next.id, row_number() over lane_order as place, bool_and(next.is_of_run) over lane_order as is_of_run
        from (
          select j.id, j.sequence,
            j.state = 'waiting' and j.attempt = 0 and j.kind = head.kind
              and j.due_at <= business_now and j.not_before <= wall_now as is_of_run
          from job as j
          where j.platform_id = head.platform_id and j.queue = claimed_queue and j.lane = head.lane
            and j.sequence > head.sequence
          order by j.sequence
          limit run_max - 1
        ) as next
        window lane_order as (order by next.sequence)
      ) as later
      where head.lane is not null and head.attempt = 1 and head.kind = any (run_kinds) and later.is_of_run
    ),
    locked as (
      select j.id from job as j
      where j.id in (select behind.id from behind) and j.state = 'waiting' and j.attempt = 0
      for update skip locked
    ),
    of_run as (
      select whole.head_id, whole.id, whole.place
      from (
        select behind.*,
          bool_and(locked.id is not null) over (partition by behind.head_id order by behind.place) as is_free
        from behind
        left join locked on locked.id = behind.id
      ) as whole
      where whole.is_free
    ),
    claimed as (
      update job as j
      set state = 'running', attempt = 1, not_before = wall_now + lease_millis, worker = claiming_worker,
        session = claiming_session, first_claimed_at = wall_now, holds = true,
        holds_until = case
          when j.lane_hold_millis is not null then wall_now + greatest(j.lane_hold_millis, lease_millis)
        end
      from of_run
      where j.id = of_run.id
      returning j.*, of_run.head_id, of_run.place
    )
    select array_agg(
        json_strip_nulls(json_build_object(
          'id', claimed.id, 'queue', claimed.queue, 'kind', claimed.kind, 'platformId', claimed.platform_id,
          'lane', claimed.lane, 'dueAt', claimed.due_at, 'attempt', claimed.attempt,
          'firstClaimedAt', claimed.first_claimed_at, 'customerId', claimed.customer_id,
          'payload', claimed.payload::text, 'behind', claimed.head_id
        ))
        order by array_position(head_ids, claimed.head_id), claimed.place
      )
      into found_jobs
    from claimed;
    claimed_jobs := claimed_jobs || coalesce(found_jobs, '{}');
  end if;

  return json_build_object(
    'ahead', coalesce((select clock.ahead_millis from countersign.business_time as clock), 0),
    'jobs', array_to_json(claimed_jobs)
  )::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.commit_group_34ab3f747765(diagnose_conflicts boolean, observing boolean, lock_wait_millis integer, set__platform text[], set__agent_customer text[], set__operation text[], set__owner text[], set__decided_at bigint[], set__receipt_expires_at bigint[], lock__name text[], lock__exclusive boolean[], guard__set_number integer[], guard__id text[], guard__version integer[], updated__set_number integer[], updated__id text[], updated__version integer[], updated__fields text[], updated__data text[], inserted__set_number integer[], inserted__id text[], inserted__customer text[], inserted__fields text[], inserted__data text[], guard_range__kind integer[], guard_range__last integer[], updated_range__kind integer[], updated_range__last integer[], inserted_range__kind integer[], inserted_range__last integer[], finished__set_number integer[], finished__id text[], finished__attempt integer[], claim__set_number integer[], claim__key text[], claim__scope text[], claim__kind text[], claim__id text[], claim__customer text[], account__platform text[], account__id text[], account__total bigint[], account__decrease bigint[], account__increase bigint[], account__entry_count integer[], account__currency text[], account__customer text[], observed__platform text[], observed__id text[], entry__set_number integer[], entry__account integer[], entry__amount bigint[], entry__later_total bigint[], entry__later_count integer[], entry__reference text[], entry__transfer integer[], counter__platform text[], counter__key text[], counter__customer text[], counter__total bigint[], counter__decrease bigint[], counter__increase bigint[], counter__upper_bound bigint[], stored_sum__set_number integer[], stored_sum__number integer[], stored_sum__later_total bigint[], stored_sum__later_count integer[], job__set_number integer[], job__id text[], job__queue text[], job__kind text[], job__customer text[], job__lane text[], job__lane_hold_millis bigint[], job__due_at bigint[], job__payload text[], job__opens_lane boolean[], job__is_first boolean[], event__set_number integer[], event__id text[], event__type text[], event__customer text[], event__subject text[], event__data text[], event__shown text[], attempt__set_number integer[], attempt__event text[], attempt__data text[], replay__set_number integer[], replay__key text[], replay__fingerprint text[], replay__status integer[], replay__answer text[], replay__expires_at bigint[], replay__shown text[], receipt__set_number integer[])
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'countersign', 'pg_catalog', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
 SET enable_memoize TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET cpu_tuple_cost TO '10'
 SET cpu_index_tuple_cost TO '10'
AS $function$
declare
  kind_number int;
  first_row int;
  last_row int;
  set_sums record;
  failed_sets int[] := '{}';
  conflicting_sets int[];
  affected_rows int;
  numbers int[];
  counter_keys text[];
  stored_sums text[];
  touched_queues text[];
  account_owners text[];
  account_customers text[];
  balances bigint[];
  sequences bigint[];
  counter_values bigint[];
begin
  -- A commit that waited for a lock must see what was committed meanwhile.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'commits need READ COMMITTED; the transaction is %', upper(current_setting('transaction_isolation'))
      using errcode = '0A000';
  end if;
  if lock_wait_millis is not null then
    perform set_config('lock_timeout', lock_wait_millis::text, true);
  end if;

  -- Take all advisory locks first and in one order, as commit_serial does: its comment gives the reasons.
  perform case
      when locks.exclusive then pg_advisory_xact_lock(locks.lock_key)::text
      else pg_advisory_xact_lock_shared(locks.lock_key)::text
    end
  from (
    select needed.lock_key, bool_or(needed.exclusive) as exclusive
    from (
      select hashtextextended(named.name, 0) as lock_key, named.exclusive as exclusive,
        named.name !~ '^(operation|replay) ' as comes_later
      from unnest(lock__name, lock__exclusive) as named (name, exclusive)
      union all
      select hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true, true
      from unnest(finished__set_number, finished__id, finished__attempt) as ended (set_number, id, attempt)
      -- "offset 0" and a condition outside look up each job by its id. Otherwise a plan made while few jobs had a lane
      -- reads all that have one, even for a batch that ends none.
      cross join lateral (select job.queue, job.platform_id, job.lane from job where job.id = ended.id offset 0) as j
      where j.lane is not null
    ) as needed
    group by needed.lock_key
    order by bool_and(needed.comes_later), needed.lock_key
  ) as locks;

  -- Check guards: records that a decision depends on must still have the version that it read.
  first_row := 1;
  for i in 1..cardinality(guard_range__kind) loop
    kind_number := (guard_range__kind)[i];
    last_row := (guard_range__last)[i];
    case kind_number
      when 0 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "platform" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 1 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "api_token" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 2 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "webhook_endpoint" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 3 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "webhook_key_ring" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 4 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "customer" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 5 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "beneficial_owner" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 6 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "verification" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 7 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "bulk_import" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 8 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "bulk_import_error" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 9 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "stored_file" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 10 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "document" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 11 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "sca_profile" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 12 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "internal_account" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 13 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "external_account" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 14 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "agent" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 15 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "device_code" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 16 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "agent_action" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 17 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "invitation" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 18 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "quote" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 19 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "transaction" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 20 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "approver" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 21 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "console_session" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 22 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "wallet_root" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 23 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "wallet" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 24 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "credential" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 25 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "otp_challenge" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 26 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "session" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 27 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "signed_request" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 28 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "audit_record" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 29 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "card" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 30 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "card_transaction" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 31 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "delegated_key" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 32 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "stablecoin_provider_account" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 33 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "stablecoin" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      when 34 then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join "stablecoin_operation" as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
    end case;
    failed_sets := failed_sets || conflicting_sets;
    first_row := last_row + 1;
  end loop;

  if diagnose_conflicts then
    -- Operations that were committed before.
    if cardinality(receipt__set_number) > 0 then
      select array_agg(new_receipt.set_number) into conflicting_sets
      from unnest(receipt__set_number) as new_receipt (set_number)
      join operation as stored on stored.owner_id = set__owner[new_receipt.set_number]
        and stored.id = set__operation[new_receipt.set_number];
      failed_sets := failed_sets || conflicting_sets;
    end if;
    -- Idempotency keys that have a response, even an expired one: commit_serial puts the new response in its place.
    if cardinality(replay__set_number) > 0 then
      select array_agg(new_replay.set_number) into conflicting_sets
      from unnest(
          replay__set_number, replay__key, replay__fingerprint, replay__status, replay__answer, replay__expires_at,
          replay__shown
        ) as new_replay (set_number, key, fingerprint, status, answer, expires_at, shown)
      join replay as stored on stored.platform_id = set__platform[new_replay.set_number]
        and stored.key = new_replay.key;
      failed_sets := failed_sets || conflicting_sets;
    end if;
    -- Records that have another version than the update expects.
    first_row := 1;
    for i in 1..cardinality(updated_range__kind) loop
      kind_number := (updated_range__kind)[i];
      last_row := (updated_range__last)[i];
      case kind_number
        when 0 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "platform" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 1 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "api_token" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 2 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "webhook_endpoint" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 3 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "webhook_key_ring" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 4 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "customer" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 5 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "beneficial_owner" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 6 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "verification" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 7 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "bulk_import" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 8 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "bulk_import_error" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 9 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "stored_file" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 10 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "document" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 11 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "sca_profile" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 12 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "internal_account" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 13 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "external_account" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 14 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "agent" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 15 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "device_code" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 16 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "agent_action" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 17 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "invitation" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 18 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "quote" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 19 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "transaction" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 20 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "approver" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 21 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "console_session" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 22 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "wallet_root" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 23 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "wallet" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 24 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "credential" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 25 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "otp_challenge" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 26 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "session" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 27 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "signed_request" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 28 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "audit_record" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 29 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "card" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 30 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "card_transaction" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 31 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "delegated_key" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 32 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "stablecoin_provider_account" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 33 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "stablecoin" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        when 34 then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join "stablecoin_operation" as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
      end case;
      failed_sets := failed_sets || conflicting_sets;
      first_row := last_row + 1;
    end loop;
    -- Jobs that the set cannot finish: the attempt is the fence.
    -- "not in" lets the planner look up the job by its id and not by the index of running jobs.
    if cardinality(finished__set_number) > 0 then
      select array_agg(ended.set_number) into conflicting_sets
      from unnest(finished__set_number, finished__id, finished__attempt) as ended (set_number, id, attempt)
      left join job as j on j.id = ended.id and j.attempt = ended.attempt and j.state not in ('waiting', 'parked')
        and j.platform_id = set__platform[ended.set_number]
        and (
          set__agent_customer[ended.set_number] is null
          or j.customer_id = set__agent_customer[ended.set_number]
        )
      where j.id is null;
      failed_sets := failed_sets || conflicting_sets;
    end if;
    -- Unique keys that a record holds, or that several sets claim.
    if cardinality(claim__set_number) > 0 then
      select array_agg(claimed.set_number) into conflicting_sets
      from (
        select claim.set_number, held.key as held_key,
          count(*) over (partition by claim.key, claim.scope) as claim_count
        from unnest(claim__set_number, claim__key, claim__scope, claim__kind, claim__id, claim__customer)
          as claim (set_number, key, scope, kind, id, customer)
        left join unique_key as held on held.key = claim.key and held.scope = claim.scope
      ) as claimed
      where claimed.held_key is not null or claimed.claim_count > 1;
      failed_sets := failed_sets || conflicting_sets;
    end if;
  end if;

  if cardinality(failed_sets) > 0 then
    return json_build_object('failedSets', failed_sets)::text;
  end if;

  -- Insert records.
  first_row := 1;
  for i in 1..cardinality(inserted_range__kind) loop
    kind_number := (inserted_range__kind)[i];
    last_row := (inserted_range__last)[i];
    case kind_number
      when 0 then
        insert into "platform" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 1 then
        insert into "api_token" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "name", "is_deleted", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 2 then
        insert into "webhook_endpoint" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 3 then
        insert into "webhook_key_ring" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 4 then
        insert into "customer" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "platform_customer_id", "customer_type", "uma_address", "region", "currencies", "is_deleted", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, parsed.field_values->4, parsed.field_values->5, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 5 then
        insert into "beneficial_owner" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 6 then
        insert into "verification" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "verification_status", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 7 then
        insert into "bulk_import" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 8 then
        insert into "bulk_import_error" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "import_id", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 9 then
        insert into "stored_file" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 10 then
        insert into "document" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "document_holder", "is_deleted", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 11 then
        insert into "sca_profile" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 12 then
        insert into "internal_account" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "currency", "type", "status", "is_platform", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 13 then
        insert into "external_account" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "currency", "status", "is_default_uma_deposit", "is_of_platform", "is_deleted", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, parsed.field_values->4, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 14 then
        insert into "agent" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "is_paused", "is_connected", "is_deleted", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 15 then
        insert into "device_code" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "agent_id", "status", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 16 then
        insert into "agent_action" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "agent_id", "status", "type", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 17 then
        insert into "invitation" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 18 then
        insert into "quote" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 19 then
        insert into "transaction" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "status", "type", "platform_customer_id", "reference", "source_account_id", "destination_account_id", "agent_id", "is_unapplied", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, parsed.field_values->4, parsed.field_values->5, parsed.field_values->6, parsed.field_values->7, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 20 then
        insert into "approver" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "key", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 21 then
        insert into "console_session" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "status", "token_id", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 22 then
        insert into "wallet_root" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 23 then
        insert into "wallet" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 24 then
        insert into "credential" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "type", "contact", "is_revoked", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 25 then
        insert into "otp_challenge" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 26 then
        insert into "session" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "auth_method_id", "public_key", "status", "expires_at", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, parsed.field_values->4, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 27 then
        insert into "signed_request" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        ;
      when 28 then
        insert into "audit_record" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "actor_id", "operation", "target", "outcome", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 29 then
        insert into "card" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "platform_card_id", "state", "funding_sources", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 30 then
        insert into "card_transaction" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "card_id", "status", "platform_customer_id", "account_id", "issuer_transaction_token", "is_unapplied", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, parsed.field_values->4, parsed.field_values->5, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 31 then
        insert into "delegated_key" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "funding_source_id", "status", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 32 then
        insert into "stablecoin_provider_account" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "provider", "status", "provider_account_id", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 33 then
        insert into "stablecoin" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "provider", "issuance_status", "service_operations_status", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
      when 34 then
        insert into "stablecoin_operation" (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, "stablecoin_id", "operation_type", "status", "request_key", data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          parsed.field_values->0, parsed.field_values->1, parsed.field_values->2, parsed.field_values->3, new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        ;
    end case;
    first_row := last_row + 1;
  end loop;

  -- Update records and keep the replaced versions as history. Each record is found once and written where it was found.
  -- Its lock is held; a writer that changes the row all the same (a migration that fills a column) makes it miss here.
  first_row := 1;
  for i in 1..cardinality(updated_range__kind) loop
    kind_number := (updated_range__kind)[i];
    last_row := (updated_range__last)[i];
    case kind_number
      when 0 then
        with replaced as (
          update "platform" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "platform" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Platform', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 1 then
        with replaced as (
          update "api_token" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "name" = parsed.field_values->0, "is_deleted" = parsed.field_values->1, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "api_token" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'ApiToken', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 2 then
        with replaced as (
          update "webhook_endpoint" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "webhook_endpoint" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'WebhookEndpoint', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 3 then
        with replaced as (
          update "webhook_key_ring" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "webhook_key_ring" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'WebhookKeyRing', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 4 then
        with replaced as (
          update "customer" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "platform_customer_id" = parsed.field_values->0, "customer_type" = parsed.field_values->1, "uma_address" = parsed.field_values->2, "region" = parsed.field_values->3, "currencies" = parsed.field_values->4, "is_deleted" = parsed.field_values->5, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "customer" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Customer', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 5 then
        with replaced as (
          update "beneficial_owner" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "beneficial_owner" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'BeneficialOwner', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 6 then
        with replaced as (
          update "verification" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "verification_status" = parsed.field_values->0, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "verification" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Verification', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 7 then
        with replaced as (
          update "bulk_import" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "bulk_import" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'BulkImport', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 8 then
        with replaced as (
          update "bulk_import_error" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "import_id" = parsed.field_values->0, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "bulk_import_error" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'BulkImportError', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 9 then
        with replaced as (
          update "stored_file" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "stored_file" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'StoredFile', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 10 then
        with replaced as (
          update "document" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "document_holder" = parsed.field_values->0, "is_deleted" = parsed.field_values->1, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "document" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Document', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 11 then
        with replaced as (
          update "sca_profile" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "sca_profile" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'ScaProfile', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 12 then
        with replaced as (
          update "internal_account" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "currency" = parsed.field_values->0, "type" = parsed.field_values->1, "status" = parsed.field_values->2, "is_platform" = parsed.field_values->3, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "internal_account" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'InternalAccount', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 13 then
        with replaced as (
          update "external_account" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "currency" = parsed.field_values->0, "status" = parsed.field_values->1, "is_default_uma_deposit" = parsed.field_values->2, "is_of_platform" = parsed.field_values->3, "is_deleted" = parsed.field_values->4, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "external_account" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'ExternalAccount', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 14 then
        with replaced as (
          update "agent" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "is_paused" = parsed.field_values->0, "is_connected" = parsed.field_values->1, "is_deleted" = parsed.field_values->2, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "agent" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Agent', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 15 then
        with replaced as (
          update "device_code" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "agent_id" = parsed.field_values->0, "status" = parsed.field_values->1, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "device_code" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'DeviceCode', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 16 then
        with replaced as (
          update "agent_action" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "agent_id" = parsed.field_values->0, "status" = parsed.field_values->1, "type" = parsed.field_values->2, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "agent_action" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'AgentAction', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 17 then
        with replaced as (
          update "invitation" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "invitation" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Invitation', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 18 then
        with replaced as (
          update "quote" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "quote" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Quote', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 19 then
        with replaced as (
          update "transaction" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "status" = parsed.field_values->0, "type" = parsed.field_values->1, "platform_customer_id" = parsed.field_values->2, "reference" = parsed.field_values->3, "source_account_id" = parsed.field_values->4, "destination_account_id" = parsed.field_values->5, "agent_id" = parsed.field_values->6, "is_unapplied" = parsed.field_values->7, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "transaction" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Transaction', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 20 then
        with replaced as (
          update "approver" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "key" = parsed.field_values->0, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "approver" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Approver', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 21 then
        with replaced as (
          update "console_session" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "status" = parsed.field_values->0, "token_id" = parsed.field_values->1, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "console_session" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'ConsoleSession', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 22 then
        with replaced as (
          update "wallet_root" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "wallet_root" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'WalletRoot', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 23 then
        with replaced as (
          update "wallet" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "wallet" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Wallet', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 24 then
        with replaced as (
          update "credential" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "account_id" = parsed.field_values->0, "type" = parsed.field_values->1, "contact" = parsed.field_values->2, "is_revoked" = parsed.field_values->3, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "credential" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Credential', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 25 then
        with replaced as (
          update "otp_challenge" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "otp_challenge" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'OtpChallenge', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 26 then
        with replaced as (
          update "session" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "account_id" = parsed.field_values->0, "auth_method_id" = parsed.field_values->1, "public_key" = parsed.field_values->2, "status" = parsed.field_values->3, "expires_at" = parsed.field_values->4, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "session" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Session', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 27 then
        with replaced as (
          update "signed_request" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "signed_request" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'SignedRequest', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 28 then
        with replaced as (
          update "audit_record" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "actor_id" = parsed.field_values->0, "operation" = parsed.field_values->1, "target" = parsed.field_values->2, "outcome" = parsed.field_values->3, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "audit_record" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'AuditRecord', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 29 then
        with replaced as (
          update "card" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "platform_card_id" = parsed.field_values->0, "state" = parsed.field_values->1, "funding_sources" = parsed.field_values->2, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "card" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Card', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 30 then
        with replaced as (
          update "card_transaction" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "card_id" = parsed.field_values->0, "status" = parsed.field_values->1, "platform_customer_id" = parsed.field_values->2, "account_id" = parsed.field_values->3, "issuer_transaction_token" = parsed.field_values->4, "is_unapplied" = parsed.field_values->5, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "card_transaction" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'CardTransaction', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 31 then
        with replaced as (
          update "delegated_key" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "account_id" = parsed.field_values->0, "funding_source_id" = parsed.field_values->1, "status" = parsed.field_values->2, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "delegated_key" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'DelegatedKey', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 32 then
        with replaced as (
          update "stablecoin_provider_account" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "provider" = parsed.field_values->0, "status" = parsed.field_values->1, "provider_account_id" = parsed.field_values->2, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "stablecoin_provider_account" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'StablecoinProviderAccount', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 33 then
        with replaced as (
          update "stablecoin" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "provider" = parsed.field_values->0, "issuance_status" = parsed.field_values->1, "service_operations_status" = parsed.field_values->2, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "stablecoin" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'Stablecoin', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      when 34 then
        with replaced as (
          update "stablecoin_operation" as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            "stablecoin_id" = parsed.field_values->0, "operation_type" = parsed.field_values->1, "status" = parsed.field_values->2, "request_key" = parsed.field_values->3, data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join "stablecoin_operation" as before on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'StablecoinOperation', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
    end case;
    get diagnostics affected_rows = row_count;
    if affected_rows <> last_row - first_row + 1 then
      raise exception 'the sets of a batch cannot be committed together'
        using errcode = 'CS002', detail = (json_build_object())::text;
    end if;
    first_row := last_row + 1;
  end loop;

  -- Finish jobs. One that held its lane opens the next jobs, up to and including the first that blocks the rest. Jobs
  -- that this batch finishes are still visible here, and neither block nor open.
  if cardinality(finished__set_number) > 0 then
    with deleted as (
      delete from job as j
      using (
        select *
        from unnest(finished__set_number, finished__id, finished__attempt) as ended (set_number, id, attempt)
        order by ended.id collate "C"
      ) as ended
      where j.id = ended.id and j.attempt = ended.attempt and j.state not in ('waiting', 'parked')
        and j.platform_id = set__platform[ended.set_number]
        and (
          set__agent_customer[ended.set_number] is null
          or j.customer_id = set__agent_customer[ended.set_number]
        )
      returning j.queue, j.platform_id, j.lane, j.sequence, j.holds
    ),
    opened as (
      update job as j
      set open = true
      from deleted
      -- "offset 0" looks up the later jobs of each lane, whatever share of all jobs had a lane when the plan was made.
      cross join lateral (
        select later.id from job as later
        where later.platform_id = deleted.platform_id and later.queue = deleted.queue and later.lane = deleted.lane
          and later.sequence > deleted.sequence and not later.open and later.id <> all (finished__id)
          and later.sequence <= coalesce((
            select holder.sequence from job as holder
            where holder.platform_id = deleted.platform_id and holder.queue = deleted.queue
              and holder.lane = deleted.lane and holder.sequence > deleted.sequence and holder.holds
              and holder.id <> all (finished__id)
            order by holder.sequence
            limit 1
          ), 9223372036854775807)
        offset 0
      ) as later
      where deleted.holds and j.id = later.id and not j.open
    )
    select count(*), array_agg(distinct deleted.queue) into affected_rows, touched_queues from deleted;
    if affected_rows <> cardinality(finished__id) then
      raise exception 'the sets of a batch cannot be committed together'
        using errcode = 'CS002', detail = (json_build_object())::text;
    end if;
  end if;

  -- Claim unique keys for the records that the batch inserts.
  if cardinality(claim__set_number) > 0 then
    insert into unique_key (key, scope, kind, id, platform_id, customer_id)
    select claim.key, claim.scope, claim.kind, claim.id, set__platform[claim.set_number], claim.customer
    from unnest(claim__set_number, claim__key, claim__scope, claim__kind, claim__id, claim__customer)
      as claim (set_number, key, scope, kind, id, customer)
    order by claim.key collate "C", claim.scope collate "C";
  end if;

  -- Post to the ledger. One update of an account serves all sets. If the total debit of an account could violate a
  -- bound, or the total credit exceed the range, the result depends on the order of the sets: the batch gives up and
  -- names the accounts. So it does for an account of another currency or customer than the sets say.
  if cardinality(account__platform) > 0 then
    with moved as (
      update ledger_account as a
      set balance = a.balance + delta.total, sequence = a.sequence + delta.entry_count
      from unnest(
          account__platform, account__id, account__total, account__decrease, account__increase, account__entry_count,
          account__currency, account__customer
        ) with ordinality
        as delta (platform, id, total, decrease, increase, entry_count, currency, customer, number)
      where a.id = delta.id and a.platform_id = delta.platform
        and a.balance + delta.decrease >= coalesce(a.floor, -9007199254740991)
        and a.balance + delta.decrease >= -9007199254740991 and a.balance + delta.increase <= 9007199254740991
        and a.currency = delta.currency and (delta.customer is null or a.customer_id = delta.customer)
      returning delta.number, a.owner_id, a.balance, a.sequence
    )
    select array_agg(moved.number order by moved.number), array_agg(moved.owner_id order by moved.number),
        array_agg(moved.balance order by moved.number), array_agg(moved.sequence order by moved.number)
      into numbers, account_owners, balances, sequences
    from moved;
    if coalesce(cardinality(numbers), 0) < cardinality(account__id) then
      raise exception 'the sets of a batch cannot be committed together'
        using errcode = 'CS002', detail = (json_build_object('accounts', array(
          select number
          from generate_series(1, cardinality(account__id)) as number
          where numbers is null or number <> all (numbers)
        )))::text;
    end if;

    -- Balance and sequence after each entry are those of the account now, less what the later entries add.
    insert into ledger_entry (
      owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at
    )
    select account_owners[entry.account], set__platform[entry.set_number], account__id[entry.account],
      sequences[entry.account] - entry.later_count, entry.amount, balances[entry.account] - entry.later_total,
      entry.reference, set__operation[entry.set_number], entry.transfer, set__decided_at[entry.set_number]
    from unnest(
        entry__set_number, entry__account, entry__amount, entry__later_total, entry__later_count, entry__reference,
        entry__transfer
      ) as entry (set_number, account, amount, later_total, later_count, reference, transfer);
  end if;

  -- Add to counters; the first addition creates a counter. The result is judged: if all that is added, or all that is
  -- taken, could violate a bound, the result depends on the order of the sets, and the batch gives up.
  -- The rows are returned in the order in which they were written.
  if cardinality(counter__platform) > 0 then
    with moved as (
      insert into counter as c (owner_id, platform_id, key, value)
      select coalesce(delta.customer, delta.platform), delta.platform, delta.key, delta.total
      from unnest(
          counter__platform, counter__key, counter__customer, counter__total, counter__decrease, counter__increase,
          counter__upper_bound
        ) with ordinality
        as delta (platform, key, customer, total, decrease, increase, upper_bound, number)
      order by number
      on conflict (owner_id, key) do update set value = c.value + excluded.value
      returning c.key, c.value
    )
    select array_agg(moved.key), array_agg(moved.value) into counter_keys, counter_values from moved;
    numbers := array(
      select number
      from unnest(
          counter__platform, counter__key, counter__customer, counter__total, counter__decrease, counter__increase,
          counter__upper_bound
        ) with ordinality
        as delta (platform, key, customer, total, decrease, increase, upper_bound, number)
      where counter_keys[number] is distinct from delta.key
        or counter_values[number] - delta.total + delta.increase > delta.upper_bound
        or counter_values[number] - delta.total + delta.decrease < 0
    );
    if cardinality(numbers) > 0 then
      raise exception 'the sets of a batch cannot be committed together'
        using errcode = 'CS002', detail = (json_build_object('counters', numbers))::text;
    end if;
  end if;

  -- Read the accounts that sets only observe, now that everything is locked. Their numbers follow the moved accounts.
  if cardinality(observed__platform) > 0 then
    select balances || array_agg(coalesce(a.balance, 0) order by number),
        sequences || array_agg(coalesce(a.sequence, 0) order by number)
      into balances, sequences
    from unnest(observed__platform, observed__id) with ordinality as observed (platform, id, number)
    left join ledger_account as a on a.id = observed.id and a.platform_id = observed.platform;
  end if;
  -- An agent observes accounts that it may not own: an account of another customer reads zero.
  if observing then
    select array_agg(a.customer_id order by number) into account_customers
    from unnest(account__platform || observed__platform, account__id || observed__id)
      with ordinality as named (platform, id, number)
    left join ledger_account as a on a.id = named.id and a.platform_id = named.platform;
  end if;
  -- The sums that are stored beside a response, an event or a receipt: the values after the set, which are the values
  -- now without what later sets of the batch moved.
  if cardinality(stored_sum__set_number) > 0 then
    stored_sums := array_fill(''::text, array[cardinality(set__platform)]);
    for set_sums in
      select stored_sum.set_number, string_agg(
          case
            when stored_sum.later_count is null
              then (counter_values[stored_sum.number] - stored_sum.later_total)::text
            when set__agent_customer[stored_sum.set_number] is null or account_customers is null
              or account_customers[stored_sum.number] = set__agent_customer[stored_sum.set_number]
              then concat(
                balances[stored_sum.number] - stored_sum.later_total, ',',
                sequences[stored_sum.number] - stored_sum.later_count
              )
            else '0,0'
          end,
          ',' order by row_number
        ) as sums
      from unnest(stored_sum__set_number, stored_sum__number, stored_sum__later_total, stored_sum__later_count)
        with ordinality as stored_sum (set_number, number, later_total, later_count, row_number)
      group by 1
    loop
      stored_sums[set_sums.set_number] := set_sums.sums;
    end loop;
  end if;

  -- Add jobs, after everything that sets of two batches may wait for: so jobs have the order of their commits.
  -- The first job of a lane is open unless an earlier one still holds the lane.
  if cardinality(job__set_number) > 0 then
    insert into job (
      owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds
    )
    select coalesce(new_job.customer, set__platform[new_job.set_number]), set__platform[new_job.set_number],
      new_job.id, new_job.queue, new_job.kind, new_job.customer, new_job.lane, new_job.lane_hold_millis,
      new_job.due_at, new_job.payload::json,
      new_job.lane is null or (
        new_job.is_first and (new_job.opens_lane or (
          select true from job as j
          where j.platform_id = set__platform[new_job.set_number] and j.queue = new_job.queue
            and j.lane = new_job.lane and j.holds
          limit 1
        ) is null)
      ),
      new_job.lane is not null
    from unnest(
        job__set_number, job__id, job__queue, job__kind, job__customer, job__lane, job__lane_hold_millis, job__due_at,
        job__payload, job__opens_lane, job__is_first
      ) with ordinality
      as new_job (
        set_number, id, queue, kind, customer, lane, lane_hold_millis, due_at, payload, opens_lane, is_first, row_number
      )
    order by row_number;
  end if;

  -- Add events.
  if cardinality(event__set_number) > 0 then
    insert into event (
      owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums
    )
    select coalesce(new_event.customer, set__platform[new_event.set_number]), set__platform[new_event.set_number],
      new_event.id, new_event.type, new_event.customer, new_event.subject, new_event.data::json,
      set__decided_at[new_event.set_number],
      set__decided_at[new_event.set_number] + 2592000000,
      new_event.shown::json, case when new_event.shown is not null then stored_sums[new_event.set_number] end
    from unnest(
        event__set_number, event__id, event__type, event__customer, event__subject, event__data, event__shown
      ) as new_event (set_number, id, type, customer, subject, data, shown);
  end if;

  -- Add attempts of deliveries, and delete those of the same events that are too many. Each set has locked its events,
  -- so that no two rows are of one event.
  if cardinality(attempt__set_number) > 0 then
    with inserted as (
      insert into event_attempt (owner_id, platform_id, event_id, number, data)
      select emitted.owner_id, emitted.platform_id, emitted.id,
        coalesce((
          select max(earlier.number) from event_attempt as earlier
          where earlier.owner_id = emitted.owner_id and earlier.event_id = emitted.id
        ), 0) + 1,
        new_attempt.data::json
      from unnest(attempt__set_number, attempt__event, attempt__data) as new_attempt (set_number, event, data)
      join event as emitted on emitted.id = new_attempt.event
        and emitted.platform_id = set__platform[new_attempt.set_number]
        and (
          set__agent_customer[new_attempt.set_number] is null
          or emitted.customer_id = set__agent_customer[new_attempt.set_number]
        )
      returning owner_id, event_id, number
    )
    delete from event_attempt as outdated using inserted
    where outdated.owner_id = inserted.owner_id and outdated.event_id = inserted.event_id
      and outdated.number <= inserted.number - 20;
  end if;

  -- The receipts: stored responses under their idempotency keys, and the operations without a key.
  if cardinality(replay__set_number) > 0 then
    insert into replay (platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at)
    select set__platform[new_replay.set_number], new_replay.key, new_replay.fingerprint, new_replay.status,
      new_replay.answer::json, set__operation[new_replay.set_number], new_replay.shown::json,
      case when new_replay.shown is not null then stored_sums[new_replay.set_number] end, new_replay.expires_at
    from unnest(
        replay__set_number, replay__key, replay__fingerprint, replay__status, replay__answer, replay__expires_at,
        replay__shown
      ) as new_replay (set_number, key, fingerprint, status, answer, expires_at, shown);
  end if;
  if cardinality(receipt__set_number) > 0 then
    insert into operation (owner_id, platform_id, id, sums, expires_at)
    select set__owner[new_receipt.set_number], set__platform[new_receipt.set_number],
      set__operation[new_receipt.set_number], coalesce(stored_sums[new_receipt.set_number], ''),
      set__receipt_expires_at[new_receipt.set_number]
    from unnest(receipt__set_number) as new_receipt (set_number);
  end if;

  return json_build_object(
    'balances', coalesce(balances, '{}'), 'sequences', coalesce(sequences, '{}'),
    'counters', coalesce(counter_values, '{}'), 'owners', coalesce(account_customers, '{}'),
    'queues', coalesce(touched_queues, '{}')
  )::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.commit_serial_34ab3f747765(change_sets jsonb, lock_wait_millis integer)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'countersign', 'pg_catalog', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
 SET enable_memoize TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
-- Columns are always written with their table, so a bare name is a variable even if a kind gets such a column.
#variable_conflict use_variable
declare
  kinds constant text[] := array['Platform', 'ApiToken', 'WebhookEndpoint', 'WebhookKeyRing', 'Customer', 'BeneficialOwner', 'Verification', 'BulkImport', 'BulkImportError', 'StoredFile', 'Document', 'ScaProfile', 'InternalAccount', 'ExternalAccount', 'Agent', 'DeviceCode', 'AgentAction', 'Invitation', 'Quote', 'Transaction', 'Approver', 'ConsoleSession', 'WalletRoot', 'Wallet', 'Credential', 'OtpChallenge', 'Session', 'SignedRequest', 'AuditRecord', 'Card', 'CardTransaction', 'DelegatedKey', 'StablecoinProviderAccount', 'Stablecoin', 'StablecoinOperation'];
  outcomes jsonb[] := '{}';
  outcome jsonb;
  stored_sums text;
  violation jsonb;
  change_set jsonb;
  item jsonb;
  found_row record;
  head_version int;
  head_customer text;
  platform text;
  agent_customer text;
  decided_at bigint;
  wall_now bigint;
  owner_customer text;
  missing_id text;
  mistake text;
  refusal text;
  touched_queues text[];
begin
  -- A commit that waited for a lock must see what was committed meanwhile.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'commits need READ COMMITTED; the transaction is %', upper(current_setting('transaction_isolation'))
      using errcode = '0A000';
  end if;
  if lock_wait_millis is not null then
    perform set_config('lock_timeout', lock_wait_millis::text, true);
  end if;

  -- Take all advisory locks first and in one order, so that commits queue and never deadlock. A shared lock guards a
  -- record without writing its row; it also covers what does not exist yet (a key, a lane, a stored response).
  -- Operations and stored responses come first: a set that is sent again waits for its first attempt before all else.
  perform case
      when locks.exclusive then pg_advisory_xact_lock(locks.lock_key)::text
      else pg_advisory_xact_lock_shared(locks.lock_key)::text
    end
  from (
    select needed.lock_key, bool_or(needed.exclusive) as exclusive
    from (
      select hashtextextended(named.name, 0) as lock_key, named.exclusive as exclusive,
        named.name !~ '^(operation|replay) ' as comes_later
      from jsonb_array_elements(change_sets) as element, jsonb_array_elements(element->'locks') as lock_row,
        lateral (select lock_row->>0 as name, (lock_row->>1)::boolean as exclusive) as named
      union all
      select hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true, true
      from jsonb_array_elements(change_sets) as element,
        jsonb_array_elements(coalesce(element->'finishes', '[]') || coalesce(element->'returns', '[]')) as job_row,
        -- "offset 0" and a condition outside look up each job by its id, as in commit_group.
        lateral (select job.queue, job.platform_id, job.lane from job where job.id = job_row->>0 offset 0) as j
      where j.lane is not null
    ) as needed
    group by needed.lock_key
    order by bool_and(needed.comes_later), needed.lock_key
  ) as locks;

  -- Several sets: lock the rows that they change in the order of a single set, so that two calls take them alike.
  if jsonb_array_length(change_sets) > 1 then
    perform 1
    from job as j
    where j.id = any (array(
      select job_row->>0
      from jsonb_array_elements(change_sets) as element,
        jsonb_array_elements(coalesce(element->'finishes', '[]') || coalesce(element->'returns', '[]')) as job_row
    ))
    order by j.id
    for update;

    -- The sorted names drive the join, whatever the planner assumes about the tables.
    perform 1
    from (
      select distinct (element->>'platform') collate "C" as platform_id, (account_row->>0) collate "C" as id
      from jsonb_array_elements(change_sets) as element,
        jsonb_array_elements(
          coalesce(element->'balanceDeltas', '[]') || coalesce(element->'assertions', '[]')
        ) as account_row
      order by 1, 2
    ) as named
    cross join lateral (
      select from ledger_account as a
      where a.platform_id = named.platform_id and a.id = named.id
      for no key update
    ) as account;

    perform 1
    from (
      select distinct (element->>'platform') collate "C" as platform_id, (counter_row->>0) collate "C" as key
      from jsonb_array_elements(change_sets) as element,
        jsonb_array_elements(element->'counterDeltas') as counter_row
      order by 1, 2
    ) as named
    cross join lateral (
      select from counter as c
      where c.platform_id = named.platform_id and c.key = named.key
      for no key update
    ) as counter;
  end if;

  for change_set in select element from jsonb_array_elements(change_sets) as element loop
    platform := change_set->>'platform';
    agent_customer := change_set->>'agentCustomer';
    decided_at := (change_set->>'decidedAt')::bigint;
    wall_now := (change_set->>'wallNow')::bigint;
    outcome := null;
    touched_queues := '{}';

    -- Was the operation, or its idempotency key, committed before? With a key, the stored response is the receipt.
    if change_set ? 'replay' then
      select case
          when stored.operation_id = change_set->>'operation' then
            jsonb_build_object('_tag', 'Committed', 'sums', stored.sums)
          else
            jsonb_build_object('_tag', 'Replayed', 'stored', jsonb_build_object(
              'fingerprint', stored.fingerprint, 'status', stored.status, 'answer', stored.answer::text,
              'shown', stored.shown, 'sums', stored.sums
            ))
        end
        into outcome
      from replay as stored
      where stored.platform_id = platform and stored.key = change_set->'replay'->>0 and wall_now < stored.expires_at;
    else
      select jsonb_build_object('_tag', 'Committed', 'sums', receipt.sums)
        into outcome
      from operation as receipt
      where receipt.owner_id = change_set->>'operationOwner' and receipt.id = change_set->>'operation';
    end if;
    if outcome is null and (change_set->>'isLate')::boolean then
      outcome := jsonb_build_object('_tag', 'Conflict', 'on', 'validUntil');
    end if;
    if outcome is not null then
      outcomes := outcomes || outcome;
      continue;
    end if;

    -- This block is the set's savepoint.
    begin
      -- Insert records. An id that is in use is a conflict.
      for item in select element from jsonb_array_elements(change_set->'inserts') as element loop
        case (item->>0)::int
          when 0 then
            insert into "platform" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 1 then
            insert into "api_token" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "name", "is_deleted", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, (item->>4)::json
            )
            on conflict do nothing;
          when 2 then
            insert into "webhook_endpoint" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 3 then
            insert into "webhook_key_ring" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 4 then
            insert into "customer" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "platform_customer_id", "customer_type", "uma_address", "region", "currencies", "is_deleted", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, item->3->4, item->3->5, (item->>4)::json
            )
            on conflict do nothing;
          when 5 then
            insert into "beneficial_owner" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 6 then
            insert into "verification" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "verification_status", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, (item->>4)::json
            )
            on conflict do nothing;
          when 7 then
            insert into "bulk_import" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 8 then
            insert into "bulk_import_error" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "import_id", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, (item->>4)::json
            )
            on conflict do nothing;
          when 9 then
            insert into "stored_file" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 10 then
            insert into "document" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "document_holder", "is_deleted", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, (item->>4)::json
            )
            on conflict do nothing;
          when 11 then
            insert into "sca_profile" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 12 then
            insert into "internal_account" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "currency", "type", "status", "is_platform", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, (item->>4)::json
            )
            on conflict do nothing;
          when 13 then
            insert into "external_account" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "currency", "status", "is_default_uma_deposit", "is_of_platform", "is_deleted", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, item->3->4, (item->>4)::json
            )
            on conflict do nothing;
          when 14 then
            insert into "agent" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "is_paused", "is_connected", "is_deleted", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, (item->>4)::json
            )
            on conflict do nothing;
          when 15 then
            insert into "device_code" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "agent_id", "status", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, (item->>4)::json
            )
            on conflict do nothing;
          when 16 then
            insert into "agent_action" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "agent_id", "status", "type", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, (item->>4)::json
            )
            on conflict do nothing;
          when 17 then
            insert into "invitation" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 18 then
            insert into "quote" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 19 then
            insert into "transaction" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "status", "type", "platform_customer_id", "reference", "source_account_id", "destination_account_id", "agent_id", "is_unapplied", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, item->3->4, item->3->5, item->3->6, item->3->7, (item->>4)::json
            )
            on conflict do nothing;
          when 20 then
            insert into "approver" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "key", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, (item->>4)::json
            )
            on conflict do nothing;
          when 21 then
            insert into "console_session" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "status", "token_id", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, (item->>4)::json
            )
            on conflict do nothing;
          when 22 then
            insert into "wallet_root" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 23 then
            insert into "wallet" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 24 then
            insert into "credential" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "type", "contact", "is_revoked", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, (item->>4)::json
            )
            on conflict do nothing;
          when 25 then
            insert into "otp_challenge" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 26 then
            insert into "session" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "auth_method_id", "public_key", "status", "expires_at", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, item->3->4, (item->>4)::json
            )
            on conflict do nothing;
          when 27 then
            insert into "signed_request" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              (item->>4)::json
            )
            on conflict do nothing;
          when 28 then
            insert into "audit_record" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "actor_id", "operation", "target", "outcome", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, (item->>4)::json
            )
            on conflict do nothing;
          when 29 then
            insert into "card" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "platform_card_id", "state", "funding_sources", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, (item->>4)::json
            )
            on conflict do nothing;
          when 30 then
            insert into "card_transaction" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "card_id", "status", "platform_customer_id", "account_id", "issuer_transaction_token", "is_unapplied", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, item->3->4, item->3->5, (item->>4)::json
            )
            on conflict do nothing;
          when 31 then
            insert into "delegated_key" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "funding_source_id", "status", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, (item->>4)::json
            )
            on conflict do nothing;
          when 32 then
            insert into "stablecoin_provider_account" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "provider", "status", "provider_account_id", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, (item->>4)::json
            )
            on conflict do nothing;
          when 33 then
            insert into "stablecoin" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "provider", "issuance_status", "service_operations_status", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, (item->>4)::json
            )
            on conflict do nothing;
          when 34 then
            insert into "stablecoin_operation" (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, "stablecoin_id", "operation_type", "status", "request_key", data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              item->3->0, item->3->1, item->3->2, item->3->3, (item->>4)::json
            )
            on conflict do nothing;
        end case;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', kinds[(item->>0)::int + 1] || ' ' || (item->>1))
          )::text;
        end if;
      end loop;

      -- Update records: keep the present version as history and write the next one. Another version is a conflict.
      for item in select element from jsonb_array_elements(change_set->'updates') as element loop
        case (item->>0)::int
          when 0 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Platform', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "platform" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "platform" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 1 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'ApiToken', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "api_token" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "api_token" as r
            set version = r.version + 1, updated_at = decided_at, "name" = item->3->0, "is_deleted" = item->3->1,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 2 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'WebhookEndpoint', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "webhook_endpoint" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "webhook_endpoint" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 3 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'WebhookKeyRing', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "webhook_key_ring" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "webhook_key_ring" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 4 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Customer', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "customer" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "customer" as r
            set version = r.version + 1, updated_at = decided_at, "platform_customer_id" = item->3->0, "customer_type" = item->3->1, "uma_address" = item->3->2, "region" = item->3->3, "currencies" = item->3->4, "is_deleted" = item->3->5,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 5 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'BeneficialOwner', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "beneficial_owner" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "beneficial_owner" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 6 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Verification', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "verification" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "verification" as r
            set version = r.version + 1, updated_at = decided_at, "verification_status" = item->3->0,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 7 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'BulkImport', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "bulk_import" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "bulk_import" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 8 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'BulkImportError', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "bulk_import_error" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "bulk_import_error" as r
            set version = r.version + 1, updated_at = decided_at, "import_id" = item->3->0,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 9 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'StoredFile', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "stored_file" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "stored_file" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 10 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Document', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "document" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "document" as r
            set version = r.version + 1, updated_at = decided_at, "document_holder" = item->3->0, "is_deleted" = item->3->1,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 11 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'ScaProfile', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "sca_profile" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "sca_profile" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 12 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'InternalAccount', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "internal_account" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "internal_account" as r
            set version = r.version + 1, updated_at = decided_at, "currency" = item->3->0, "type" = item->3->1, "status" = item->3->2, "is_platform" = item->3->3,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 13 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'ExternalAccount', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "external_account" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "external_account" as r
            set version = r.version + 1, updated_at = decided_at, "currency" = item->3->0, "status" = item->3->1, "is_default_uma_deposit" = item->3->2, "is_of_platform" = item->3->3, "is_deleted" = item->3->4,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 14 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Agent', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "agent" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "agent" as r
            set version = r.version + 1, updated_at = decided_at, "is_paused" = item->3->0, "is_connected" = item->3->1, "is_deleted" = item->3->2,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 15 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'DeviceCode', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "device_code" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "device_code" as r
            set version = r.version + 1, updated_at = decided_at, "agent_id" = item->3->0, "status" = item->3->1,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 16 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'AgentAction', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "agent_action" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "agent_action" as r
            set version = r.version + 1, updated_at = decided_at, "agent_id" = item->3->0, "status" = item->3->1, "type" = item->3->2,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 17 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Invitation', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "invitation" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "invitation" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 18 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Quote', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "quote" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "quote" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 19 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Transaction', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "transaction" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "transaction" as r
            set version = r.version + 1, updated_at = decided_at, "status" = item->3->0, "type" = item->3->1, "platform_customer_id" = item->3->2, "reference" = item->3->3, "source_account_id" = item->3->4, "destination_account_id" = item->3->5, "agent_id" = item->3->6, "is_unapplied" = item->3->7,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 20 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Approver', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "approver" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "approver" as r
            set version = r.version + 1, updated_at = decided_at, "key" = item->3->0,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 21 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'ConsoleSession', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "console_session" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "console_session" as r
            set version = r.version + 1, updated_at = decided_at, "status" = item->3->0, "token_id" = item->3->1,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 22 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'WalletRoot', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "wallet_root" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "wallet_root" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 23 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Wallet', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "wallet" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "wallet" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 24 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Credential', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "credential" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "credential" as r
            set version = r.version + 1, updated_at = decided_at, "account_id" = item->3->0, "type" = item->3->1, "contact" = item->3->2, "is_revoked" = item->3->3,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 25 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'OtpChallenge', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "otp_challenge" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "otp_challenge" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 26 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Session', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "session" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "session" as r
            set version = r.version + 1, updated_at = decided_at, "account_id" = item->3->0, "auth_method_id" = item->3->1, "public_key" = item->3->2, "status" = item->3->3, "expires_at" = item->3->4,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 27 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'SignedRequest', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "signed_request" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "signed_request" as r
            set version = r.version + 1, updated_at = decided_at,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 28 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'AuditRecord', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "audit_record" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "audit_record" as r
            set version = r.version + 1, updated_at = decided_at, "actor_id" = item->3->0, "operation" = item->3->1, "target" = item->3->2, "outcome" = item->3->3,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 29 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Card', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "card" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "card" as r
            set version = r.version + 1, updated_at = decided_at, "platform_card_id" = item->3->0, "state" = item->3->1, "funding_sources" = item->3->2,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 30 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'CardTransaction', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "card_transaction" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "card_transaction" as r
            set version = r.version + 1, updated_at = decided_at, "card_id" = item->3->0, "status" = item->3->1, "platform_customer_id" = item->3->2, "account_id" = item->3->3, "issuer_transaction_token" = item->3->4, "is_unapplied" = item->3->5,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 31 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'DelegatedKey', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "delegated_key" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "delegated_key" as r
            set version = r.version + 1, updated_at = decided_at, "account_id" = item->3->0, "funding_source_id" = item->3->1, "status" = item->3->2,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 32 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'StablecoinProviderAccount', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "stablecoin_provider_account" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "stablecoin_provider_account" as r
            set version = r.version + 1, updated_at = decided_at, "provider" = item->3->0, "status" = item->3->1, "provider_account_id" = item->3->2,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 33 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'Stablecoin', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "stablecoin" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "stablecoin" as r
            set version = r.version + 1, updated_at = decided_at, "provider" = item->3->0, "issuance_status" = item->3->1, "service_operations_status" = item->3->2,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          when 34 then
            with history as (
              insert into record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'StablecoinOperation', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from "stablecoin_operation" as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update "stablecoin_operation" as r
            set version = r.version + 1, updated_at = decided_at, "stablecoin_id" = item->3->0, "operation_type" = item->3->1, "status" = item->3->2, "request_key" = item->3->3,               data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
        end case;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', kinds[(item->>0)::int + 1] || ' ' || (item->>1))
          )::text;
        end if;
        -- Erase the earlier versions, too, where the update says so.
        if (item->>5)::boolean then
          case (item->>0)::int
            when 0 then
              select r.version, r.customer_id into head_version, head_customer
              from "platform" as r where r.platform_id = platform and r.id = item->>1;
            when 1 then
              select r.version, r.customer_id into head_version, head_customer
              from "api_token" as r where r.platform_id = platform and r.id = item->>1;
            when 2 then
              select r.version, r.customer_id into head_version, head_customer
              from "webhook_endpoint" as r where r.platform_id = platform and r.id = item->>1;
            when 3 then
              select r.version, r.customer_id into head_version, head_customer
              from "webhook_key_ring" as r where r.platform_id = platform and r.id = item->>1;
            when 4 then
              select r.version, r.customer_id into head_version, head_customer
              from "customer" as r where r.platform_id = platform and r.id = item->>1;
            when 5 then
              select r.version, r.customer_id into head_version, head_customer
              from "beneficial_owner" as r where r.platform_id = platform and r.id = item->>1;
            when 6 then
              select r.version, r.customer_id into head_version, head_customer
              from "verification" as r where r.platform_id = platform and r.id = item->>1;
            when 7 then
              select r.version, r.customer_id into head_version, head_customer
              from "bulk_import" as r where r.platform_id = platform and r.id = item->>1;
            when 8 then
              select r.version, r.customer_id into head_version, head_customer
              from "bulk_import_error" as r where r.platform_id = platform and r.id = item->>1;
            when 9 then
              select r.version, r.customer_id into head_version, head_customer
              from "stored_file" as r where r.platform_id = platform and r.id = item->>1;
            when 10 then
              select r.version, r.customer_id into head_version, head_customer
              from "document" as r where r.platform_id = platform and r.id = item->>1;
            when 11 then
              select r.version, r.customer_id into head_version, head_customer
              from "sca_profile" as r where r.platform_id = platform and r.id = item->>1;
            when 12 then
              select r.version, r.customer_id into head_version, head_customer
              from "internal_account" as r where r.platform_id = platform and r.id = item->>1;
            when 13 then
              select r.version, r.customer_id into head_version, head_customer
              from "external_account" as r where r.platform_id = platform and r.id = item->>1;
            when 14 then
              select r.version, r.customer_id into head_version, head_customer
              from "agent" as r where r.platform_id = platform and r.id = item->>1;
            when 15 then
              select r.version, r.customer_id into head_version, head_customer
              from "device_code" as r where r.platform_id = platform and r.id = item->>1;
            when 16 then
              select r.version, r.customer_id into head_version, head_customer
              from "agent_action" as r where r.platform_id = platform and r.id = item->>1;
            when 17 then
              select r.version, r.customer_id into head_version, head_customer
              from "invitation" as r where r.platform_id = platform and r.id = item->>1;
            when 18 then
              select r.version, r.customer_id into head_version, head_customer
              from "quote" as r where r.platform_id = platform and r.id = item->>1;
            when 19 then
              select r.version, r.customer_id into head_version, head_customer
              from "transaction" as r where r.platform_id = platform and r.id = item->>1;
            when 20 then
              select r.version, r.customer_id into head_version, head_customer
              from "approver" as r where r.platform_id = platform and r.id = item->>1;
            when 21 then
              select r.version, r.customer_id into head_version, head_customer
              from "console_session" as r where r.platform_id = platform and r.id = item->>1;
            when 22 then
              select r.version, r.customer_id into head_version, head_customer
              from "wallet_root" as r where r.platform_id = platform and r.id = item->>1;
            when 23 then
              select r.version, r.customer_id into head_version, head_customer
              from "wallet" as r where r.platform_id = platform and r.id = item->>1;
            when 24 then
              select r.version, r.customer_id into head_version, head_customer
              from "credential" as r where r.platform_id = platform and r.id = item->>1;
            when 25 then
              select r.version, r.customer_id into head_version, head_customer
              from "otp_challenge" as r where r.platform_id = platform and r.id = item->>1;
            when 26 then
              select r.version, r.customer_id into head_version, head_customer
              from "session" as r where r.platform_id = platform and r.id = item->>1;
            when 27 then
              select r.version, r.customer_id into head_version, head_customer
              from "signed_request" as r where r.platform_id = platform and r.id = item->>1;
            when 28 then
              select r.version, r.customer_id into head_version, head_customer
              from "audit_record" as r where r.platform_id = platform and r.id = item->>1;
            when 29 then
              select r.version, r.customer_id into head_version, head_customer
              from "card" as r where r.platform_id = platform and r.id = item->>1;
            when 30 then
              select r.version, r.customer_id into head_version, head_customer
              from "card_transaction" as r where r.platform_id = platform and r.id = item->>1;
            when 31 then
              select r.version, r.customer_id into head_version, head_customer
              from "delegated_key" as r where r.platform_id = platform and r.id = item->>1;
            when 32 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin_provider_account" as r where r.platform_id = platform and r.id = item->>1;
            when 33 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin" as r where r.platform_id = platform and r.id = item->>1;
            when 34 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin_operation" as r where r.platform_id = platform and r.id = item->>1;
          end case;
          delete from record_history as history
          where history.owner_id = coalesce(head_customer, platform) and history.id = item->>1
            and history.kind = kinds[(item->>0)::int + 1];
        end if;
      end loop;

      -- Check guards: records that the decision depends on must still have the version that it read.
      for item in select element from jsonb_array_elements(change_set->'guards') as element loop
        case (item->>0)::int
          when 0 then
            select r.version, r.customer_id into head_version, head_customer
            from "platform" as r where r.platform_id = platform and r.id = item->>1;
          when 1 then
            select r.version, r.customer_id into head_version, head_customer
            from "api_token" as r where r.platform_id = platform and r.id = item->>1;
          when 2 then
            select r.version, r.customer_id into head_version, head_customer
            from "webhook_endpoint" as r where r.platform_id = platform and r.id = item->>1;
          when 3 then
            select r.version, r.customer_id into head_version, head_customer
            from "webhook_key_ring" as r where r.platform_id = platform and r.id = item->>1;
          when 4 then
            select r.version, r.customer_id into head_version, head_customer
            from "customer" as r where r.platform_id = platform and r.id = item->>1;
          when 5 then
            select r.version, r.customer_id into head_version, head_customer
            from "beneficial_owner" as r where r.platform_id = platform and r.id = item->>1;
          when 6 then
            select r.version, r.customer_id into head_version, head_customer
            from "verification" as r where r.platform_id = platform and r.id = item->>1;
          when 7 then
            select r.version, r.customer_id into head_version, head_customer
            from "bulk_import" as r where r.platform_id = platform and r.id = item->>1;
          when 8 then
            select r.version, r.customer_id into head_version, head_customer
            from "bulk_import_error" as r where r.platform_id = platform and r.id = item->>1;
          when 9 then
            select r.version, r.customer_id into head_version, head_customer
            from "stored_file" as r where r.platform_id = platform and r.id = item->>1;
          when 10 then
            select r.version, r.customer_id into head_version, head_customer
            from "document" as r where r.platform_id = platform and r.id = item->>1;
          when 11 then
            select r.version, r.customer_id into head_version, head_customer
            from "sca_profile" as r where r.platform_id = platform and r.id = item->>1;
          when 12 then
            select r.version, r.customer_id into head_version, head_customer
            from "internal_account" as r where r.platform_id = platform and r.id = item->>1;
          when 13 then
            select r.version, r.customer_id into head_version, head_customer
            from "external_account" as r where r.platform_id = platform and r.id = item->>1;
          when 14 then
            select r.version, r.customer_id into head_version, head_customer
            from "agent" as r where r.platform_id = platform and r.id = item->>1;
          when 15 then
            select r.version, r.customer_id into head_version, head_customer
            from "device_code" as r where r.platform_id = platform and r.id = item->>1;
          when 16 then
            select r.version, r.customer_id into head_version, head_customer
            from "agent_action" as r where r.platform_id = platform and r.id = item->>1;
          when 17 then
            select r.version, r.customer_id into head_version, head_customer
            from "invitation" as r where r.platform_id = platform and r.id = item->>1;
          when 18 then
            select r.version, r.customer_id into head_version, head_customer
            from "quote" as r where r.platform_id = platform and r.id = item->>1;
          when 19 then
            select r.version, r.customer_id into head_version, head_customer
            from "transaction" as r where r.platform_id = platform and r.id = item->>1;
          when 20 then
            select r.version, r.customer_id into head_version, head_customer
            from "approver" as r where r.platform_id = platform and r.id = item->>1;
          when 21 then
            select r.version, r.customer_id into head_version, head_customer
            from "console_session" as r where r.platform_id = platform and r.id = item->>1;
          when 22 then
            select r.version, r.customer_id into head_version, head_customer
            from "wallet_root" as r where r.platform_id = platform and r.id = item->>1;
          when 23 then
            select r.version, r.customer_id into head_version, head_customer
            from "wallet" as r where r.platform_id = platform and r.id = item->>1;
          when 24 then
            select r.version, r.customer_id into head_version, head_customer
            from "credential" as r where r.platform_id = platform and r.id = item->>1;
          when 25 then
            select r.version, r.customer_id into head_version, head_customer
            from "otp_challenge" as r where r.platform_id = platform and r.id = item->>1;
          when 26 then
            select r.version, r.customer_id into head_version, head_customer
            from "session" as r where r.platform_id = platform and r.id = item->>1;
          when 27 then
            select r.version, r.customer_id into head_version, head_customer
            from "signed_request" as r where r.platform_id = platform and r.id = item->>1;
          when 28 then
            select r.version, r.customer_id into head_version, head_customer
            from "audit_record" as r where r.platform_id = platform and r.id = item->>1;
          when 29 then
            select r.version, r.customer_id into head_version, head_customer
            from "card" as r where r.platform_id = platform and r.id = item->>1;
          when 30 then
            select r.version, r.customer_id into head_version, head_customer
            from "card_transaction" as r where r.platform_id = platform and r.id = item->>1;
          when 31 then
            select r.version, r.customer_id into head_version, head_customer
            from "delegated_key" as r where r.platform_id = platform and r.id = item->>1;
          when 32 then
            select r.version, r.customer_id into head_version, head_customer
            from "stablecoin_provider_account" as r where r.platform_id = platform and r.id = item->>1;
          when 33 then
            select r.version, r.customer_id into head_version, head_customer
            from "stablecoin" as r where r.platform_id = platform and r.id = item->>1;
          when 34 then
            select r.version, r.customer_id into head_version, head_customer
            from "stablecoin_operation" as r where r.platform_id = platform and r.id = item->>1;
        end case;
        if head_version is distinct from (item->>2)::int
          or (agent_customer is not null and head_customer is distinct from agent_customer)
        then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', kinds[(item->>0)::int + 1] || ' ' || (item->>1))
          )::text;
        end if;
      end loop;

      -- Finish jobs: the attempt is the fence. A job that held its lane opens the next ones.
      -- "not in" lets the planner look up the job by its id and not by the index of running jobs.
      for item in select element from jsonb_array_elements(change_set->'finishes') as element loop
        delete from job as j
        where j.id = item->>0 and j.platform_id = platform
          and (agent_customer is null or j.customer_id = agent_customer)
          and j.attempt = (item->>1)::int and j.state not in ('waiting', 'parked')
        returning j.queue, j.lane, j.sequence, j.holds into found_row;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || (item->>0))
          )::text;
        end if;
        touched_queues := touched_queues || found_row.queue;
        if found_row.lane is not null and found_row.holds then
          perform open_lane_34ab3f747765(found_row.queue, platform, found_row.lane, found_row.sequence);
        end if;
      end loop;

      -- Apply an operator's decisions on parked jobs: drop the job, or make it due and let its retries begin again.
      for item in
        select element from jsonb_array_elements(change_set->'returns') as element
        where element->>2 in ('resumed', 'dropped')
      loop
        if item->>2 = 'dropped' then
          delete from job as j
          where j.id = item->>0 and j.platform_id = platform
            and (agent_customer is null or j.customer_id = agent_customer)
            and j.attempt = (item->>1)::int and j.state = 'parked'
          returning j.queue, j.lane, j.sequence, j.holds into found_row;
        else
          update job as j
          set state = 'waiting', not_before = 0, error = null, first_claimed_at = wall_now
          where j.id = item->>0 and j.platform_id = platform
            and (agent_customer is null or j.customer_id = agent_customer)
            and j.attempt = (item->>1)::int and j.state = 'parked'
          returning j.queue, null as lane, j.sequence, false as holds into found_row;
        end if;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || (item->>0))
          )::text;
        end if;
        touched_queues := touched_queues || found_row.queue;
        if found_row.lane is not null and found_row.holds then
          perform open_lane_34ab3f747765(found_row.queue, platform, found_row.lane, found_row.sequence);
        end if;
      end loop;

      -- Return jobs to be tried again or parked. A job blocks its lane no longer than its lane hold.
      for item in
        select element from jsonb_array_elements(change_set->'returns') as element
        where element->>2 not in ('resumed', 'dropped')
      loop
        update job as j
        set state = item->>2, not_before = (item->>3)::bigint, error = item->>4,
          payload = coalesce((item->>5)::json, j.payload),
          holds = j.lane is not null and (
            j.lane_hold_millis is null
            or (item->>2 <> 'parked' and j.first_claimed_at + j.lane_hold_millis > wall_now)
          ),
          holds_until = case
            when j.lane is not null and item->>2 <> 'parked' and j.first_claimed_at + j.lane_hold_millis > wall_now
              then j.first_claimed_at + j.lane_hold_millis
          end
        where j.id = item->>0 and j.platform_id = platform
          and (agent_customer is null or j.customer_id = agent_customer)
          and j.attempt = (item->>1)::int and j.state not in ('waiting', 'parked')
        returning j.queue, j.lane, j.sequence, j.holds into found_row;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || (item->>0))
          )::text;
        end if;
        touched_queues := touched_queues || found_row.queue;
        if found_row.lane is not null and not found_row.holds then
          perform open_lane_34ab3f747765(found_row.queue, platform, found_row.lane, found_row.sequence);
        end if;
      end loop;

      -- Release unique keys. A record that this set inserts brings its customer with it.
      for item in select element from jsonb_array_elements(change_set->'releases') as element loop
        if (item->>5)::boolean then
          owner_customer := item->>6;
        else
          case (item->>3)::int
            when 0 then
              select r.version, r.customer_id into head_version, head_customer
              from "platform" as r where r.platform_id = platform and r.id = item->>4;
            when 1 then
              select r.version, r.customer_id into head_version, head_customer
              from "api_token" as r where r.platform_id = platform and r.id = item->>4;
            when 2 then
              select r.version, r.customer_id into head_version, head_customer
              from "webhook_endpoint" as r where r.platform_id = platform and r.id = item->>4;
            when 3 then
              select r.version, r.customer_id into head_version, head_customer
              from "webhook_key_ring" as r where r.platform_id = platform and r.id = item->>4;
            when 4 then
              select r.version, r.customer_id into head_version, head_customer
              from "customer" as r where r.platform_id = platform and r.id = item->>4;
            when 5 then
              select r.version, r.customer_id into head_version, head_customer
              from "beneficial_owner" as r where r.platform_id = platform and r.id = item->>4;
            when 6 then
              select r.version, r.customer_id into head_version, head_customer
              from "verification" as r where r.platform_id = platform and r.id = item->>4;
            when 7 then
              select r.version, r.customer_id into head_version, head_customer
              from "bulk_import" as r where r.platform_id = platform and r.id = item->>4;
            when 8 then
              select r.version, r.customer_id into head_version, head_customer
              from "bulk_import_error" as r where r.platform_id = platform and r.id = item->>4;
            when 9 then
              select r.version, r.customer_id into head_version, head_customer
              from "stored_file" as r where r.platform_id = platform and r.id = item->>4;
            when 10 then
              select r.version, r.customer_id into head_version, head_customer
              from "document" as r where r.platform_id = platform and r.id = item->>4;
            when 11 then
              select r.version, r.customer_id into head_version, head_customer
              from "sca_profile" as r where r.platform_id = platform and r.id = item->>4;
            when 12 then
              select r.version, r.customer_id into head_version, head_customer
              from "internal_account" as r where r.platform_id = platform and r.id = item->>4;
            when 13 then
              select r.version, r.customer_id into head_version, head_customer
              from "external_account" as r where r.platform_id = platform and r.id = item->>4;
            when 14 then
              select r.version, r.customer_id into head_version, head_customer
              from "agent" as r where r.platform_id = platform and r.id = item->>4;
            when 15 then
              select r.version, r.customer_id into head_version, head_customer
              from "device_code" as r where r.platform_id = platform and r.id = item->>4;
            when 16 then
              select r.version, r.customer_id into head_version, head_customer
              from "agent_action" as r where r.platform_id = platform and r.id = item->>4;
            when 17 then
              select r.version, r.customer_id into head_version, head_customer
              from "invitation" as r where r.platform_id = platform and r.id = item->>4;
            when 18 then
              select r.version, r.customer_id into head_version, head_customer
              from "quote" as r where r.platform_id = platform and r.id = item->>4;
            when 19 then
              select r.version, r.customer_id into head_version, head_customer
              from "transaction" as r where r.platform_id = platform and r.id = item->>4;
            when 20 then
              select r.version, r.customer_id into head_version, head_customer
              from "approver" as r where r.platform_id = platform and r.id = item->>4;
            when 21 then
              select r.version, r.customer_id into head_version, head_customer
              from "console_session" as r where r.platform_id = platform and r.id = item->>4;
            when 22 then
              select r.version, r.customer_id into head_version, head_customer
              from "wallet_root" as r where r.platform_id = platform and r.id = item->>4;
            when 23 then
              select r.version, r.customer_id into head_version, head_customer
              from "wallet" as r where r.platform_id = platform and r.id = item->>4;
            when 24 then
              select r.version, r.customer_id into head_version, head_customer
              from "credential" as r where r.platform_id = platform and r.id = item->>4;
            when 25 then
              select r.version, r.customer_id into head_version, head_customer
              from "otp_challenge" as r where r.platform_id = platform and r.id = item->>4;
            when 26 then
              select r.version, r.customer_id into head_version, head_customer
              from "session" as r where r.platform_id = platform and r.id = item->>4;
            when 27 then
              select r.version, r.customer_id into head_version, head_customer
              from "signed_request" as r where r.platform_id = platform and r.id = item->>4;
            when 28 then
              select r.version, r.customer_id into head_version, head_customer
              from "audit_record" as r where r.platform_id = platform and r.id = item->>4;
            when 29 then
              select r.version, r.customer_id into head_version, head_customer
              from "card" as r where r.platform_id = platform and r.id = item->>4;
            when 30 then
              select r.version, r.customer_id into head_version, head_customer
              from "card_transaction" as r where r.platform_id = platform and r.id = item->>4;
            when 31 then
              select r.version, r.customer_id into head_version, head_customer
              from "delegated_key" as r where r.platform_id = platform and r.id = item->>4;
            when 32 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin_provider_account" as r where r.platform_id = platform and r.id = item->>4;
            when 33 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin" as r where r.platform_id = platform and r.id = item->>4;
            when 34 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin_operation" as r where r.platform_id = platform and r.id = item->>4;
          end case;
          if head_version is null or (agent_customer is not null and head_customer is distinct from agent_customer) then
            raise exception 'refused' using errcode = 'CS003', detail = (
              jsonb_build_object('_tag', 'Conflict', 'on', (item->>2) || ' ' || (item->>4))
            )::text;
          end if;
          owner_customer := head_customer;
        end if;
        delete from unique_key as k
        where k.key = item->>0 and k.scope = item->>1 and k.kind = item->>2 and k.id = item->>4;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', (item->>2) || ' ' || (item->>4))
          )::text;
        end if;
      end loop;

      -- Claim unique keys. A key that another record holds is refused as taken.
      for item in select element from jsonb_array_elements(change_set->'claims') as element loop
        if (item->>5)::boolean then
          owner_customer := item->>6;
        else
          case (item->>3)::int
            when 0 then
              select r.version, r.customer_id into head_version, head_customer
              from "platform" as r where r.platform_id = platform and r.id = item->>4;
            when 1 then
              select r.version, r.customer_id into head_version, head_customer
              from "api_token" as r where r.platform_id = platform and r.id = item->>4;
            when 2 then
              select r.version, r.customer_id into head_version, head_customer
              from "webhook_endpoint" as r where r.platform_id = platform and r.id = item->>4;
            when 3 then
              select r.version, r.customer_id into head_version, head_customer
              from "webhook_key_ring" as r where r.platform_id = platform and r.id = item->>4;
            when 4 then
              select r.version, r.customer_id into head_version, head_customer
              from "customer" as r where r.platform_id = platform and r.id = item->>4;
            when 5 then
              select r.version, r.customer_id into head_version, head_customer
              from "beneficial_owner" as r where r.platform_id = platform and r.id = item->>4;
            when 6 then
              select r.version, r.customer_id into head_version, head_customer
              from "verification" as r where r.platform_id = platform and r.id = item->>4;
            when 7 then
              select r.version, r.customer_id into head_version, head_customer
              from "bulk_import" as r where r.platform_id = platform and r.id = item->>4;
            when 8 then
              select r.version, r.customer_id into head_version, head_customer
              from "bulk_import_error" as r where r.platform_id = platform and r.id = item->>4;
            when 9 then
              select r.version, r.customer_id into head_version, head_customer
              from "stored_file" as r where r.platform_id = platform and r.id = item->>4;
            when 10 then
              select r.version, r.customer_id into head_version, head_customer
              from "document" as r where r.platform_id = platform and r.id = item->>4;
            when 11 then
              select r.version, r.customer_id into head_version, head_customer
              from "sca_profile" as r where r.platform_id = platform and r.id = item->>4;
            when 12 then
              select r.version, r.customer_id into head_version, head_customer
              from "internal_account" as r where r.platform_id = platform and r.id = item->>4;
            when 13 then
              select r.version, r.customer_id into head_version, head_customer
              from "external_account" as r where r.platform_id = platform and r.id = item->>4;
            when 14 then
              select r.version, r.customer_id into head_version, head_customer
              from "agent" as r where r.platform_id = platform and r.id = item->>4;
            when 15 then
              select r.version, r.customer_id into head_version, head_customer
              from "device_code" as r where r.platform_id = platform and r.id = item->>4;
            when 16 then
              select r.version, r.customer_id into head_version, head_customer
              from "agent_action" as r where r.platform_id = platform and r.id = item->>4;
            when 17 then
              select r.version, r.customer_id into head_version, head_customer
              from "invitation" as r where r.platform_id = platform and r.id = item->>4;
            when 18 then
              select r.version, r.customer_id into head_version, head_customer
              from "quote" as r where r.platform_id = platform and r.id = item->>4;
            when 19 then
              select r.version, r.customer_id into head_version, head_customer
              from "transaction" as r where r.platform_id = platform and r.id = item->>4;
            when 20 then
              select r.version, r.customer_id into head_version, head_customer
              from "approver" as r where r.platform_id = platform and r.id = item->>4;
            when 21 then
              select r.version, r.customer_id into head_version, head_customer
              from "console_session" as r where r.platform_id = platform and r.id = item->>4;
            when 22 then
              select r.version, r.customer_id into head_version, head_customer
              from "wallet_root" as r where r.platform_id = platform and r.id = item->>4;
            when 23 then
              select r.version, r.customer_id into head_version, head_customer
              from "wallet" as r where r.platform_id = platform and r.id = item->>4;
            when 24 then
              select r.version, r.customer_id into head_version, head_customer
              from "credential" as r where r.platform_id = platform and r.id = item->>4;
            when 25 then
              select r.version, r.customer_id into head_version, head_customer
              from "otp_challenge" as r where r.platform_id = platform and r.id = item->>4;
            when 26 then
              select r.version, r.customer_id into head_version, head_customer
              from "session" as r where r.platform_id = platform and r.id = item->>4;
            when 27 then
              select r.version, r.customer_id into head_version, head_customer
              from "signed_request" as r where r.platform_id = platform and r.id = item->>4;
            when 28 then
              select r.version, r.customer_id into head_version, head_customer
              from "audit_record" as r where r.platform_id = platform and r.id = item->>4;
            when 29 then
              select r.version, r.customer_id into head_version, head_customer
              from "card" as r where r.platform_id = platform and r.id = item->>4;
            when 30 then
              select r.version, r.customer_id into head_version, head_customer
              from "card_transaction" as r where r.platform_id = platform and r.id = item->>4;
            when 31 then
              select r.version, r.customer_id into head_version, head_customer
              from "delegated_key" as r where r.platform_id = platform and r.id = item->>4;
            when 32 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin_provider_account" as r where r.platform_id = platform and r.id = item->>4;
            when 33 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin" as r where r.platform_id = platform and r.id = item->>4;
            when 34 then
              select r.version, r.customer_id into head_version, head_customer
              from "stablecoin_operation" as r where r.platform_id = platform and r.id = item->>4;
          end case;
          if head_version is null or (agent_customer is not null and head_customer is distinct from agent_customer) then
            raise exception 'refused' using errcode = 'CS003', detail = (
              jsonb_build_object('_tag', 'Conflict', 'on', (item->>2) || ' ' || (item->>4))
            )::text;
          end if;
          owner_customer := head_customer;
        end if;
        loop
          insert into unique_key (key, scope, kind, id, platform_id, customer_id)
          values (item->>0, item->>1, item->>2, item->>4, platform, owner_customer)
          on conflict do nothing;
          exit when found;
          -- Lock a key that the record holds already: another transaction may be releasing it.
          perform 1
          from unique_key as k
          where k.key = item->>0 and k.scope = item->>1 and k.kind = item->>2 and k.id = item->>4
          for key share;
          exit when found;
          if exists (select from unique_key as k where k.key = item->>0 and k.scope = item->>1) then
            raise exception 'refused' using errcode = 'CS003', detail = (
              jsonb_build_object('_tag', 'Taken', 'claim', jsonb_build_object(
                'scope', case item->>1 when '' then 'global' else 'platform' end, 'key', item->>0
              ))
            )::text;
          end if;
        end loop;
      end loop;

      -- Open ledger accounts. Opening one again with the same properties changes nothing.
      if change_set ? 'ledgerAccounts' then
        insert into ledger_account (owner_id, platform_id, id, currency, floor, customer_id)
        select coalesce(element->>3, platform), platform, element->>0, element->>1, (element->>2)::bigint, element->>3
        from jsonb_array_elements(change_set->'ledgerAccounts') as element
        order by (element->>0) collate "C"
        on conflict do nothing;
        for found_row in
          select element->>0 as id
          from jsonb_array_elements(change_set->'ledgerAccounts') as element
          where not exists (
            select from ledger_account as a
            where a.id = element->>0 and a.platform_id = platform and a.customer_id is not distinct from element->>3
              and a.currency = element->>1 and a.floor is not distinct from (element->>2)::bigint
          )
        loop
          raise exception '%', 'change set: ' || 'ledger account ' || found_row.id || ' is open with other properties'
            using errcode = 'CS001';
        end loop;
      end if;

      -- Post to the ledger: lock the accounts, check bounds and assertions, then move balances and add entries.
      if change_set ? 'balanceDeltas' or change_set ? 'assertions' then
        violation := null;
        perform 1
        from ledger_account as a
        where a.platform_id = platform and a.id = any (array(
          select element->>0
          from jsonb_array_elements(
            coalesce(change_set->'balanceDeltas', '[]') || coalesce(change_set->'assertions', '[]')
          ) as element
        ))
        order by a.id
        for no key update;

        for found_row in
          select delta.item->>0 as id, (delta.item->>1)::numeric as total, delta.item->>3 as currency, a.id as found,
            a.customer_id, a.currency as own_currency, a.floor, a.balance
          from jsonb_array_elements(change_set->'balanceDeltas') with ordinality as delta (item, position)
          left join ledger_account as a
            on a.platform_id = coalesce(delta.item->>'', platform) and a.id = delta.item->>0
          order by delta.position
        loop
          if found_row.found is null then
            raise exception '%', 'change set: ' || 'ledger account ' || found_row.id || ' is not open'
              using errcode = 'CS001';
          end if;
          if agent_customer is not null and found_row.customer_id is distinct from agent_customer then
            raise exception '%', 'change set: ' || 'ledger account ' || found_row.id || ' belongs to another tenant'
              using errcode = 'CS001';
          end if;
          if found_row.own_currency is distinct from found_row.currency then
            raise exception '%', 'change set: ' || 'another currency moved on ledger account ' || found_row.id
              using errcode = 'CS001';
          end if;
          -- The first violated bound is the outcome.
          if violation is null and found_row.total < 0 and found_row.balance + found_row.total < found_row.floor then
            violation := jsonb_build_object(
              '_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Floor', 'account', found_row.id)
            );
          elsif violation is null and abs(found_row.balance + found_row.total) > 9007199254740991 then
            violation := jsonb_build_object(
              '_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Range', 'account', found_row.id)
            );
          end if;
        end loop;

        for found_row in
          select assertion.item->>0 as id
          from jsonb_array_elements(change_set->'assertions') with ordinality as assertion (item, position)
          left join ledger_account as a
            on a.platform_id = coalesce(assertion.item->>'', platform) and a.id = assertion.item->>0
            and (agent_customer is null or a.customer_id = agent_customer)
          where coalesce(a.sequence, 0) <> (assertion.item->>1)::bigint
          order by assertion.position
          limit 1
        loop
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'ledger account ' || found_row.id)
          )::text;
        end loop;
        if violation is not null then
          raise exception 'refused' using errcode = 'CS003', detail = (violation)::text;
        end if;

        update ledger_account as a
        set balance = a.balance + delta.total, sequence = a.sequence + delta.entry_count
        from (
          select coalesce(element->>'', platform) as platform_id, element->>0 as id, (element->>1)::bigint as total,
            (element->>2)::int as entry_count
          from jsonb_array_elements(change_set->'balanceDeltas') as element
        ) as delta
        where a.platform_id = delta.platform_id and a.id = delta.id;

        -- Balance and sequence after each entry are those of the account now, less what the later entries add.
        insert into ledger_entry (
          owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at
        )
        select a.owner_id, platform, a.id, a.sequence - (element->>3)::int, (element->>1)::bigint,
          a.balance - (element->>2)::numeric, element->>4, change_set->>'operation', (element->>5)::int, decided_at
        from jsonb_array_elements(change_set->'entries') as element
        join ledger_account as a on a.platform_id = coalesce(element->>'', platform) and a.id = element->>0;
      end if;

      -- Counters: create missing ones with 0, lock all, judge each change in its order, then add the totals.
      if change_set ? 'counterDeltas' then
        insert into counter (owner_id, platform_id, key, value)
        select coalesce(element->>2, platform), platform, element->>0, 0
        from jsonb_array_elements(change_set->'counterDeltas') as element
        where not exists (
          select from counter as c where c.platform_id = coalesce(element->>'', platform) and c.key = element->>0
        )
        order by (element->>0) collate "C"
        on conflict do nothing;
        perform 1
        from counter as c
        where c.platform_id = platform and c.key = any (array(
          select element->>0 from jsonb_array_elements(change_set->'counterDeltas') as element
        ))
        order by c.key
        for no key update;

        violation := null;
        mistake := null;
        for found_row in
          select change.item->>0 as key, (change.item->>1)::numeric as running_total,
            (change.item->>2)::numeric as upper_bound, (change.item->>3)::numeric as expected, c.value
          from jsonb_array_elements(change_set->'counterChanges') with ordinality as change (item, position)
          join counter as c on c.platform_id = coalesce(change.item->>'', platform) and c.key = change.item->>0
          order by change.position
        loop
          if found_row.expected <> found_row.value then
            raise exception 'refused' using errcode = 'CS003', detail = (
              jsonb_build_object('_tag', 'Conflict', 'on', 'counter ' || found_row.key)
            )::text;
          end if;
          continue when violation is not null or mistake is not null;
          if found_row.value + found_row.running_total > found_row.upper_bound then
            violation := jsonb_build_object(
              '_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Counter', 'key', found_row.key)
            );
          elsif found_row.value + found_row.running_total < 0 then
            mistake := 'counter ' || found_row.key || ' gives back more than was taken';
          end if;
        end loop;
        if violation is not null then
          raise exception 'refused' using errcode = 'CS003', detail = (violation)::text;
        end if;
        if mistake is not null then
          raise exception '%', 'change set: ' || mistake using errcode = 'CS001';
        end if;
        update counter as c
        set value = c.value + delta.total
        from (
          select coalesce(element->>'', platform) as platform_id, element->>0 as key, (element->>1)::bigint as total
          from jsonb_array_elements(change_set->'counterDeltas') as element
        ) as delta
        where c.platform_id = delta.platform_id and c.key = delta.key and delta.total <> 0;
      end if;

      -- The sums that only the commit knows: balance and sequence of each observed account, then each counter's value.
      select concat_ws(',',
          (
            select string_agg(concat(coalesce(a.balance, 0), ',', coalesce(a.sequence, 0)), ',' order by position)
            from jsonb_array_elements(change_set->'observed') with ordinality as observed (account, position)
            left join ledger_account as a
              on a.platform_id = coalesce(observed.account->>'', platform) and a.id = observed.account#>>'{}'
              and (agent_customer is null or a.customer_id = agent_customer)
          ),
          (
            select string_agg(c.value::text, ',' order by position)
            from jsonb_array_elements(change_set->'counterDeltas') with ordinality as delta (item, position)
            join counter as c on c.platform_id = coalesce(delta.item->>'', platform) and c.key = delta.item->>0
          )
        )
        into stored_sums;

      -- Add jobs. The first job of a lane is open unless an earlier one still holds the lane.
      if change_set ? 'jobs' then
        with inserted as (
          insert into job (
            owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds
          )
          select coalesce(element->>3, platform), platform, element->>0, element->>1, element->>2, element->>3,
            element->>4, (element->>5)::bigint, (element->>6)::bigint, (element->>7)::json,
            element->>4 is null or (
              row_number() over (partition by element->>1, element->>4 order by position) = 1
              and ((element->>8)::boolean or (
                select true from job as j
                where j.platform_id = platform and j.queue = element->>1 and j.lane = element->>4 and j.holds
                limit 1
              ) is null)
            ),
            element->>4 is not null
          from jsonb_array_elements(change_set->'jobs') with ordinality as new_job (element, position)
          order by position
          on conflict do nothing
          returning id
        )
        select element->>0 into missing_id
        from jsonb_array_elements(change_set->'jobs') with ordinality as new_job (element, position)
        where element->>0 not in (select inserted.id from inserted)
        order by position
        limit 1;
        if found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || missing_id)
          )::text;
        end if;
        touched_queues := touched_queues || array(
          select distinct element->>1 from jsonb_array_elements(change_set->'jobs') as element
        );
      end if;

      -- Add events.
      if change_set ? 'events' then
        with inserted as (
          insert into event (
            owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums
          )
          select coalesce(element->>2, platform), platform, element->>0, element->>1, element->>2, element->>3,
            (element->>4)::json, decided_at, decided_at + 2592000000,
            (element->>5)::json, case when element->>5 is not null then stored_sums end
          from jsonb_array_elements(change_set->'events') as element
          on conflict do nothing
          returning id
        )
        select element->>0 into missing_id
        from jsonb_array_elements(change_set->'events') with ordinality as new_event (element, position)
        where element->>0 not in (select inserted.id from inserted)
        order by position
        limit 1;
        if found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'event ' || missing_id)
          )::text;
        end if;
      end if;

      -- Add attempts of deliveries, and delete those of the same events that are too many.
      -- The set has locked the events.
      if change_set ? 'attempts' then
        with inserted as (
          insert into event_attempt (owner_id, platform_id, event_id, number, data)
          select emitted.owner_id, emitted.platform_id, emitted.id,
            coalesce((
              select max(earlier.number) from event_attempt as earlier
              where earlier.owner_id = emitted.owner_id and earlier.event_id = emitted.id
            ), 0) + 1,
            (element->>1)::json
          from jsonb_array_elements(change_set->'attempts') as element
          join event as emitted on emitted.id = element->>0 and emitted.platform_id = platform
            and (agent_customer is null or emitted.customer_id = agent_customer)
          returning owner_id, event_id, number
        )
        delete from event_attempt as outdated using inserted
        where outdated.owner_id = inserted.owner_id and outdated.event_id = inserted.event_id
          and outdated.number <= inserted.number - 20;
      end if;

      -- The receipt: the stored response under the idempotency key, or else the operation itself.
      if change_set ? 'replay' then
        insert into replay as stored (
          platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at
        )
        values (
          platform, change_set->'replay'->>0, change_set->'replay'->>1, (change_set->'replay'->>2)::int,
          (change_set->'replay'->>3)::json, change_set->>'operation', (change_set->'replay'->>5)::json,
          case when change_set->'replay'->>5 is not null then stored_sums end, (change_set->'replay'->>4)::bigint
        )
        on conflict (platform_id, key) do update set
          fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
          operation_id = excluded.operation_id, shown = excluded.shown, sums = excluded.sums,
          expires_at = excluded.expires_at;
      else
        insert into operation (owner_id, platform_id, id, sums, expires_at)
        values (
          change_set->>'operationOwner', platform, change_set->>'operation', stored_sums,
          (change_set->>'receiptExpiresAt')::bigint
        );
      end if;

      outcomes := outcomes || jsonb_build_object(
        '_tag', 'Committed', 'sums', stored_sums, 'queues', to_jsonb(touched_queues)
      );
    exception when sqlstate 'CS003' then
      get stacked diagnostics refusal = pg_exception_detail;
      outcomes := outcomes || refusal::jsonb;
    end;
  end loop;
  return array_to_json(outcomes)::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.due_jobs_34ab3f747765(due_queue text, due_platform text, business_now bigint, wall_now bigint, job_limit integer, skipped_ids text[])
 RETURNS TABLE(id text, due_at bigint, sequence bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select j.id, j.due_at, j.sequence
  from job as j
  where j.queue = due_queue and j.platform_id = due_platform
    and j.open and j.state <> 'parked' and j.due_at <= business_now and j.not_before <= wall_now
    and j.id <> all (skipped_ids)
    -- No earlier job of its lane blocks it, and none will that this same claim takes first.
    and (j.lane is null or not exists (
      select from job as earlier
      where earlier.platform_id = j.platform_id and earlier.queue = due_queue and earlier.lane = j.lane
        and earlier.sequence < j.sequence
        and (
          earlier.holds
          or (
            earlier.open and earlier.state <> 'parked'
            and earlier.not_before <= wall_now and earlier.due_at <= j.due_at
          )
        )
    ))
  order by j.due_at, j.sequence
  limit job_limit
$function$;

CREATE OR REPLACE FUNCTION countersign.find_locked_34ab3f747765(request jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'countersign', 'pg_catalog', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
 SET enable_memoize TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET lock_timeout TO '10'
AS $function$
declare
  locked jsonb := '[]';
  locked_rows jsonb;
  absent record;
begin
  with named as (
    select (lock_row->>0)::int as number, hashtextextended(lock_row->>1, 0) as lock_key,
      (lock_row->>2)::boolean as exclusive
    from jsonb_array_elements(request->'locks') as lock_row
    union all
    select (job_row->>0)::int, hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true
    from jsonb_array_elements(request->'jobs') as job_row
    join job as j on j.id = job_row->>1
    where j.lane is not null
  )
  select jsonb_agg(jsonb_build_array(named.number, coalesce((
      select string_agg(held.virtualtransaction, ' ' order by held.virtualtransaction)
      from pg_locks as held
      where held.locktype = 'advisory' and held.granted and held.objsubid = 1
        and held.database = (select oid from pg_database where datname = current_database())
        and held.classid = ((named.lock_key >> 32) & 4294967295)::oid
        and held.objid = (named.lock_key & 4294967295)::oid
    ), '')))
    into locked_rows
  from named
  where not case
    when named.exclusive then pg_try_advisory_xact_lock(named.lock_key)
    else pg_try_advisory_xact_lock_shared(named.lock_key)
  end;
  locked := locked || coalesce(locked_rows, '[]');

  -- The transaction id on a row is that of its holder, or of the group of its holders.
  select jsonb_agg(jsonb_build_array(account_row->0, present.holder)) into locked_rows
  from jsonb_array_elements(request->'accounts') as account_row
  cross join lateral (
    select a.xmax::text as holder from ledger_account as a
    where a.platform_id = account_row->>1 and a.id = account_row->>2
  ) as present
  left join lateral (
    select true as taken from ledger_account as a
    where a.platform_id = account_row->>1 and a.id = account_row->>2
    for no key update skip locked
  ) as attempt on true
  where attempt.taken is null;
  locked := locked || coalesce(locked_rows, '[]');

  select jsonb_agg(jsonb_build_array(counter_row->0, present.holder)) into locked_rows
  from jsonb_array_elements(request->'counters') as counter_row
  cross join lateral (
    select c.xmax::text as holder from counter as c
    where c.platform_id = counter_row->>1 and c.key = counter_row->>2
  ) as present
  left join lateral (
    select true as taken from counter as c
    where c.platform_id = counter_row->>1 and c.key = counter_row->>2
    for no key update skip locked
  ) as attempt on true
  where attempt.taken is null;
  locked := locked || coalesce(locked_rows, '[]');

  for i in 0..jsonb_array_length(coalesce(request->'records', '[]')) - 1 loop
    case (request->'records'->i->>0)::int
      when 0 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "platform" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "platform" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 1 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "api_token" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "api_token" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 2 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "webhook_endpoint" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "webhook_endpoint" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 3 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "webhook_key_ring" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "webhook_key_ring" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 4 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "customer" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "customer" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 5 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "beneficial_owner" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "beneficial_owner" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 6 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "verification" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "verification" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 7 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "bulk_import" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "bulk_import" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 8 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "bulk_import_error" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "bulk_import_error" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 9 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "stored_file" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "stored_file" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 10 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "document" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "document" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 11 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "sca_profile" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "sca_profile" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 12 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "internal_account" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "internal_account" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 13 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "external_account" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "external_account" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 14 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "agent" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "agent" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 15 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "device_code" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "device_code" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 16 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "agent_action" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "agent_action" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 17 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "invitation" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "invitation" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 18 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "quote" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "quote" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 19 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "transaction" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "transaction" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 20 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "approver" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "approver" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 21 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "console_session" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "console_session" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 22 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "wallet_root" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "wallet_root" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 23 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "wallet" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "wallet" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 24 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "credential" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "credential" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 25 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "otp_challenge" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "otp_challenge" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 26 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "session" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "session" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 27 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "signed_request" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "signed_request" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 28 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "audit_record" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "audit_record" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 29 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "card" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "card" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 30 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "card_transaction" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "card_transaction" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 31 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "delegated_key" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "delegated_key" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 32 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "stablecoin_provider_account" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "stablecoin_provider_account" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 33 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "stablecoin" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "stablecoin" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      when 34 then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from "stablecoin_operation" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from "stablecoin_operation" as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
    end case;
    locked := locked || coalesce(locked_rows, '[]');
  end loop;

  select jsonb_agg(jsonb_build_array(job_row->0, present.holder)) into locked_rows
  from jsonb_array_elements(request->'jobs') as job_row
  cross join lateral (select j.xmax::text as holder from job as j where j.id = job_row->>1) as present
  left join lateral (
    select true as taken from job as j where j.id = job_row->>1 for update skip locked
  ) as attempt on true
  where attempt.taken is null;
  locked := locked || coalesce(locked_rows, '[]');

  select jsonb_agg(jsonb_build_array(key_row->0, present.holder)) into locked_rows
  from jsonb_array_elements(request->'keys') as key_row
  cross join lateral (
    select k.xmax::text as holder from unique_key as k where k.key = key_row->>1 and k.scope = key_row->>2
  ) as present
  left join lateral (
    select true as taken from unique_key as k where k.key = key_row->>1 and k.scope = key_row->>2
    for update skip locked
  ) as attempt on true
  where attempt.taken is null;
  locked := locked || coalesce(locked_rows, '[]');

  -- Counters and unique keys that another transaction has inserted and not committed yet are invisible. Inserting the
  -- same waits for that transaction.
  for absent in
    select counter_row->0 as number, counter_row->>1 as platform, counter_row->>2 as key, null as scope
    from jsonb_array_elements(request->'counters') as counter_row
    where not exists (
      select from counter as c where c.platform_id = counter_row->>1 and c.key = counter_row->>2
    )
    union all
    select key_row->0, '', key_row->>1, key_row->>2
    from jsonb_array_elements(request->'keys') as key_row
    where not exists (select from unique_key as k where k.key = key_row->>1 and k.scope = key_row->>2)
  loop
    begin
      if absent.scope is null then
        insert into counter (owner_id, platform_id, key, value)
        values (absent.platform, absent.platform, absent.key, 0);
      else
        insert into unique_key (key, scope, kind, id, platform_id) values (absent.key, absent.scope, '', '', '');
      end if;
      -- Undo the insert.
      raise exception 'refused' using errcode = 'CS003';
    exception
      when sqlstate 'CS003' or unique_violation then null;
      when lock_not_available then locked := locked || jsonb_build_array(jsonb_build_array(absent.number, ''));
    end;
  end loop;

  return locked::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.forget_34ab3f747765(wall_now bigint, business_now bigint, row_limit integer)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'countersign', 'pg_catalog', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
 SET enable_memoize TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  deleted_receipts int;
  deleted_replays int;
  deleted_events int;
  deleted_limits int;
begin
  delete from operation as receipt
  where (receipt.owner_id, receipt.id) in (
    select expired.owner_id, expired.id from operation as expired
    where expired.expires_at <= wall_now
    order by expired.expires_at
    limit row_limit
    for update skip locked
  );
  get diagnostics deleted_receipts = row_count;

  delete from replay as stored
  where (stored.platform_id, stored.key) in (
    select expired.platform_id, expired.key from replay as expired
    where expired.expires_at <= wall_now
    order by expired.expires_at
    limit row_limit
    for update skip locked
  );
  get diagnostics deleted_replays = row_count;

  with deleted as (
    delete from event as emitted
    where (emitted.owner_id, emitted.id) in (
      select expired.owner_id, expired.id from event as expired
      where expired.expires_at <= business_now
        and not exists (
          select from job as delivery
          where delivery.platform_id = expired.platform_id and delivery.queue = 'webhook'
            and delivery.lane = 'event:' || expired.subject
        )
      order by expired.expires_at
      limit row_limit
      for update skip locked
    )
    returning emitted.owner_id, emitted.id
  ),
  deleted_attempts as (
    delete from event_attempt as attempt using deleted
    where attempt.owner_id = deleted.owner_id and attempt.event_id = deleted.id
  )
  select count(*) into deleted_events from deleted;

  delete from counter as ended
  where (ended.platform_id, ended.key) in (
    select expired.platform_id, expired.key from counter as expired
    where expired.key >= 'limit:' and expired.key < 'limit;'
      and expired.key < 'limit:' || lpad((business_now - 3600000)::text, 13, '0')
    order by expired.key
    limit row_limit
    for update skip locked
  );
  get diagnostics deleted_limits = row_count;

  return (deleted_receipts + deleted_replays + deleted_events + deleted_limits)::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.open_lane_34ab3f747765(lane_queue text, lane_platform text, lane_name text, after_sequence bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update job as j
  set open = true
  where j.platform_id = lane_platform and j.queue = lane_queue and j.lane = lane_name
    and j.sequence > after_sequence and not j.open
    and j.sequence <= coalesce((
      select holder.sequence from job as holder
      where holder.platform_id = lane_platform and holder.queue = lane_queue and holder.lane = lane_name
        and holder.sequence > after_sequence and holder.holds
      order by holder.sequence
      limit 1
    ), 9223372036854775807);
end $function$;

CREATE OR REPLACE FUNCTION countersign.read_points_34ab3f747765(request jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'countersign', 'pg_catalog', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_material TO 'off'
 SET enable_memoize TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  kinds constant text[] := array['Platform', 'ApiToken', 'WebhookEndpoint', 'WebhookKeyRing', 'Customer', 'BeneficialOwner', 'Verification', 'BulkImport', 'BulkImportError', 'StoredFile', 'Document', 'ScaProfile', 'InternalAccount', 'ExternalAccount', 'Agent', 'DeviceCode', 'AgentAction', 'Invitation', 'Quote', 'Transaction', 'Approver', 'ConsoleSession', 'WalletRoot', 'Wallet', 'Credential', 'OtpChallenge', 'Session', 'SignedRequest', 'AuditRecord', 'Card', 'CardTransaction', 'DelegatedKey', 'StablecoinProviderAccount', 'Stablecoin', 'StablecoinOperation'];
  requested_records jsonb := coalesce(request->'records', '[]');
  kind_number int;
  kind_rows jsonb;
  found_rows text;
  records text;
  owners text;
  balances text;
  counters text;
  replays text;
  events text;
begin
  -- A read by a global unique key becomes a read of the record that holds it.
  if request ? 'holders' then
    select requested_records || coalesce(jsonb_agg(jsonb_build_array(holder.kind_index, holder.lookups)), '[]')
      into requested_records
    from (
      select array_position(kinds, unique_key.kind) - 1 as kind_index,
        jsonb_agg(jsonb_build_array(lookup->0, unique_key.platform_id, null, unique_key.id)) as lookups
      from jsonb_array_elements(request->'holders') as lookup
      join unique_key on unique_key.key = lookup->>1 and unique_key.scope = ''
      group by 1
    ) as holder;
  end if;

  -- Records, kind by kind.
  for i in 0..jsonb_array_length(requested_records) - 1 loop
    kind_number := (requested_records->i->>0)::int;
    kind_rows := requested_records->i->1;
    case kind_number
      when 0 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "platform" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 1 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "api_token" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 2 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "webhook_endpoint" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 3 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "webhook_key_ring" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 4 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "customer" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 5 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "beneficial_owner" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 6 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "verification" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 7 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "bulk_import" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 8 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "bulk_import_error" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 9 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "stored_file" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 10 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "document" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 11 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "sca_profile" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 12 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "internal_account" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 13 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "external_account" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 14 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "agent" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 15 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "device_code" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 16 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "agent_action" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 17 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "invitation" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 18 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "quote" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 19 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "transaction" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 20 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "approver" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 21 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "console_session" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 22 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "wallet_root" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 23 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "wallet" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 24 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "credential" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 25 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "otp_challenge" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 26 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "session" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 27 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "signed_request" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 28 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "audit_record" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 29 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "card" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 30 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "card_transaction" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 31 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "delegated_key" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 32 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "stablecoin_provider_account" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 33 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "stablecoin" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      when 34 then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join "stablecoin_operation" as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
    end case;
    if found_rows is not null then
      records := concat_ws(',', records, concat('[', kind_number, ',', found_rows, ']'));
    end if;
  end loop;

  if request ? 'owners' then
    select json_agg(json_build_array(
        lookup->0, owner.id, owner.platform_id, owner.customer_id, owner.version,
        owner.created_at, owner.updated_at, owner.data, lookup->3
      ))::text
      into owners
    from jsonb_array_elements(request->'owners') as lookup
    cross join lateral (
      select own.customer_id from internal_account as own
      where own.id = lookup->>3 and own.platform_id = lookup->>1
      union all
      select named.customer_id from external_account as named
      where named.id = lookup->>3 and named.platform_id = lookup->>1
    ) as account
    join customer as owner on owner.id = account.customer_id
      and owner.platform_id = lookup->>1 and (lookup->>2 is null or owner.customer_id = lookup->>2);
  end if;

  if request ? 'balances' then
    select json_agg(json_build_array(lookup->0, account.id, account.balance, account.sequence))::text
      into balances
    from jsonb_array_elements(request->'balances') as lookup
    join ledger_account as account on account.id = lookup->>3
      and account.platform_id = lookup->>1 and (lookup->>2 is null or account.customer_id = lookup->>2);
  end if;

  if request ? 'counters' then
    select json_agg(json_build_array(lookup->0, counter.key, counter.value))::text
      into counters
    from jsonb_array_elements(request->'counters') as lookup
    join counter on counter.platform_id = lookup->>1 and counter.key = lookup->>2;
  end if;

  if request ? 'replays' then
    select json_agg(json_build_array(
        lookup->0, stored.fingerprint, stored.status, stored.answer, stored.shown, stored.sums
      ))::text
      into replays
    from jsonb_array_elements(request->'replays') as lookup
    join replay as stored on stored.platform_id = lookup->>1 and stored.key = lookup->>2
      and (lookup->>3)::bigint < stored.expires_at;
  end if;

  if request ? 'events' then
    select json_agg(json_build_array(
        lookup->0, emitted.id, emitted.platform_id, emitted.customer_id, emitted.type, emitted.subject, emitted.data,
        emitted.created_at, emitted.shown, emitted.sums
      ))::text
      into events
    from jsonb_array_elements(request->'events') as lookup
    join event as emitted on emitted.id = lookup->>3
      and emitted.platform_id = lookup->>1 and (lookup->>2 is null or emitted.customer_id = lookup->>2);
  end if;

  return concat(
    '{"ahead":', coalesce((select clock.ahead_millis from countersign.business_time as clock), 0),
    ',"records":[', records,
    '],"owners":', coalesce(owners, '[]'),
    ',"balances":', coalesce(balances, '[]'),
    ',"counters":', coalesce(counters, '[]'),
    ',"replays":', coalesce(replays, '[]'),
    ',"events":', coalesce(events, '[]'), '}'
  );
end $function$;

CREATE OR REPLACE FUNCTION countersign.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'entries of the ledger are never changed or deleted' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION countersign.refuse_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'accounts of the ledger keep their names and are never deleted' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION countersign.release_jobs_34ab3f747765(lost_sessions integer[], lost_claims text[], every_job boolean)
 RETURNS text
 LANGUAGE sql
 SET search_path TO 'countersign', 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
  with lost as (
    select j.id from job as j
    where j.state = 'running' and (every_job or j.session = any (lost_sessions) or j.worker = any (lost_claims))
    order by j.id
    for update skip locked
  ),
  released as (
    update job as j
    set not_before = 0, session = null, worker = null,
      holds_until = case
        when j.holds and j.lane_hold_millis is not null then j.first_claimed_at + j.lane_hold_millis
      end
    from lost
    where j.id = lost.id
    returning j.queue
  )
  select coalesce(json_agg(distinct released.queue), '[]')::text from released
$function$;

CREATE OR REPLACE FUNCTION countersign.release_lost_jobs_34ab3f747765(lock_space integer, own_session integer)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'countersign', 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  lost_sessions int[];
  released_queues text;
begin
  select array_agg(other.session) into lost_sessions
  from worker_session as other
  where case when other.session <> own_session then pg_try_advisory_xact_lock(lock_space, other.session) end;
  if lost_sessions is null then
    return '[]';
  end if;

  released_queues := release_jobs_34ab3f747765(lost_sessions, '{}', false);
  -- A session of which a job was left out stays for the next call.
  delete from worker_session as gone
  where gone.session = any (lost_sessions)
    and not exists (select from job as j where j.state = 'running' and j.session = gone.session);
  return released_queues;
end $function$;

-- Rows

insert into countersign."agent" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, is_paused, is_connected, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."agent", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","version":2,"created_at":1795262400000,"updated_at":1795262400000,"is_paused":false,"is_connected":true,"is_deleted":false,"data":{"name":"Payroll","isPaused":false,"isConnected":true,"tokens":[{"id":"Secret:01a1fdfa-4600-7349-88e2-c35a2ad51c41","hash":"fdbf68fba5c3a6e7c6b79f78a9fca828bbe4d8d3b3124717cedab97a73e080cc","createdAt":1795262400000}],"isDeleted":false,"policy":{"permissions":["CREATE_TRANSFERS","VIEW_TRANSACTIONS"],"defaultExecutionMode":"AUTO","spendingLimits":{"currency":"USD","perTransactionLimit":100000},"approvalThresholds":{"currency":"USD","amount":1000}},"recastCount":0,"recasts":[]}}');

insert into countersign."agent_action" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, coalesce(data, 'null') from json_populate_record(null::countersign."agent_action", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"AgentAction:01a1fdfa-4600-70a3-8873-c28bc3db01cb","version":2,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","status":"FAILED","type":"TRANSFER_IN","data":{"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"FAILED","type":"TRANSFER_IN","charges":[],"usageBefore":{"currency":"USD","dailyCount":1,"dailySpend":100,"monthlySpend":100},"transferDetails":{"amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"transactionId":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","explanation":{"rule":"TRANSACTION_FAILED","message":"The transaction failed.","reason":"INSUFFICIENT_FUNDS"}}}');

insert into countersign."agent_action" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, coalesce(data, 'null') from json_populate_record(null::countersign."agent_action", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"AgentAction:01a1fdfa-4600-7198-b851-d00723fcbc71","version":1,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","status":"APPROVED","type":"TRANSFER_IN","data":{"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"APPROVED","type":"TRANSFER_IN","charges":[{"period":"2026-11-21","budget":"USD.0","amount":300},{"period":"2026-11","budget":"USD.0","amount":300}],"usageBefore":{"currency":"USD","dailyCount":2,"dailySpend":100,"monthlySpend":100},"transferDetails":{"amount":300,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"transactionId":"Transaction:01a1fdfa-4600-7199-82e7-e4b433169027"}}');

insert into countersign."agent_action" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, coalesce(data, 'null') from json_populate_record(null::countersign."agent_action", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"AgentAction:01a1fdfa-4600-729c-956f-686a9c595354","version":1,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","status":"PENDING_APPROVAL","type":"TRANSFER_IN","data":{"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"PENDING_APPROVAL","type":"TRANSFER_IN","charges":[],"usageBefore":{"currency":"USD","dailyCount":2,"dailySpend":100,"monthlySpend":100},"transferDetails":{"amount":2000,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"explanation":{"rule":"APPROVAL_THRESHOLD","message":"The amount is above the approval threshold.","currency":"USD","threshold":1000,"amount":2000}}}');

insert into countersign."agent_action" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, coalesce(data, 'null') from json_populate_record(null::countersign."agent_action", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"AgentAction:01a1fdfa-4600-775a-b02b-8c8e80eafbc8","version":1,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","status":"APPROVED","type":"TRANSFER_IN","data":{"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"APPROVED","type":"TRANSFER_IN","charges":[{"period":"2026-11-21","budget":"USD.0","amount":100},{"period":"2026-11","budget":"USD.0","amount":100}],"usageBefore":{"currency":"USD","dailyCount":0,"dailySpend":0,"monthlySpend":0},"transferDetails":{"amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"transactionId":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec"}}');

insert into countersign."api_token" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, name, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."api_token", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"Token:01a1fdfa-4600-7170-83b0-96ac4be1cc16","version":1,"created_at":1795262400000,"updated_at":1795262400000,"name":"Test platform","is_deleted":false,"data":{"name":"Test platform","clientId":"client_test","secrets":[{"id":"Secret:01a1fdfa-4600-7171-a6c6-13cf5e8581cd","hash":"e810d7b45867f6973b9e0130f0b9f85d87a7dd8de27df1582126f04715f6d891","createdAt":1795262400000,"isConfigured":true}],"permissions":["VIEW","TRANSACT","MANAGE"],"isDeleted":false}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"AuditRecord:01a1fdfa-4600-729f-b241-4b961e3a64ad","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","operation":"AGENT_ACTION_SUBMIT","target":"AgentAction:01a1fdfa-4600-729c-956f-686a9c595354","outcome":"HELD","data":{"actor":{"type":"AGENT","id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23"},"operation":"AGENT_ACTION_SUBMIT","target":"AgentAction:01a1fdfa-4600-729c-956f-686a9c595354","outcome":"HELD","details":{"rule":"APPROVAL_THRESHOLD","message":"The amount is above the approval threshold.","currency":"USD","threshold":1000,"amount":2000}}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"AuditRecord:01a1fdfa-4600-734a-bbb8-732e5790654c","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","operation":"DEVICE_CODE_REDEEM","target":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","outcome":"DONE","data":{"actor":{"type":"AGENT","id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23"},"operation":"DEVICE_CODE_REDEEM","target":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","outcome":"DONE","details":{}}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"AuditRecord:01a1fdfa-4600-7447-b099-0f1da807ed79","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":null,"operation":"AGENT_CREATE","target":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","outcome":"DONE","data":{"actor":{"type":"SERVICE"},"operation":"AGENT_CREATE","target":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","outcome":"DONE","details":{}}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"AuditRecord:01a1fdfa-4600-75fc-91bd-29b96fefccd5","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","operation":"AGENT_ACTION_SUBMIT","target":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","outcome":"REFUSED","data":{"actor":{"type":"AGENT","id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23"},"operation":"AGENT_ACTION_SUBMIT","target":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","outcome":"REFUSED","details":{"type":"TRANSFER_IN","amount":1000000,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","rule":"PER_TRANSACTION_LIMIT","reason":"LIMIT_EXCEEDED","limit":"perTransactionLimit","value":100000}}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"AuditRecord:01a1fdfa-4600-7172-835c-6153f13df2a9","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":null,"operation":"TOKEN_CREATE","target":"Token:01a1fdfa-4600-7170-83b0-96ac4be1cc16","outcome":"DONE","data":{"actor":{"type":"SERVICE"},"operation":"TOKEN_CREATE","target":"Token:01a1fdfa-4600-7170-83b0-96ac4be1cc16","outcome":"DONE","details":{}}}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23/count/2026-11-21","value":3}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23/spend/2026-11-21/USD.0","value":400}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23/spend/2026-11/USD.0","value":400}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"attached:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","value":13}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"kept:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","value":1}');

insert into countersign."customer" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, platform_customer_id, customer_type, uma_address, region, currencies, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."customer", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","version":1,"created_at":1795262400000,"updated_at":1795262400000,"platform_customer_id":"01a1fdfa-4600-7663-81cd-00c96bd4e839","customer_type":"INDIVIDUAL","uma_address":"$01a1fdfa-4600-7663-81cd-00c96bd4e839@a996c2650eed.uma.sandbox.example","region":null,"currencies":["USD", "EUR", "GBP", "MXN", "BRL", "INR", "USDC", "BTC", "USDB"],"is_deleted":false,"data":{"platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","customerType":"INDIVIDUAL","checkStatus":"APPROVED","umaAddress":"$01a1fdfa-4600-7663-81cd-00c96bd4e839@a996c2650eed.uma.sandbox.example","currencies":["USD","EUR","GBP","MXN","BRL","INR","USDC","BTC","USDB"],"isDeleted":false,"fullName":"Ada Lovelace"}}');

insert into countersign."device_code" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, coalesce(data, 'null') from json_populate_record(null::countersign."device_code", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"DeviceCode:01a1fdfa-4600-7446-b498-15d6a9854165","version":2,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","status":"REDEEMED","data":{"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","codeHash":"91b7baa91e5b0a31513d65f50c7e2d7edfe63f10bb67900f0cecade373272c57","expiresAt":1795348800000,"status":"REDEEMED"}}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Webhook:01a1fdfa-4600-70a5-a5a4-5de3580dd774","type":"INCOMING_PAYMENT.PENDING","subject":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","data":{"body":{"id":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","currency":"USD"},"receivedAmount":{"amount":200,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","reconciliationInstructions":{"reference":"P2D5D0169B0B5"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Webhook:01a1fdfa-4600-7115-9813-493b94379437","type":"INCOMING_PAYMENT.COMPLETED","subject":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","data":{"body":{"id":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","type":"INCOMING","status":"COMPLETED","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","currency":"USD"},"receivedAmount":{"amount":100,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","reconciliationInstructions":{"reference":"PAA975D5401EC"},"settledAt":"2026-11-21T12:00:00Z","createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Webhook:01a1fdfa-4600-7117-a197-abba674b153d","type":"INTERNAL_ACCOUNT.BALANCE_UPDATED","subject":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","data":{"body":{"id":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","type":"INTERNAL_FIAT","status":"ACTIVE","balance":{"amount":0,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"totalBalance":{"amount":0,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"fundingPaymentInstructions":[],"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[{"path":["balance","amount"],"balances":["available:InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"]},{"path":["totalBalance","amount"],"balances":["available:InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","held:InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"]}]},"shown":{"balances":["outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USD","available:InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","held:InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"],"counters":["kept:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"]},"sums":"-100,1,100,1,0,0,1","created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Webhook:01a1fdfa-4600-719a-a308-27b05f9b7848","type":"INCOMING_PAYMENT.PENDING","subject":"Transaction:01a1fdfa-4600-7199-82e7-e4b433169027","data":{"body":{"id":"Transaction:01a1fdfa-4600-7199-82e7-e4b433169027","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","currency":"USD"},"receivedAmount":{"amount":300,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","reconciliationInstructions":{"reference":"PE4B433169027"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Webhook:01a1fdfa-4600-729d-8a64-c1aeed85f1c9","type":"AGENT_ACTION.PENDING_APPROVAL","subject":"AgentAction:01a1fdfa-4600-729c-956f-686a9c595354","data":{"body":{"id":"AgentAction:01a1fdfa-4600-729c-956f-686a9c595354","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"PENDING_APPROVAL","type":"TRANSFER_IN","transferDetails":{"amount":2000,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"details":{"rule":"APPROVAL_THRESHOLD","message":"The amount is above the approval threshold.","currency":"USD","threshold":1000,"amount":2000},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Webhook:01a1fdfa-4600-7422-a85f-6f1618743b7a","type":"CUSTOMER.KYC_APPROVED","subject":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","data":{"body":{"id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","customerType":"INDIVIDUAL","kycStatus":"APPROVED","fullName":"Ada Lovelace","currencies":["USD","EUR","GBP","MXN","BRL","INR","USDC","BTC","USDB"],"umaAddress":"$01a1fdfa-4600-7663-81cd-00c96bd4e839@a996c2650eed.uma.sandbox.example","isDeleted":false,"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Webhook:01a1fdfa-4600-775c-9621-9d63151ba5c2","type":"INCOMING_PAYMENT.PENDING","subject":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","data":{"body":{"id":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","currency":"USD"},"receivedAmount":{"amount":100,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","reconciliationInstructions":{"reference":"PAA975D5401EC"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Webhook:01a1fdfa-4600-77f4-b1ea-fe5251b5e892","type":"INCOMING_PAYMENT.FAILED","subject":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","data":{"body":{"id":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","type":"INCOMING","status":"FAILED","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","currency":"USD"},"receivedAmount":{"amount":200,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"failureReason":"COLLECTION_FAILED","direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","reconciliationInstructions":{"reference":"P2D5D0169B0B5"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event_attempt" overriding system value select owner_id, platform_id, event_id, number, coalesce(data, 'null') from json_populate_record(null::countersign."event_attempt", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","event_id":"Webhook:01a1fdfa-4600-70a5-a5a4-5de3580dd774","number":1,"data":{"at":1795262400000,"timestamp":"2026-11-21T12:00:00Z","url":"https://platform.example/hooks","headers":{"Content-Type":"application/json","X-Service-Signature":"{\"v\":\"1\",\"s\":\"MEQCIBHu9FcSCu3xTwOOnJjR+vhDkBFrMink0ESKUrAn+5iOAiA6daJj448dnIOEtlEvuWumcihhPd32M1kkVCn1geuZ6w==\"}","X-Service-Key-Signatures":"O9n7srMdUJDsPSNGZU0KCIpACkjNQzRFLXKXmYbWCMw,MEUCIGpBjV0SNPIbYTgPnt/dbRMoBNdFNeQ4/rnK3xpGIsdkAiEA4SIsNlvUZ2kJ6c/EwtV1o4ydrn0q+N3tAQMAw3Ko+t8=","webhook-id":"Webhook:01a1fdfa-4600-70a5-a5a4-5de3580dd774","webhook-timestamp":"1795262400","webhook-signature":"v1,R2wXyZDOhWGYbgrush6NTtKelkVRTWO8FpjlGrZwbKQ="},"latencyMillis":0,"isResend":false,"status":200}}');

insert into countersign."event_attempt" overriding system value select owner_id, platform_id, event_id, number, coalesce(data, 'null') from json_populate_record(null::countersign."event_attempt", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","event_id":"Webhook:01a1fdfa-4600-7115-9813-493b94379437","number":1,"data":{"at":1795262400000,"timestamp":"2026-11-21T12:00:00Z","url":"https://platform.example/hooks","headers":{"Content-Type":"application/json","X-Service-Signature":"{\"v\":\"1\",\"s\":\"MEUCIEb9dqEOYHPFmFP18sMHuv1LIR7zqFqQYqsG2ZLz/pZtAiEAysU4l49TICLFKEO1VyGfezX2W+L7WbveZ1cIpMj1amQ=\"}","X-Service-Key-Signatures":"O9n7srMdUJDsPSNGZU0KCIpACkjNQzRFLXKXmYbWCMw,MEUCIFW94oGXbc9JHR/KJHr/nwkPySs79agjshDJBHhlrMPJAiEA6ocDLXJRGzdeTL1N/cp9y0r1delaiSIeFyEUVgy0XiA=","webhook-id":"Webhook:01a1fdfa-4600-7115-9813-493b94379437","webhook-timestamp":"1795262400","webhook-signature":"v1,evHFpmIRBIJXQqH69bireK5mn1odQUqQ2w7hVgqbbow="},"latencyMillis":0,"isResend":false,"status":200}}');

insert into countersign."event_attempt" overriding system value select owner_id, platform_id, event_id, number, coalesce(data, 'null') from json_populate_record(null::countersign."event_attempt", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","event_id":"Webhook:01a1fdfa-4600-7117-a197-abba674b153d","number":1,"data":{"at":1795262400000,"timestamp":"2026-11-21T12:00:00Z","url":"https://platform.example/hooks","headers":{"Content-Type":"application/json","X-Service-Signature":"{\"v\":\"1\",\"s\":\"MEYCIQC8S02CJNMwTtaOKjkB7Dhr3leZZQtezd5Krino3lIj6QIhAO9e79J9EeOuj2ly5lcxBtr78/F6RLlCNceBY+1qSJTa\"}","X-Service-Key-Signatures":"O9n7srMdUJDsPSNGZU0KCIpACkjNQzRFLXKXmYbWCMw,MEYCIQCJrWhZuC29QOJ0tqicLSBZJxKOnENQJKlfNvjsfdKL/QIhAJYfeiLx0x1cUX2oDvi199IdrlYLztNegSGcpNKN8QQT","webhook-id":"Webhook:01a1fdfa-4600-7117-a197-abba674b153d","webhook-timestamp":"1795262400","webhook-signature":"v1,9WwVz+RyqTpNSPZVFi3oWq1uzcotdJxInUAjYae0rbI="},"latencyMillis":0,"isResend":false,"status":200}}');

insert into countersign."event_attempt" overriding system value select owner_id, platform_id, event_id, number, coalesce(data, 'null') from json_populate_record(null::countersign."event_attempt", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","event_id":"Webhook:01a1fdfa-4600-7422-a85f-6f1618743b7a","number":1,"data":{"at":1795262400000,"timestamp":"2026-11-21T12:00:00Z","url":"https://platform.example/hooks","headers":{"Content-Type":"application/json","X-Service-Signature":"{\"v\":\"1\",\"s\":\"MEYCIQDIg2JN8Y8k+SukjdYxpWpCi4nsFjtsBlG/7pmoS8vgrwIhAPFqt0kFFd+55x+uuZp7kVDFRPDB8qPNs/SQbHO+47YT\"}","X-Service-Key-Signatures":"O9n7srMdUJDsPSNGZU0KCIpACkjNQzRFLXKXmYbWCMw,MEUCIQCrNRP+POi7xWaCr5YvL7uj14j3G88vzuD3aC9zpOelJQIgS6GmItJU9lOp3/TOPyKAIXQOhY/y3L15eSZcFPHpu24=","webhook-id":"Webhook:01a1fdfa-4600-7422-a85f-6f1618743b7a","webhook-timestamp":"1795262400","webhook-signature":"v1,k+xZMxSfmiY1Qg2tKzqXChOxFm4hD5G+zKswBLFeeks="},"latencyMillis":0,"isResend":false,"status":200}}');

insert into countersign."event_attempt" overriding system value select owner_id, platform_id, event_id, number, coalesce(data, 'null') from json_populate_record(null::countersign."event_attempt", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","event_id":"Webhook:01a1fdfa-4600-775c-9621-9d63151ba5c2","number":1,"data":{"at":1795262400000,"timestamp":"2026-11-21T12:00:00Z","url":"https://platform.example/hooks","headers":{"Content-Type":"application/json","X-Service-Signature":"{\"v\":\"1\",\"s\":\"MEUCIQClYY1XHjBtzoyb0S/13dxsdSJDeZI1fShk5C6wIpNxLgIgNRkcPrBoMFCHg9GxH4QvbzsFS/fAQCCfwTwV4ZjEmNw=\"}","X-Service-Key-Signatures":"O9n7srMdUJDsPSNGZU0KCIpACkjNQzRFLXKXmYbWCMw,MEUCIEIc4Kjecn0MMvxVW33VjsOrEOoohVjvHqgUgrnHz98oAiEAtLrAS4pY6YUKl0G0CTsCcYxmRQF7xyObu+OZst9o+5s=","webhook-id":"Webhook:01a1fdfa-4600-775c-9621-9d63151ba5c2","webhook-timestamp":"1795262400","webhook-signature":"v1,eU+tbWlL6ZbUYlWdhiApNcXLZz9u95GVepQjKxO3zRQ="},"latencyMillis":0,"isResend":false,"status":200}}');

insert into countersign."event_attempt" overriding system value select owner_id, platform_id, event_id, number, coalesce(data, 'null') from json_populate_record(null::countersign."event_attempt", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","event_id":"Webhook:01a1fdfa-4600-77f4-b1ea-fe5251b5e892","number":1,"data":{"at":1795262400000,"timestamp":"2026-11-21T12:00:00Z","url":"https://platform.example/hooks","headers":{"Content-Type":"application/json","X-Service-Signature":"{\"v\":\"1\",\"s\":\"MEUCIQCqYidViSGBIS/SiUl8z/ECZExHuZdym856IDsL0vuDUgIgNuxpeP8UP2jZQ5cOXW+4LL2NciW+lQEzQI4PhqoF0Ak=\"}","X-Service-Key-Signatures":"O9n7srMdUJDsPSNGZU0KCIpACkjNQzRFLXKXmYbWCMw,MEYCIQCI5duc/dXlJHxtGzn3Qbmal/nABd5GIKvTb4+IULjkCgIhAPlm6z+tPe1qWGykyq+9Wo84knh2RCO4OYjFViCnn6md","webhook-id":"Webhook:01a1fdfa-4600-77f4-b1ea-fe5251b5e892","webhook-timestamp":"1795262400","webhook-signature":"v1,X6sEIwov8C6iu0pW3NBQiPJ8nbEW3uhzmw8U4v678mE="},"latencyMillis":0,"isResend":false,"status":200}}');

insert into countersign."external_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, status, is_default_uma_deposit, is_of_platform, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."external_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USD","status":"ACTIVE","is_default_uma_deposit":false,"is_of_platform":false,"is_deleted":false,"data":{"currency":"USD","accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"status":"ACTIVE","defaultUmaDepositAccount":false,"isDeleted":false,"beneficiaryVerificationStatus":"MATCHED"}}');

insert into countersign."external_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, status, is_default_uma_deposit, is_of_platform, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."external_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USD","status":"ACTIVE","is_default_uma_deposit":false,"is_of_platform":false,"is_deleted":false,"data":{"currency":"USD","accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345002","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"status":"ACTIVE","defaultUmaDepositAccount":false,"isDeleted":false,"beneficiaryVerificationStatus":"MATCHED"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USD","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"USD"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-7419-86d0-19bd2fce20f0","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"EUR","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"EUR"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-741a-aa4f-3c15a71737b8","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"GBP","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"GBP"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-741b-a3af-771e8a4c087e","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"MXN","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"MXN"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-741c-b898-26f40a6b2a4d","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"BRL","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"BRL"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-741d-b79d-1d92dc87623c","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"INR","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"INR"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-741e-af80-e7c48aea79f5","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDC","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"USDC"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-741f-93df-9af02c93abf1","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"BTC","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"BTC"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-7420-a23b-55ed9885c4e4","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDB","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"USDB"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"InternalAccount:01a1fdfa-4600-7421-a667-93db3df0fe32","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDB","type":"EMBEDDED_WALLET","status":"ACTIVE","is_platform":false,"data":{"type":"EMBEDDED_WALLET","status":"ACTIVE","currency":"USDB"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-7173-ba6e-bb4a7074d146","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USD","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"USD","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-7174-af4e-9ba0af784592","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"EUR","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"EUR","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-7175-a643-83e1ce966a45","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"GBP","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"GBP","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-7176-9c8a-40e457a20e01","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"MXN","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"MXN","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-7177-909a-24ab6eaee0d8","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"BRL","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"BRL","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-7178-8bd5-a1af50809c50","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"INR","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"INR","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-7179-8cdf-8b882ee067d3","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDC","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"USDC","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-717a-a32d-915a3a59f977","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"BTC","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"BTC","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-717b-b14e-25c93f72dd66","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDB","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"USDB","isPlatform":true}}');

insert into countersign."job" overriding system value select owner_id, platform_id, customer_id, id, sequence, queue, kind, lane, lane_hold_millis, due_at, coalesce(payload, 'null'), state, attempt, not_before, first_claimed_at, worker, session, error, open, holds, holds_until from json_populate_record(null::countersign."job", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Job:01a1fdfa-4600-719b-af6a-875824007b94","sequence":11,"queue":"webhook","kind":"webhook.deliver","lane":"event:Transaction:01a1fdfa-4600-7199-82e7-e4b433169027","lane_hold_millis":30000,"due_at":1795262400000,"payload":{"eventId":"Webhook:01a1fdfa-4600-719a-a308-27b05f9b7848"},"state":"waiting","attempt":0,"not_before":0,"first_claimed_at":null,"worker":null,"session":null,"error":null,"open":true,"holds":true,"holds_until":null}');

insert into countersign."job" overriding system value select owner_id, platform_id, customer_id, id, sequence, queue, kind, lane, lane_hold_millis, due_at, coalesce(payload, 'null'), state, attempt, not_before, first_claimed_at, worker, session, error, open, holds, holds_until from json_populate_record(null::countersign."job", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Job:01a1fdfa-4600-719c-89e3-72ffc356b2c4","sequence":12,"queue":"work","kind":"transfer.pull","lane":"pull:Transaction:01a1fdfa-4600-7199-82e7-e4b433169027","lane_hold_millis":null,"due_at":1795262400000,"payload":{"transactionId":"Transaction:01a1fdfa-4600-7199-82e7-e4b433169027","accountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4"},"state":"waiting","attempt":0,"not_before":0,"first_claimed_at":null,"worker":null,"session":null,"error":null,"open":true,"holds":true,"holds_until":null}');

insert into countersign."job" overriding system value select owner_id, platform_id, customer_id, id, sequence, queue, kind, lane, lane_hold_millis, due_at, coalesce(payload, 'null'), state, attempt, not_before, first_claimed_at, worker, session, error, open, holds, holds_until from json_populate_record(null::countersign."job", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Job:01a1fdfa-4600-729e-a9b1-dbf6ef715048","sequence":10,"queue":"webhook","kind":"webhook.deliver","lane":"event:AgentAction:01a1fdfa-4600-729c-956f-686a9c595354","lane_hold_millis":30000,"due_at":1795262400000,"payload":{"eventId":"Webhook:01a1fdfa-4600-729d-8a64-c1aeed85f1c9"},"state":"waiting","attempt":0,"not_before":0,"first_claimed_at":null,"worker":null,"session":null,"error":null,"open":true,"holds":true,"holds_until":null}');

select setval(pg_get_serial_sequence('countersign.job', 'sequence'), (select max(sequence) from countersign."job"));

insert into countersign."job_line" overriding system value select queue, platform_id, served from json_populate_record(null::countersign."job_line", '{"queue":"webhook","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","served":4}');

insert into countersign."job_line" overriding system value select queue, platform_id, served from json_populate_record(null::countersign."job_line", '{"queue":"work","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","served":3}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD","floor":0,"balance":100,"sequence":1}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-7419-86d0-19bd2fce20f0","currency":"EUR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-741a-aa4f-3c15a71737b8","currency":"GBP","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-741b-a3af-771e8a4c087e","currency":"MXN","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-741c-b898-26f40a6b2a4d","currency":"BRL","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-741d-b79d-1d92dc87623c","currency":"INR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-741e-af80-e7c48aea79f5","currency":"USDC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-741f-93df-9af02c93abf1","currency":"BTC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-7420-a23b-55ed9885c4e4","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"available:InternalAccount:01a1fdfa-4600-7421-a667-93db3df0fe32","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-7419-86d0-19bd2fce20f0","currency":"EUR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-741a-aa4f-3c15a71737b8","currency":"GBP","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-741b-a3af-771e8a4c087e","currency":"MXN","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-741c-b898-26f40a6b2a4d","currency":"BRL","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-741d-b79d-1d92dc87623c","currency":"INR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-741e-af80-e7c48aea79f5","currency":"USDC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-741f-93df-9af02c93abf1","currency":"BTC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-7420-a23b-55ed9885c4e4","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"held:InternalAccount:01a1fdfa-4600-7421-a667-93db3df0fe32","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:BRL","currency":"BRL","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:BTC","currency":"BTC","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:EUR","currency":"EUR","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:GBP","currency":"GBP","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:INR","currency":"INR","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:MXN","currency":"MXN","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USD","currency":"USD","floor":null,"balance":-100,"sequence":1}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USDB","currency":"USDB","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USDC","currency":"USDC","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-7173-ba6e-bb4a7074d146","currency":"USD","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-7174-af4e-9ba0af784592","currency":"EUR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-7175-a643-83e1ce966a45","currency":"GBP","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-7176-9c8a-40e457a20e01","currency":"MXN","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-7177-909a-24ab6eaee0d8","currency":"BRL","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-7178-8bd5-a1af50809c50","currency":"INR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-7179-8cdf-8b882ee067d3","currency":"USDC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-717a-a32d-915a3a59f977","currency":"BTC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-717b-b14e-25c93f72dd66","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-7173-ba6e-bb4a7074d146","currency":"USD","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-7174-af4e-9ba0af784592","currency":"EUR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-7175-a643-83e1ce966a45","currency":"GBP","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-7176-9c8a-40e457a20e01","currency":"MXN","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-7177-909a-24ab6eaee0d8","currency":"BRL","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-7178-8bd5-a1af50809c50","currency":"INR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-7179-8cdf-8b882ee067d3","currency":"USDC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-717a-a32d-915a3a59f977","currency":"BTC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-717b-b14e-25c93f72dd66","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:BRL","currency":"BRL","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:BTC","currency":"BTC","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:EUR","currency":"EUR","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:GBP","currency":"GBP","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:INR","currency":"INR","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:MXN","currency":"MXN","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:USD","currency":"USD","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:USDB","currency":"USDB","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed:USDC","currency":"USDC","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_entry" overriding system value select owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at from json_populate_record(null::countersign."ledger_entry", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","account_id":"available:InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","sequence":1,"amount":100,"balance_after":100,"reference":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","operation_id":"01a1fdfa-4600-7114-b343-b31d7f57d4e4","transfer":0,"at":1795262400000}');

insert into countersign."ledger_entry" overriding system value select owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at from json_populate_record(null::countersign."ledger_entry", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","account_id":"outside:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USD","sequence":1,"amount":-100,"balance_after":-100,"reference":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","operation_id":"01a1fdfa-4600-7114-b343-b31d7f57d4e4","transfer":0,"at":1795262400000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-7114-b343-b31d7f57d4e4","sums":"-100,1,100,1,0,0,1","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-71eb-961d-3d01d836cc9b","sums":"11","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-7348-b108-6b5464a47c93","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-7416-992b-3a1e3c5a6cf6","sums":"10","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-7444-a7e4-3156021c4079","sums":"13","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-74d2-b98e-83fbe07b624e","sums":"12","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-77f3-9cc9-44d649cff072","sums":"0,100,100","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-7001-b697-185658530de6","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-7138-bb90-f5d0f863eb0b","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-7143-999e-fb27ed93a443","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-716f-96c0-26bb73e20569","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-73c2-a0c1-ea9452f97bd1","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-76b5-b121-ceaade7a3f0b","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","id":"01a1fdfa-4600-770d-aa36-3af150834edc","sums":"","expires_at":1795953600000}');

insert into countersign."platform" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."platform", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"name":"Test platform","umaDomain":"a996c2650eed.uma.sandbox.example","proxyUmaSubdomain":"a996c2650eed","supportedCurrencies":[{"currencyCode":"USD","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"EUR","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"GBP","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"MXN","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"BRL","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"INR","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"USDC","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"BTC","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"USDB","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]}],"isRegulatedFinancialInstitution":true,"webhookEndpoint":"https://platform.example/hooks"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","kind":"Agent","id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"name":"Payroll","isPaused":false,"isConnected":false,"tokens":[],"isDeleted":false,"policy":{"permissions":["CREATE_TRANSFERS","VIEW_TRANSACTIONS"],"defaultExecutionMode":"AUTO","spendingLimits":{"currency":"USD","perTransactionLimit":100000},"approvalThresholds":{"currency":"USD","amount":1000}},"recastCount":0,"recasts":[]}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","kind":"AgentAction","id":"AgentAction:01a1fdfa-4600-70a3-8873-c28bc3db01cb","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"APPROVED","type":"TRANSFER_IN","charges":[{"period":"2026-11-21","budget":"USD.0","amount":200},{"period":"2026-11","budget":"USD.0","amount":200}],"usageBefore":{"currency":"USD","dailyCount":1,"dailySpend":100,"monthlySpend":100},"transferDetails":{"amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"transactionId":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","kind":"DeviceCode","id":"DeviceCode:01a1fdfa-4600-7446-b498-15d6a9854165","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","codeHash":"91b7baa91e5b0a31513d65f50c7e2d7edfe63f10bb67900f0cecade373272c57","expiresAt":1795348800000,"status":"ISSUED"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","kind":"Transaction","id":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"P2D5D0169B0B5","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345002","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","actionId":"AgentAction:01a1fdfa-4600-70a3-8873-c28bc3db01cb"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","kind":"Transaction","id":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","version":2,"created_at":1795262400000,"updated_at":1795262400000,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"P2D5D0169B0B5","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345002","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","actionId":"AgentAction:01a1fdfa-4600-70a3-8873-c28bc3db01cb","submittedAt":1795262400000}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","kind":"Transaction","id":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"PAA975D5401EC","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","actionId":"AgentAction:01a1fdfa-4600-775a-b02b-8c8e80eafbc8"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","kind":"Transaction","id":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","version":2,"created_at":1795262400000,"updated_at":1795262400000,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"PAA975D5401EC","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","actionId":"AgentAction:01a1fdfa-4600-775a-b02b-8c8e80eafbc8","submittedAt":1795262400000}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"kind":"WebhookEndpoint","id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"url":"https://platform.example/hooks","state":"ACTIVE","circuit":{"state":"CLOSED","failures":0,"openings":0},"proof":{"number":1,"windowStart":0,"sent":0}}}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"55f6e11160b5a099d8107ed7775ff44892f2049410bf684b47a168c1a3b536d7","fingerprint":"9e775a9f4eee3d6d5fb28b73fbde1f02336f18f6839c7b7f1a1e1bea57970045","status":403,"answer":{"body":{"status":403,"code":"FORBIDDEN","message":"The action would pass the agent''s limit of one action.","details":{"rule":"PER_TRANSACTION_LIMIT","reason":"LIMIT_EXCEEDED","limit":"perTransactionLimit","value":100000,"amount":1000000,"currency":"USD"}},"holes":[]},"operation_id":"01a1fdfa-4600-75fb-9faa-e634a81f929e","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"6df119246f3f6c80fb297d3c6f198ced0062a97429defa3e578c2cbba1c2690e","fingerprint":"df4290eb58f9276a267534c4c170598627ab00e52b2edb752dfd46bb5cd372ed","status":201,"answer":{"body":{"id":"AgentAction:01a1fdfa-4600-70a3-8873-c28bc3db01cb","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"APPROVED","type":"TRANSFER_IN","transferDetails":{"amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"transaction":{"id":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","currency":"USD"},"receivedAmount":{"amount":200,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","reconciliationInstructions":{"reference":"P2D5D0169B0B5"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"operation_id":"01a1fdfa-4600-70a2-a6ae-5101df521e17","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"76ac26be343b43800f2e3589e6a3bb37292099710b0a42d985d76d1aaaa553b8","fingerprint":"168116218ce44c3f66aabc2cda038304339d19826b08604a8ebff1787a706bb0","status":201,"answer":{"body":{"id":"AgentAction:01a1fdfa-4600-775a-b02b-8c8e80eafbc8","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"APPROVED","type":"TRANSFER_IN","transferDetails":{"amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"transaction":{"id":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","currency":"USD"},"receivedAmount":{"amount":100,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","reconciliationInstructions":{"reference":"PAA975D5401EC"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"operation_id":"01a1fdfa-4600-7759-8607-0a5c067cec1c","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"8636d8ca7561b2c17e285ec0f050421139e5b7e18e477ce41ecd678896ff642c","fingerprint":"efcf1c2eecddba8449317c42359c69f3dea8d2ae47aa503a5133488b93fc5e8d","status":201,"answer":{"body":{"id":"AgentAction:01a1fdfa-4600-7198-b851-d00723fcbc71","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"APPROVED","type":"TRANSFER_IN","transferDetails":{"amount":300,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"transaction":{"id":"Transaction:01a1fdfa-4600-7199-82e7-e4b433169027","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","currency":"USD"},"receivedAmount":{"amount":300,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","reconciliationInstructions":{"reference":"PE4B433169027"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"operation_id":"01a1fdfa-4600-7197-a789-c115c15298be","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","key":"c19e09df608ef5a172b2cc6c0e2e347b37b5604c922408aff2ebadfcb753b80a","fingerprint":"a96d6bf5e0a79e1b24145e466417ade41cbe0322b8abb2c70d8478a4575efb2a","status":201,"answer":{"body":{"id":"AgentAction:01a1fdfa-4600-729c-956f-686a9c595354","agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","customerId":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","status":"PENDING_APPROVAL","type":"TRANSFER_IN","transferDetails":{"amount":2000,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6"},"details":{"rule":"APPROVAL_THRESHOLD","message":"The amount is above the approval threshold.","currency":"USD","threshold":1000,"amount":2000},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"operation_id":"01a1fdfa-4600-729b-8919-92c1767ce4fb","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."schema_version" overriding system value select version, name, checksum, applied_at from json_populate_record(null::countersign."schema_version", '{"version":1,"name":"foundation","checksum":"06bb65eeab0130bb47a5cbc39d55abae157df599baf97cb7875551d1a2137181","applied_at":"2026-11-26T18:43:58.615002+00:00"}');

insert into countersign."schema_version" overriding system value select version, name, checksum, applied_at from json_populate_record(null::countersign."schema_version", '{"version":2,"name":"delivery attempts","checksum":"bfef67eaf286bb8d735e7e9e5751c8761a5a513c3dcab2ac572e2535e2df1920","applied_at":"2026-11-26T18:43:58.615002+00:00"}');

insert into countersign."schema_version" overriding system value select version, name, checksum, applied_at from json_populate_record(null::countersign."schema_version", '{"version":3,"name":"one key","checksum":"2426d92fc42acb42c3516fc7af9ba4188a460aeaaa457873c13a434b3a66ed26","applied_at":"2026-11-26T18:43:58.615002+00:00"}');

insert into countersign."transaction" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, status, type, platform_customer_id, reference, source_account_id, destination_account_id, agent_id, is_unapplied, coalesce(data, 'null') from json_populate_record(null::countersign."transaction", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Transaction:01a1fdfa-4600-70a4-8f23-2d5d0169b0b5","version":3,"created_at":1795262400000,"updated_at":1795262400000,"status":"FAILED","type":"INCOMING","platform_customer_id":"01a1fdfa-4600-7663-81cd-00c96bd4e839","reference":"P2D5D0169B0B5","source_account_id":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","destination_account_id":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","agent_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","is_unapplied":null,"data":{"type":"INCOMING","status":"FAILED","direction":"CREDIT","reference":"P2D5D0169B0B5","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345002","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","actionId":"AgentAction:01a1fdfa-4600-70a3-8873-c28bc3db01cb","submittedAt":1795262400000,"failureReason":"COLLECTION_FAILED"}}');

insert into countersign."transaction" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, status, type, platform_customer_id, reference, source_account_id, destination_account_id, agent_id, is_unapplied, coalesce(data, 'null') from json_populate_record(null::countersign."transaction", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Transaction:01a1fdfa-4600-7199-82e7-e4b433169027","version":1,"created_at":1795262400000,"updated_at":1795262400000,"status":"PENDING","type":"INCOMING","platform_customer_id":"01a1fdfa-4600-7663-81cd-00c96bd4e839","reference":"PE4B433169027","source_account_id":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destination_account_id":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","agent_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","is_unapplied":null,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"PE4B433169027","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","amount":300,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","actionId":"AgentAction:01a1fdfa-4600-7198-b851-d00723fcbc71"}}');

insert into countersign."transaction" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, status, type, platform_customer_id, reference, source_account_id, destination_account_id, agent_id, is_unapplied, coalesce(data, 'null') from json_populate_record(null::countersign."transaction", '{"owner_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","id":"Transaction:01a1fdfa-4600-775b-a84d-aa975d5401ec","version":3,"created_at":1795262400000,"updated_at":1795262400000,"status":"COMPLETED","type":"INCOMING","platform_customer_id":"01a1fdfa-4600-7663-81cd-00c96bd4e839","reference":"PAA975D5401EC","source_account_id":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destination_account_id":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","agent_id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","is_unapplied":null,"data":{"type":"INCOMING","status":"COMPLETED","direction":"CREDIT","reference":"PAA975D5401EC","platformCustomerId":"01a1fdfa-4600-7663-81cd-00c96bd4e839","amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","destinationAccountId":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","actionId":"AgentAction:01a1fdfa-4600-775a-b02b-8c8e80eafbc8","submittedAt":1795262400000,"settledAt":1795262400000}}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"agent-token:fdbf68fba5c3a6e7c6b79f78a9fca828bbe4d8d3b3124717cedab97a73e080cc","scope":"","kind":"Agent","id":"Agent:01a1fdfa-4600-7445-87e9-b899a2139f23","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"client:client_test","scope":"","kind":"ApiToken","id":"Token:01a1fdfa-4600-7170-83b0-96ac4be1cc16","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"device-code:91b7baa91e5b0a31513d65f50c7e2d7edfe63f10bb67900f0cecade373272c57","scope":"","kind":"DeviceCode","id":"DeviceCode:01a1fdfa-4600-7446-b498-15d6a9854165","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"external-account:1945403ae522759bcdc5d05ecf935da54ee15000f5a27f0757cb27263736ffe0","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"ExternalAccount","id":"ExternalAccount:01a1fdfa-4600-74d3-ab47-c8ef7bb1b5aa","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"external-account:5a8373176248da1d349d23c86a24ab0baba0d26edaa48535de3e5a8936a586b0","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"ExternalAccount","id":"ExternalAccount:01a1fdfa-4600-71ec-b565-0255d3f90ca4","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:BRL:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-741c-b898-26f40a6b2a4d","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:BTC:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-741f-93df-9af02c93abf1","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:EUR:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7419-86d0-19bd2fce20f0","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:GBP:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-741a-aa4f-3c15a71737b8","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:INR:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-741d-b79d-1d92dc87623c","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:MXN:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-741b-a3af-771e8a4c087e","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USD:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7417-adc9-515040bbc9e6","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USDB:EMBEDDED_WALLET","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7421-a667-93db3df0fe32","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USDB:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7420-a23b-55ed9885c4e4","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839:USDC:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-741e-af80-e7c48aea79f5","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:BRL:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7177-909a-24ab6eaee0d8","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:BTC:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-717a-a32d-915a3a59f977","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:EUR:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7174-af4e-9ba0af784592","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:GBP:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7175-a643-83e1ce966a45","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:INR:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7178-8bd5-a1af50809c50","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:MXN:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7176-9c8a-40e457a20e01","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:USD:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7173-ba6e-bb4a7074d146","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:USDB:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-717b-b14e-25c93f72dd66","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:USDC:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7179-8cdf-8b882ee067d3","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"platformCustomerId:01a1fdfa-4600-7663-81cd-00c96bd4e839","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"Customer","id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"uma-domain:a996c2650eed.uma.sandbox.example","scope":"","kind":"Platform","id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"uma-subdomain:a996c2650eed","scope":"","kind":"Platform","id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"uma:$01a1fdfa-4600-7663-81cd-00c96bd4e839@a996c2650eed.uma.sandbox.example","scope":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","kind":"Customer","id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":"Customer:01a1fdfa-4600-7663-81cd-00c96bd4e839"}');

insert into countersign."webhook_endpoint" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."webhook_endpoint", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","version":2,"created_at":1795262400000,"updated_at":1795262400000,"data":{"url":"https://platform.example/hooks","state":"ACTIVE","circuit":{"state":"CLOSED","failures":0,"openings":0},"proof":{"number":1,"windowStart":0,"sent":0},"lastSuccessAt":1795262400000}}');

insert into countersign."webhook_key_ring" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."webhook_key_ring", '{"owner_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","platform_id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","customer_id":null,"id":"PlatformConfig:01a1fdfa-4600-722e-ab9a-a996c2650eed","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"keys":[{"number":1,"rootId":"6ixLPEmotlh9v_arU1bh8ZBIhny3AjD_12HkmVUigOY","createdAt":1795262400000}]}}');

-- Triggers

CREATE TRIGGER ledger_account_lasting BEFORE DELETE OR UPDATE OF owner_id, id ON countersign.ledger_account FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse_removal();

CREATE TRIGGER ledger_entry_checked AFTER INSERT ON countersign.ledger_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION countersign.check_entries();

CREATE TRIGGER ledger_entry_immutable BEFORE DELETE OR UPDATE ON countersign.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse_change();

reset check_function_bodies;
