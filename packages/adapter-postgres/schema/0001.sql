-- Schema 1 (foundation), as it was released.

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

-- Constraints

alter table countersign.agent add constraint agent_pkey PRIMARY KEY (owner_id, id);

alter table countersign.agent_action add constraint agent_action_pkey PRIMARY KEY (owner_id, id);

alter table countersign.api_token add constraint api_token_pkey PRIMARY KEY (owner_id, id);

alter table countersign.audit_record add constraint audit_record_pkey PRIMARY KEY (owner_id, id);

alter table countersign.beneficial_owner add constraint beneficial_owner_pkey PRIMARY KEY (owner_id, id);

alter table countersign.business_time add constraint business_time_pkey PRIMARY KEY (one);

alter table countersign.card add constraint card_pkey PRIMARY KEY (owner_id, id);

alter table countersign.card_transaction add constraint card_transaction_pkey PRIMARY KEY (owner_id, id);

alter table countersign.counter add constraint counter_pkey PRIMARY KEY (owner_id, key);

alter table countersign.credential add constraint credential_pkey PRIMARY KEY (owner_id, id);

alter table countersign.customer add constraint customer_pkey PRIMARY KEY (owner_id, id);

alter table countersign.delegated_key add constraint delegated_key_pkey PRIMARY KEY (owner_id, id);

alter table countersign.device_code add constraint device_code_pkey PRIMARY KEY (owner_id, id);

alter table countersign.event add constraint event_pkey PRIMARY KEY (owner_id, id);

alter table countersign.external_account add constraint external_account_pkey PRIMARY KEY (owner_id, id);

alter table countersign.internal_account add constraint internal_account_pkey PRIMARY KEY (owner_id, id);

alter table countersign.job add constraint job_pkey PRIMARY KEY (owner_id, id);

alter table countersign.job_line add constraint job_line_pkey PRIMARY KEY (queue, platform_id);

alter table countersign.ledger_account add constraint ledger_account_pkey PRIMARY KEY (owner_id, id);

alter table countersign.ledger_entry add constraint ledger_entry_pkey PRIMARY KEY (owner_id, account_id, sequence);

alter table countersign.operation add constraint operation_pkey PRIMARY KEY (owner_id, id);

alter table countersign.otp_challenge add constraint otp_challenge_pkey PRIMARY KEY (owner_id, id);

alter table countersign.platform add constraint platform_pkey PRIMARY KEY (owner_id, id);

alter table countersign.quote add constraint quote_pkey PRIMARY KEY (owner_id, id);

alter table countersign.record_history add constraint record_history_pkey PRIMARY KEY (owner_id, id, kind, version);

alter table countersign.replay add constraint replay_pkey PRIMARY KEY (platform_id, key);

alter table countersign.sca_profile add constraint sca_profile_pkey PRIMARY KEY (owner_id, id);

alter table countersign.schema_version add constraint schema_version_pkey PRIMARY KEY (version);

alter table countersign.session add constraint session_pkey PRIMARY KEY (owner_id, id);

alter table countersign.signed_request add constraint signed_request_pkey PRIMARY KEY (owner_id, id);

alter table countersign.transaction add constraint transaction_pkey PRIMARY KEY (owner_id, id);

alter table countersign.unique_key add constraint unique_key_pkey PRIMARY KEY (key, scope);

alter table countersign.verification add constraint verification_pkey PRIMARY KEY (owner_id, id);

alter table countersign.wallet add constraint wallet_pkey PRIMARY KEY (owner_id, id);

alter table countersign.agent add constraint agent_id_key UNIQUE (id);

alter table countersign.agent_action add constraint agent_action_id_key UNIQUE (id);

alter table countersign.api_token add constraint api_token_id_key UNIQUE (id);

alter table countersign.audit_record add constraint audit_record_id_key UNIQUE (id);

alter table countersign.beneficial_owner add constraint beneficial_owner_id_key UNIQUE (id);

alter table countersign.card add constraint card_id_key UNIQUE (id);

alter table countersign.card_transaction add constraint card_transaction_id_key UNIQUE (id);

alter table countersign.counter add constraint counter_platform_id_key_key UNIQUE (platform_id, key);

alter table countersign.credential add constraint credential_id_key UNIQUE (id);

alter table countersign.customer add constraint customer_id_key UNIQUE (id);

alter table countersign.delegated_key add constraint delegated_key_id_key UNIQUE (id);

alter table countersign.device_code add constraint device_code_id_key UNIQUE (id);

alter table countersign.event add constraint event_id_key UNIQUE (id);

alter table countersign.external_account add constraint external_account_id_key UNIQUE (id);

alter table countersign.internal_account add constraint internal_account_id_key UNIQUE (id);

alter table countersign.job add constraint job_id_key UNIQUE (id);

alter table countersign.ledger_account add constraint ledger_account_id_key UNIQUE (id);

alter table countersign.otp_challenge add constraint otp_challenge_id_key UNIQUE (id);

alter table countersign.platform add constraint platform_id_key UNIQUE (id);

alter table countersign.quote add constraint quote_id_key UNIQUE (id);

alter table countersign.sca_profile add constraint sca_profile_id_key UNIQUE (id);

alter table countersign.session add constraint session_id_key UNIQUE (id);

alter table countersign.signed_request add constraint signed_request_id_key UNIQUE (id);

alter table countersign.transaction add constraint transaction_id_key UNIQUE (id);

alter table countersign.verification add constraint verification_id_key UNIQUE (id);

alter table countersign.wallet add constraint wallet_id_key UNIQUE (id);

alter table countersign.business_time add constraint business_time_one_check CHECK (one);

alter table countersign.counter add constraint counter_value_check CHECK ((value <= '9007199254740991'::bigint));

alter table countersign.job add constraint job_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'parked'::text])));

alter table countersign.ledger_account add constraint floor_kept CHECK ((balance >= floor));

alter table countersign.ledger_account add constraint sums_exact CHECK (((balance >= '-9007199254740991'::bigint) AND (balance <= '9007199254740991'::bigint)));

alter table countersign.ledger_entry add constraint ledger_entry_amount_check CHECK ((amount <> 0));

-- Indexes

CREATE INDEX agent_action_by_agent_id ON countersign.agent_action USING btree (((agent_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((agent_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX agent_action_by_status ON countersign.agent_action USING btree (platform_id, created_at) WHERE (status = '"PENDING_APPROVAL"'::jsonb);

CREATE INDEX agent_action_listed ON countersign.agent_action USING btree (platform_id, created_at);

CREATE INDEX agent_listed ON countersign.agent USING btree (platform_id, created_at);

CREATE INDEX api_token_listed ON countersign.api_token USING btree (platform_id, created_at);

CREATE INDEX audit_record_by_target ON countersign.audit_record USING btree (((target #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((target #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX audit_record_listed ON countersign.audit_record USING btree (platform_id, created_at);

CREATE INDEX beneficial_owner_listed ON countersign.beneficial_owner USING btree (platform_id, created_at);

CREATE INDEX card_by_platform_card_id ON countersign.card USING btree (((platform_card_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((platform_card_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX card_listed ON countersign.card USING btree (platform_id, created_at);

CREATE INDEX card_transaction_by_account_id ON countersign.card_transaction USING btree (((account_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX card_transaction_by_card_id ON countersign.card_transaction USING btree (((card_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((card_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX card_transaction_by_issuer_transaction_token ON countersign.card_transaction USING btree (((issuer_transaction_token #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((issuer_transaction_token #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX card_transaction_listed ON countersign.card_transaction USING btree (platform_id, created_at);

CREATE INDEX credential_by_account_id ON countersign.credential USING btree (((account_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX credential_by_contact ON countersign.credential USING btree (((contact #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((contact #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX credential_listed ON countersign.credential USING btree (platform_id, created_at);

CREATE INDEX customer_by_platform_customer_id ON countersign.customer USING btree (((platform_customer_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((platform_customer_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX customer_by_uma_address ON countersign.customer USING btree (((uma_address #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((uma_address #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX customer_listed ON countersign.customer USING btree (platform_id, created_at);

CREATE INDEX delegated_key_by_account_id ON countersign.delegated_key USING btree (((account_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX delegated_key_by_funding_source_id ON countersign.delegated_key USING btree (((funding_source_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((funding_source_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX delegated_key_listed ON countersign.delegated_key USING btree (platform_id, created_at);

CREATE INDEX device_code_by_agent_id ON countersign.device_code USING btree (((agent_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((agent_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX device_code_listed ON countersign.device_code USING btree (platform_id, created_at);

CREATE INDEX event_expires ON countersign.event USING btree (expires_at);

CREATE INDEX external_account_listed ON countersign.external_account USING btree (platform_id, created_at);

CREATE INDEX internal_account_listed ON countersign.internal_account USING btree (platform_id, created_at);

CREATE INDEX job_alarm ON countersign.job USING btree (queue, holds_until) WHERE (holds_until IS NOT NULL);

CREATE INDEX job_due ON countersign.job USING btree (due_at) WHERE (state <> 'parked'::text);

CREATE INDEX job_lane ON countersign.job USING btree (platform_id, queue, lane, sequence) WHERE (lane IS NOT NULL);

CREATE INDEX job_open ON countersign.job USING btree (queue, platform_id, due_at, sequence) WHERE (open AND (state <> 'parked'::text));

CREATE INDEX job_running ON countersign.job USING btree (queue, platform_id) WHERE (state = 'running'::text);

CREATE INDEX ledger_entry_at ON countersign.ledger_entry USING brin (at);

CREATE INDEX operation_expires ON countersign.operation USING btree (expires_at);

CREATE INDEX otp_challenge_listed ON countersign.otp_challenge USING btree (platform_id, created_at);

CREATE INDEX platform_listed ON countersign.platform USING btree (platform_id, created_at);

CREATE INDEX quote_listed ON countersign.quote USING btree (platform_id, created_at);

CREATE INDEX replay_expires ON countersign.replay USING btree (expires_at);

CREATE INDEX sca_profile_listed ON countersign.sca_profile USING btree (platform_id, created_at);

CREATE INDEX session_by_account_id ON countersign.session USING btree (((account_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX session_by_auth_method_id ON countersign.session USING btree (((auth_method_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((auth_method_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX session_listed ON countersign.session USING btree (platform_id, created_at);

CREATE INDEX signed_request_listed ON countersign.signed_request USING btree (platform_id, created_at);

CREATE INDEX transaction_by_agent_id ON countersign.transaction USING btree (((agent_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((agent_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX transaction_by_destination_account_id ON countersign.transaction USING btree (((destination_account_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((destination_account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX transaction_by_reference ON countersign.transaction USING btree (((reference #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((reference #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX transaction_by_source_account_id ON countersign.transaction USING btree (((source_account_id #>> '{}'::text[])) COLLATE "C", created_at) WHERE (((source_account_id #>> '{}'::text[]) COLLATE "C") IS NOT NULL);

CREATE INDEX transaction_listed ON countersign.transaction USING btree (platform_id, created_at);

CREATE INDEX verification_listed ON countersign.verification USING btree (platform_id, created_at);

CREATE INDEX wallet_listed ON countersign.wallet USING btree (platform_id, created_at);

-- Functions

CREATE OR REPLACE FUNCTION countersign.check_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from added e left join countersign.ledger_account a on a.owner_id = e.owner_id and a.id = e.account_id where a.id is null) then
    raise exception 'an entry of the ledger is on no account' using errcode = 'foreign_key_violation';
  end if;
  if exists (select from added e group by e.platform_id, e.operation_id, e.transfer having sum(e.amount) <> 0) then
    raise exception 'entries of the ledger do not balance' using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION countersign.claim_jobs_b0984a6051b7(q text, who text, business bigint, wall bigint, most integer, per_platform integer, lease bigint)
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
declare r record; taken text[]; base bigint; answer text;
begin
  perform pg_advisory_xact_lock(hashtextextended('claim ' || q, 0));

  if exists (select from job j where j.queue = q and j.holds_until <= wall) then
    for r in select distinct hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0) h from job j where j.queue = q and j.holds_until <= wall order by h loop
      perform pg_advisory_xact_lock(r.h);
    end loop;
    for r in update job j set holds = false, holds_until = null where j.queue = q and j.holds_until <= wall
        returning j.platform_id, j.lane, j.sequence loop
      perform open_lane_b0984a6051b7(q, r.platform_id, r.lane, r.sequence);
    end loop;
  end if;

  select coalesce(max(l.served), 0) into base from job_line l where l.queue = q;

  -- The platforms that have open jobs, found by jumps through the index.
  with recursive platform as (
    (select j.platform_id from job j where j.queue = q and j.open and j.state <> 'parked' order by j.platform_id limit 1)
    union all
    select (select j.platform_id from job j where j.queue = q and j.open and j.state <> 'parked' and j.platform_id > b.platform_id
      order by j.platform_id limit 1) from platform b where b.platform_id is not null),
  line as (
    select b.platform_id, coalesce(l.served, 0) served,
      (select count(*) from job n where n.queue = q and n.platform_id = b.platform_id and n.state = 'running' and n.not_before > wall) running
    from platform b left join job_line l on l.queue = q and l.platform_id = b.platform_id where b.platform_id is not null),
  candidate as (
    select n.running, n.served, c.*, row_number() over (partition by n.platform_id order by c.due_at, c.sequence) turn,
      first_value(c.due_at) over (partition by n.platform_id order by c.due_at, c.sequence) first_due,
      first_value(c.sequence) over (partition by n.platform_id order by c.due_at, c.sequence) first_sequence
    from line n, lateral (
      select j.id, j.due_at, j.sequence from job j
      where j.queue = q and j.platform_id = n.platform_id and j.open and j.state <> 'parked' and j.due_at <= business and j.not_before <= wall
        -- Nobody before it in its lane keeps it back, nor will somebody whom this claim takes before it.
        and (j.lane is null or not exists (select from job h where h.platform_id = j.platform_id and h.queue = q and h.lane = j.lane and h.sequence < j.sequence
          and (h.holds or (h.open and h.state <> 'parked' and h.not_before <= wall and h.due_at <= j.due_at))))
      order by j.due_at, j.sequence limit greatest(0, least(most, per_platform - n.running))) c),
  -- A platform's jobs move it back one place each: the order in which a queue of turns would take them.
  chosen as (select c.id, c.running + c.turn as level, c.running, c.served, c.first_due, c.first_sequence from candidate c
    order by c.running + c.turn, c.running desc, c.served, c.first_due, c.first_sequence limit most)
  select array_agg(c.id order by c.level, c.running desc, c.served, c.first_due, c.first_sequence) into taken from chosen c;

  -- Since they were chosen one may have been given back, to be parked or to wait.
  with locked as (select j.id from job j where j.id = any (taken) and j.state <> 'parked' and j.not_before <= wall for update skip locked),
  claimed as (
    update job j set state = 'running', attempt = j.attempt + 1, not_before = wall + lease, worker = who,
      first_claimed_at = coalesce(j.first_claimed_at, wall), holds = j.lane is not null,
      holds_until = case when j.lane is not null then greatest(coalesce(j.first_claimed_at, wall) + j.lane_hold_millis, case when j.lane_hold_millis is not null then wall + lease end) end
    from locked k where j.id = k.id returning j.*),
  served as (
    insert into job_line as l (queue, platform_id, served)
      select q, c.platform_id, base + max(array_position(taken, c.id)) from claimed c group by c.platform_id order by c.platform_id
      on conflict (queue, platform_id) do update set served = excluded.served)
  select coalesce(json_agg(json_strip_nulls(json_build_object('id', c.id, 'queue', c.queue, 'kind', c.kind, 'platformId', c.platform_id, 'lane', c.lane,
      'dueAt', c.due_at, 'attempt', c.attempt, 'firstClaimedAt', c.first_claimed_at, 'customerId', c.customer_id, 'payload', c.payload::text))
      order by c.due_at, c.sequence), '[]')::text
    into answer from claimed c;
  return json_build_object('ahead', coalesce((select t.ahead_millis from countersign.business_time t), 0), 'jobs', answer::json)::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.commit_group_b0984a6051b7(looking boolean, observing boolean, set__platform text[], set__caller text[], set__operation text[], set__owner text[], set__at bigint[], set__until bigint[], lock__name text[], lock__alone boolean[], guard__nr integer[], guard__id text[], guard__version integer[], change__nr integer[], change__id text[], change__version integer[], change__fields text[], change__data text[], record__nr integer[], record__id text[], record__customer text[], record__fields text[], record__data text[], guarded__kind integer[], guarded__last integer[], changed__kind integer[], changed__last integer[], recorded__kind integer[], recorded__last integer[], finish__nr integer[], finish__id text[], finish__attempt integer[], claim__nr integer[], claim__key text[], claim__scope text[], claim__kind text[], claim__id text[], claim__customer text[], account__platform text[], account__id text[], account__total bigint[], account__low bigint[], account__high bigint[], account__count integer[], account__currency text[], account__customer text[], observed__platform text[], observed__id text[], entry__nr integer[], entry__account integer[], entry__amount bigint[], entry__later bigint[], entry__later_count integer[], entry__reference text[], entry__transfer integer[], counter__platform text[], counter__key text[], counter__customer text[], counter__total bigint[], counter__low bigint[], counter__high bigint[], counter__most bigint[], keep__nr integer[], keep__number integer[], keep__later bigint[], keep__later_count integer[], job__nr integer[], job__id text[], job__queue text[], job__kind text[], job__customer text[], job__lane text[], job__hold bigint[], job__due bigint[], job__payload text[], job__opens boolean[], job__first boolean[], event__nr integer[], event__id text[], event__type text[], event__customer text[], event__subject text[], event__data text[], event__shown text[], answer__nr integer[], answer__key text[], answer__fingerprint text[], answer__status integer[], answer__body text[], answer__until bigint[], answer__shown text[], receipt__nr integer[])
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
  k int; lo int; hi int; r record; bad int[] := '{}'; fault int[]; found_rows int; numbers int[]; told text[]; kept text[]; touched text[];
  owners text[]; customers text[]; balances bigint[]; sequences bigint[]; counts bigint[];
begin
  
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'commits need READ COMMITTED; the transaction is %', upper(current_setting('transaction_isolation')) using errcode = '0A000';
  end if;
  
  perform case when q.x then pg_advisory_xact_lock(q.h)::text else pg_advisory_xact_lock_shared(q.h)::text end from (
    select q.h, bool_or(q.x) x from (
      select hashtextextended(e.name, 0) h, e.alone x, e.name !~ '^(operation|replay) ' late from unnest(lock__name, lock__alone) e(name, alone)
      union all
      select hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true, true
        from unnest(finish__nr, finish__id, finish__attempt) e(nr, id, attempt) join job j on j.id = e.id where j.lane is not null
    ) q group by q.h order by bool_and(q.late), q.h) q;
  
  lo := 1;
  for i in 1..cardinality(guarded__kind) loop
    k := (guarded__kind)[i]; hi := (guarded__last)[i];
    case k
when 0 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "platform" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 1 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "api_token" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 2 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "customer" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 3 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "beneficial_owner" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 4 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "verification" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 5 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "sca_profile" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 6 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "internal_account" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 7 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "external_account" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 8 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "agent" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 9 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "device_code" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 10 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "agent_action" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 11 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "quote" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 12 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "transaction" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 13 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "wallet" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 14 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "credential" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 15 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "otp_challenge" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 16 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "session" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 17 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "signed_request" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 18 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "audit_record" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 19 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "card" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 20 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "card_transaction" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 21 then select array_agg(e.nr) into fault from unnest(guard__nr[lo:hi], guard__id[lo:hi], guard__version[lo:hi]) e(nr, id, version) left join "delegated_key" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
end case; bad := bad || fault;
    lo := hi + 1;
  end loop;
  if looking then
    
  if cardinality(receipt__nr) > 0 then
    select array_agg(e.nr) into fault from unnest(receipt__nr) e(nr) join operation o on o.owner_id = set__owner[e.nr] and o.id = set__operation[e.nr];
    bad := bad || fault;
  end if;
  if cardinality(answer__nr) > 0 then
    -- Also one that has expired: the serial commit puts the new answer in its place.
    select array_agg(e.nr) into fault from unnest(answer__nr, answer__key, answer__fingerprint, answer__status, answer__body, answer__until, answer__shown) e(nr, key, fingerprint, status, body, until, shown) join replay y on y.platform_id = set__platform[e.nr] and y.key = e.key;
    bad := bad || fault;
  end if;
  
  lo := 1;
  for i in 1..cardinality(changed__kind) loop
    k := (changed__kind)[i]; hi := (changed__last)[i];
    case k
when 0 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "platform" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 1 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "api_token" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 2 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "customer" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 3 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "beneficial_owner" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 4 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "verification" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 5 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "sca_profile" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 6 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "internal_account" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 7 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "external_account" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 8 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "agent" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 9 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "device_code" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 10 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "agent_action" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 11 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "quote" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 12 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "transaction" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 13 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "wallet" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 14 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "credential" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 15 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "otp_challenge" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 16 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "session" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 17 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "signed_request" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 18 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "audit_record" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 19 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "card" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 20 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "card_transaction" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
when 21 then select array_agg(e.nr) into fault from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) left join "delegated_key" c
    on c.platform_id = set__platform[e.nr] and c.id = e.id
    where c.version is distinct from e.version or (set__caller[e.nr] is not null and c.customer_id is distinct from set__caller[e.nr]);
end case; bad := bad || fault;
    lo := hi + 1;
  end loop;
  if cardinality(finish__nr) > 0 then
    select array_agg(e.nr) into fault from unnest(finish__nr, finish__id, finish__attempt) e(nr, id, attempt) left join job j on j.id = e.id and j.attempt = e.attempt and j.state not in ('waiting', 'parked') and j.platform_id = set__platform[e.nr]
  and (set__caller[e.nr] is null or j.customer_id = set__caller[e.nr]) where j.id is null;
    bad := bad || fault;
  end if;
  if cardinality(claim__nr) > 0 then
    select array_agg(q.nr) into fault from (select e.nr, u.key held, count(*) over (partition by e.key, e.scope) takers
      from unnest(claim__nr, claim__key, claim__scope, claim__kind, claim__id, claim__customer) e(nr, key, scope, kind, id, customer) left join unique_key u on u.key = e.key and u.scope = e.scope) q
      where q.held is not null or q.takers > 1;
    bad := bad || fault;
  end if;
  end if;
  if cardinality(bad) > 0 then return json_build_object('bad', bad)::text; end if;
  
  lo := 1;
  for i in 1..cardinality(recorded__kind) loop
    k := (recorded__kind)[i]; hi := (recorded__last)[i];
    case k
when 0 then insert into "platform" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data);
when 1 then insert into "api_token" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "name", "is_deleted", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 2 then insert into "customer" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "platform_customer_id", "customer_type", "uma_address", "region", "currencies", "is_deleted", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, f.j->3, f.j->4, f.j->5, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 3 then insert into "beneficial_owner" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data);
when 4 then insert into "verification" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "verification_status", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 5 then insert into "sca_profile" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data);
when 6 then insert into "internal_account" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "currency", "type", "status", "is_platform", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, f.j->3, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 7 then insert into "external_account" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "currency", "status", "is_default_uma_deposit", "is_of_platform", "is_deleted", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, f.j->3, f.j->4, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 8 then insert into "agent" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "is_paused", "is_connected", "is_deleted", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 9 then insert into "device_code" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "agent_id", "status", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 10 then insert into "agent_action" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "agent_id", "status", "type", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 11 then insert into "quote" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data);
when 12 then insert into "transaction" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "status", "type", "platform_customer_id", "reference", "source_account_id", "destination_account_id", "agent_id", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, f.j->3, f.j->4, f.j->5, f.j->6, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 13 then insert into "wallet" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data);
when 14 then insert into "credential" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "type", "contact", "is_revoked", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, f.j->3, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 15 then insert into "otp_challenge" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data);
when 16 then insert into "session" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "auth_method_id", "public_key", "status", "expires_at", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, f.j->3, f.j->4, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 17 then insert into "signed_request" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data);
when 18 then insert into "audit_record" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "actor_id", "operation", "target", "outcome", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, f.j->3, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 19 then insert into "card" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "platform_card_id", "state", "funding_sources", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 20 then insert into "card_transaction" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "card_id", "status", "platform_customer_id", "account_id", "issuer_transaction_token", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, f.j->3, f.j->4, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
when 21 then insert into "delegated_key" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "funding_source_id", "status", data)
    select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.customer, e.id, 1, set__at[e.nr], set__at[e.nr], f.j->0, f.j->1, f.j->2, e.data::json
    from unnest(record__nr[lo:hi], record__id[lo:hi], record__customer[lo:hi], record__fields[lo:hi], record__data[lo:hi]) e(nr, id, customer, fields, data) cross join lateral (select e.fields::jsonb j offset 0) f;
end case;
    lo := hi + 1;
  end loop;
  
  lo := 1;
  for i in 1..cardinality(changed__kind) loop
    k := (changed__kind)[i]; hi := (changed__last)[i];
    case k
when 0 then with was as (
      update "platform" c set version = c.version + 1, updated_at = set__at[e.nr],
        data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "platform" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])

      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Platform', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 1 then with was as (
      update "api_token" c set version = c.version + 1, updated_at = set__at[e.nr],
        "name" = f.j->0, "is_deleted" = f.j->1, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "api_token" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'ApiToken', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 2 then with was as (
      update "customer" c set version = c.version + 1, updated_at = set__at[e.nr],
        "platform_customer_id" = f.j->0, "customer_type" = f.j->1, "uma_address" = f.j->2, "region" = f.j->3, "currencies" = f.j->4, "is_deleted" = f.j->5, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "customer" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Customer', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 3 then with was as (
      update "beneficial_owner" c set version = c.version + 1, updated_at = set__at[e.nr],
        data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "beneficial_owner" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])

      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'BeneficialOwner', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 4 then with was as (
      update "verification" c set version = c.version + 1, updated_at = set__at[e.nr],
        "verification_status" = f.j->0, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "verification" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Verification', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 5 then with was as (
      update "sca_profile" c set version = c.version + 1, updated_at = set__at[e.nr],
        data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "sca_profile" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])

      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'ScaProfile', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 6 then with was as (
      update "internal_account" c set version = c.version + 1, updated_at = set__at[e.nr],
        "currency" = f.j->0, "type" = f.j->1, "status" = f.j->2, "is_platform" = f.j->3, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "internal_account" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'InternalAccount', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 7 then with was as (
      update "external_account" c set version = c.version + 1, updated_at = set__at[e.nr],
        "currency" = f.j->0, "status" = f.j->1, "is_default_uma_deposit" = f.j->2, "is_of_platform" = f.j->3, "is_deleted" = f.j->4, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "external_account" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'ExternalAccount', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 8 then with was as (
      update "agent" c set version = c.version + 1, updated_at = set__at[e.nr],
        "is_paused" = f.j->0, "is_connected" = f.j->1, "is_deleted" = f.j->2, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "agent" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Agent', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 9 then with was as (
      update "device_code" c set version = c.version + 1, updated_at = set__at[e.nr],
        "agent_id" = f.j->0, "status" = f.j->1, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "device_code" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'DeviceCode', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 10 then with was as (
      update "agent_action" c set version = c.version + 1, updated_at = set__at[e.nr],
        "agent_id" = f.j->0, "status" = f.j->1, "type" = f.j->2, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "agent_action" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'AgentAction', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 11 then with was as (
      update "quote" c set version = c.version + 1, updated_at = set__at[e.nr],
        data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "quote" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])

      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Quote', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 12 then with was as (
      update "transaction" c set version = c.version + 1, updated_at = set__at[e.nr],
        "status" = f.j->0, "type" = f.j->1, "platform_customer_id" = f.j->2, "reference" = f.j->3, "source_account_id" = f.j->4, "destination_account_id" = f.j->5, "agent_id" = f.j->6, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "transaction" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Transaction', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 13 then with was as (
      update "wallet" c set version = c.version + 1, updated_at = set__at[e.nr],
        data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "wallet" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])

      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Wallet', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 14 then with was as (
      update "credential" c set version = c.version + 1, updated_at = set__at[e.nr],
        "account_id" = f.j->0, "type" = f.j->1, "contact" = f.j->2, "is_revoked" = f.j->3, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "credential" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Credential', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 15 then with was as (
      update "otp_challenge" c set version = c.version + 1, updated_at = set__at[e.nr],
        data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "otp_challenge" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])

      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'OtpChallenge', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 16 then with was as (
      update "session" c set version = c.version + 1, updated_at = set__at[e.nr],
        "account_id" = f.j->0, "auth_method_id" = f.j->1, "public_key" = f.j->2, "status" = f.j->3, "expires_at" = f.j->4, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "session" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Session', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 17 then with was as (
      update "signed_request" c set version = c.version + 1, updated_at = set__at[e.nr],
        data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "signed_request" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])

      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'SignedRequest', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 18 then with was as (
      update "audit_record" c set version = c.version + 1, updated_at = set__at[e.nr],
        "actor_id" = f.j->0, "operation" = f.j->1, "target" = f.j->2, "outcome" = f.j->3, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "audit_record" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'AuditRecord', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 19 then with was as (
      update "card" c set version = c.version + 1, updated_at = set__at[e.nr],
        "platform_card_id" = f.j->0, "state" = f.j->1, "funding_sources" = f.j->2, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "card" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'Card', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 20 then with was as (
      update "card_transaction" c set version = c.version + 1, updated_at = set__at[e.nr],
        "card_id" = f.j->0, "status" = f.j->1, "platform_customer_id" = f.j->2, "account_id" = f.j->3, "issuer_transaction_token" = f.j->4, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "card_transaction" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'CardTransaction', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
when 21 then with was as (
      update "delegated_key" c set version = c.version + 1, updated_at = set__at[e.nr],
        "account_id" = f.j->0, "funding_source_id" = f.j->1, "status" = f.j->2, data = e.data::json
      from unnest(change__nr[lo:hi], change__id[lo:hi], change__version[lo:hi], change__fields[lo:hi], change__data[lo:hi]) e(nr, id, version, fields, data) join "delegated_key" b on b.platform_id = set__platform[e.nr] and b.id = e.id
        and b.version = e.version and (set__caller[e.nr] is null or b.customer_id = set__caller[e.nr])
 cross join lateral (select e.fields::jsonb j offset 0) f
      where c.ctid = b.ctid and c.tableoid = b.tableoid
      returning b.owner_id, b.platform_id, b.id, b.version, b.customer_id, b.created_at, b.updated_at, b.data)
    insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select w.owner_id, w.platform_id, 'DelegatedKey', w.id, w.version, w.customer_id, w.created_at, w.updated_at, w.data from was w;
end case;
    get diagnostics found_rows = row_count;
    if found_rows <> hi - lo + 1 then raise exception 'sets of a batch do not hold together' using errcode = 'CS002', detail = (json_build_object())::text; end if;
    lo := hi + 1;
  end loop;
  
  if cardinality(finish__nr) > 0 then
    with gone as (
      delete from job j using (select * from unnest(finish__nr, finish__id, finish__attempt) e(nr, id, attempt) order by e.id collate "C") e where j.id = e.id and j.attempt = e.attempt and j.state not in ('waiting', 'parked') and j.platform_id = set__platform[e.nr]
  and (set__caller[e.nr] is null or j.customer_id = set__caller[e.nr])
        returning j.queue, j.platform_id, j.lane, j.sequence, j.holds),
    opened as (
      update job j set open = true from gone g
        where g.holds and j.platform_id = g.platform_id and j.queue = g.queue and j.lane = g.lane and j.sequence > g.sequence and not j.open
          and j.sequence <= coalesce((select h.sequence from job h where h.platform_id = g.platform_id and h.queue = g.queue and h.lane = g.lane
            and h.sequence > g.sequence and h.holds order by h.sequence limit 1), 9223372036854775807))
    select count(*), array_agg(distinct g.queue) into found_rows, touched from gone g;
    if found_rows <> cardinality(finish__id) then raise exception 'sets of a batch do not hold together' using errcode = 'CS002', detail = (json_build_object())::text; end if;
  end if;
  
  if cardinality(claim__nr) > 0 then
    insert into unique_key (key, scope, kind, id, platform_id, customer_id)
      select e.key, e.scope, e.kind, e.id, set__platform[e.nr], e.customer from unnest(claim__nr, claim__key, claim__scope, claim__kind, claim__id, claim__customer) e(nr, key, scope, kind, id, customer) order by e.key collate "C", e.scope collate "C";
  end if;
  
  if cardinality(account__platform) > 0 then
    with moved as (
      update ledger_account a set balance = a.balance + e.total, sequence = a.sequence + e.count
        from unnest(account__platform, account__id, account__total, account__low, account__high, account__count, account__currency, account__customer) with ordinality e(platform, id, total, low, high, count, currency, customer, o)
        where a.id = e.id and a.platform_id = e.platform and a.balance + e.low >= coalesce(a.floor, -9007199254740991)
          and a.balance + e.low >= -9007199254740991 and a.balance + e.high <= 9007199254740991
          and a.currency = e.currency and (e.customer is null or a.customer_id = e.customer)
        returning e.o, a.owner_id, a.balance, a.sequence)
      select array_agg(m.o order by m.o), array_agg(m.owner_id order by m.o), array_agg(m.balance order by m.o), array_agg(m.sequence order by m.o)
        into numbers, owners, balances, sequences from moved m;
    if coalesce(cardinality(numbers), 0) < cardinality(account__id) then
      raise exception 'sets of a batch do not hold together' using errcode = 'CS002', detail = (json_build_object('accounts', array(select n from generate_series(1, cardinality(account__id)) n where numbers is null or n <> all (numbers))))::text;
    end if;
    insert into ledger_entry (owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at)
      select owners[e.account], set__platform[e.nr], account__id[e.account], sequences[e.account] - e.later_count, e.amount,
        balances[e.account] - e.later, e.reference, set__operation[e.nr], e.transfer, set__at[e.nr]
      from unnest(entry__nr, entry__account, entry__amount, entry__later, entry__later_count, entry__reference, entry__transfer) e(nr, account, amount, later, later_count, reference, transfer);
  end if;
  
  if cardinality(counter__platform) > 0 then
    with moved as (insert into counter as c (owner_id, platform_id, key, value)
        select coalesce(e.customer, e.platform), e.platform, e.key, e.total from unnest(counter__platform, counter__key, counter__customer, counter__total, counter__low, counter__high, counter__most) with ordinality e(platform, key, customer, total, low, high, most, o) order by o
        on conflict (owner_id, key) do update set value = c.value + excluded.value returning c.key, c.value)
      select array_agg(m.key), array_agg(m.value) into told, counts from moved m;
    numbers := array(select o from unnest(counter__platform, counter__key, counter__customer, counter__total, counter__low, counter__high, counter__most) with ordinality e(platform, key, customer, total, low, high, most, o) where told[o] is distinct from e.key
      or counts[o] - e.total + e.high > e.most or counts[o] - e.total + e.low < 0);
    if cardinality(numbers) > 0 then raise exception 'sets of a batch do not hold together' using errcode = 'CS002', detail = (json_build_object('counters', numbers))::text; end if;
  end if;
  
  if cardinality(observed__platform) > 0 then
    select balances || array_agg(coalesce(a.balance, 0) order by o), sequences || array_agg(coalesce(a.sequence, 0) order by o)
      into balances, sequences from unnest(observed__platform, observed__id) with ordinality e(platform, id, o)
      left join ledger_account a on a.id = e.id and a.platform_id = e.platform;
  end if;
  if observing then
    select array_agg(a.customer_id order by o) into customers
      from unnest(account__platform || observed__platform, account__id || observed__id) with ordinality e(platform, id, o)
      left join ledger_account a on a.id = e.id and a.platform_id = e.platform;
  end if;
  if cardinality(keep__nr) > 0 then
    kept := array_fill(''::text, array[cardinality(set__platform)]);
    for r in select e.nr, string_agg(case when e.later_count is null then (counts[e.number] - e.later)::text
          when set__caller[e.nr] is null or customers is null or customers[e.number] = set__caller[e.nr]
            then concat(balances[e.number] - e.later, ',', sequences[e.number] - e.later_count)
          else '0,0' end, ',' order by o) told
        from unnest(keep__nr, keep__number, keep__later, keep__later_count) with ordinality e(nr, number, later, later_count, o) group by 1 loop
      kept[r.nr] := r.told;
    end loop;
  end if;
  
  if cardinality(job__nr) > 0 then
    insert into job (owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds)
      select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.id, e.queue, e.kind, e.customer, e.lane, e.hold, e.due, e.payload::json,
        e.lane is null or (e.first and (e.opens or (select true from job j
          where j.platform_id = set__platform[e.nr] and j.queue = e.queue and j.lane = e.lane and j.holds limit 1) is null)), e.lane is not null
      from unnest(job__nr, job__id, job__queue, job__kind, job__customer, job__lane, job__hold, job__due, job__payload, job__opens, job__first) with ordinality e(nr, id, queue, kind, customer, lane, hold, due, payload, opens, first, o) order by o;
  end if;
  
  if cardinality(event__nr) > 0 then
    insert into event (owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums)
      select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.id, e.type, e.customer, e.subject, e.data::json,
        set__at[e.nr], set__at[e.nr] + 2592000000, e.shown::json, case when e.shown is not null then kept[e.nr] end
      from unnest(event__nr, event__id, event__type, event__customer, event__subject, event__data, event__shown) e(nr, id, type, customer, subject, data, shown);
  end if;
  if cardinality(answer__nr) > 0 then
    insert into replay (platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at)
      select set__platform[e.nr], e.key, e.fingerprint, e.status, e.body::json, set__operation[e.nr], e.shown::json,
        case when e.shown is not null then kept[e.nr] end, e.until
      from unnest(answer__nr, answer__key, answer__fingerprint, answer__status, answer__body, answer__until, answer__shown) e(nr, key, fingerprint, status, body, until, shown);
  end if;
  if cardinality(receipt__nr) > 0 then
    insert into operation (owner_id, platform_id, id, sums, expires_at)
      select set__owner[e.nr], set__platform[e.nr], set__operation[e.nr], coalesce(kept[e.nr], ''), set__until[e.nr] from unnest(receipt__nr) e(nr);
  end if;
  return json_build_object('balances', coalesce(balances, '{}'), 'sequences', coalesce(sequences, '{}'), 'counters', coalesce(counts, '{}'),
    'owners', coalesce(customers, '{}'), 'queues', coalesce(touched, '{}'))::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.commit_serial_b0984a6051b7(sets jsonb)
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
  kinds constant text[] := array['Platform', 'ApiToken', 'Customer', 'BeneficialOwner', 'Verification', 'ScaProfile', 'InternalAccount', 'ExternalAccount', 'Agent', 'DeviceCode', 'AgentAction', 'Quote', 'Transaction', 'Wallet', 'Credential', 'OtpChallenge', 'Session', 'SignedRequest', 'AuditRecord', 'Card', 'CardTransaction', 'DelegatedKey'];
  outcomes jsonb[] := '{}'; outcome jsonb; sums text; violated jsonb; x jsonb; e jsonb; r record;
  head_version int; head_customer text; p text; u text; t bigint; w bigint; owner_customer text; missing text; wrong text; refusal text; touched text[];
begin
  
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'commits need READ COMMITTED; the transaction is %', upper(current_setting('transaction_isolation')) using errcode = '0A000';
  end if;
  
  perform case when q.x then pg_advisory_xact_lock(q.h)::text else pg_advisory_xact_lock_shared(q.h)::text end from (
    select q.h, bool_or(q.x) x from (
      select hashtextextended(e.name, 0) h, e.alone x, e.name !~ '^(operation|replay) ' late from jsonb_array_elements(sets) v, jsonb_array_elements(v->'l') l, lateral (select l->>0 as name, (l->>1)::boolean alone) e
      union all
      select hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true, true
        from jsonb_array_elements(sets) v, jsonb_array_elements(coalesce(v->'f', '[]') || coalesce(v->'b', '[]')) f, lateral (select f->>0 id) e join job j on j.id = e.id where j.lane is not null
    ) q group by q.h order by bool_and(q.late), q.h) q;
  
  if jsonb_array_length(sets) > 1 then
    perform 1 from job j where j.id = any (array(
      select f->>0 from jsonb_array_elements(sets) s, jsonb_array_elements(coalesce(s->'f', '[]') || coalesce(s->'b', '[]')) f)) order by j.id for update;
    -- Driven by the sorted names, whatever the planner thinks of the tables.
    perform 1 from (select distinct (s->>'p') collate "C" p, (d->>0) collate "C" id from jsonb_array_elements(sets) s,
        jsonb_array_elements(coalesce(s->'ta', '[]') || coalesce(s->'as', '[]')) d order by 1, 2) d
      cross join lateral (select from ledger_account a where a.platform_id = d.p and a.id = d.id for no key update) a;
    perform 1 from (select distinct (s->>'p') collate "C" p, (d->>0) collate "C" id from jsonb_array_elements(sets) s, jsonb_array_elements(s->'ct') d order by 1, 2) d
      cross join lateral (select from counter c where c.platform_id = d.p and c.key = d.id for no key update) c;
  end if;
  for x in select v from jsonb_array_elements(sets) v loop
    p := x->>'p'; u := x->>'u'; t := (x->>'t')::bigint; w := (x->>'w')::bigint; outcome := null; touched := '{}';
    
    if x ? 'y' then
      select case when y.operation_id = x->>'o' then jsonb_build_object('_tag', 'Committed', 'sums', y.sums)
          else jsonb_build_object('_tag', 'Replayed', 'stored', jsonb_build_object('fingerprint', y.fingerprint, 'status', y.status,
            'answer', y.answer::text, 'shown', y.shown, 'sums', y.sums)) end
        into outcome from replay y where y.platform_id = p and y.key = x->'y'->>0 and w < y.expires_at;
    else
      select jsonb_build_object('_tag', 'Committed', 'sums', o.sums) into outcome from operation o where o.owner_id = x->>'h' and o.id = x->>'o';
    end if;
    if outcome is null and (x->>'d')::boolean then outcome := jsonb_build_object('_tag', 'Conflict', 'on', 'validUntil'); end if;
    if outcome is not null then outcomes := outcomes || outcome; continue; end if;
    begin
      
  for e in select v from jsonb_array_elements(x->'i') v loop
    case (e->>0)::int
when 0 then insert into "platform" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, (e->>4)::json) on conflict do nothing;
when 1 then insert into "api_token" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "name", "is_deleted", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, (e->>4)::json) on conflict do nothing;
when 2 then insert into "customer" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "platform_customer_id", "customer_type", "uma_address", "region", "currencies", "is_deleted", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, e->3->3, e->3->4, e->3->5, (e->>4)::json) on conflict do nothing;
when 3 then insert into "beneficial_owner" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, (e->>4)::json) on conflict do nothing;
when 4 then insert into "verification" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "verification_status", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, (e->>4)::json) on conflict do nothing;
when 5 then insert into "sca_profile" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, (e->>4)::json) on conflict do nothing;
when 6 then insert into "internal_account" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "currency", "type", "status", "is_platform", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, e->3->3, (e->>4)::json) on conflict do nothing;
when 7 then insert into "external_account" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "currency", "status", "is_default_uma_deposit", "is_of_platform", "is_deleted", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, e->3->3, e->3->4, (e->>4)::json) on conflict do nothing;
when 8 then insert into "agent" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "is_paused", "is_connected", "is_deleted", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, (e->>4)::json) on conflict do nothing;
when 9 then insert into "device_code" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "agent_id", "status", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, (e->>4)::json) on conflict do nothing;
when 10 then insert into "agent_action" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "agent_id", "status", "type", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, (e->>4)::json) on conflict do nothing;
when 11 then insert into "quote" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, (e->>4)::json) on conflict do nothing;
when 12 then insert into "transaction" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "status", "type", "platform_customer_id", "reference", "source_account_id", "destination_account_id", "agent_id", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, e->3->3, e->3->4, e->3->5, e->3->6, (e->>4)::json) on conflict do nothing;
when 13 then insert into "wallet" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, (e->>4)::json) on conflict do nothing;
when 14 then insert into "credential" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "type", "contact", "is_revoked", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, e->3->3, (e->>4)::json) on conflict do nothing;
when 15 then insert into "otp_challenge" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, (e->>4)::json) on conflict do nothing;
when 16 then insert into "session" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "auth_method_id", "public_key", "status", "expires_at", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, e->3->3, e->3->4, (e->>4)::json) on conflict do nothing;
when 17 then insert into "signed_request" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, (e->>4)::json) on conflict do nothing;
when 18 then insert into "audit_record" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "actor_id", "operation", "target", "outcome", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, e->3->3, (e->>4)::json) on conflict do nothing;
when 19 then insert into "card" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "platform_card_id", "state", "funding_sources", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, (e->>4)::json) on conflict do nothing;
when 20 then insert into "card_transaction" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "card_id", "status", "platform_customer_id", "account_id", "issuer_transaction_token", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, e->3->3, e->3->4, (e->>4)::json) on conflict do nothing;
when 21 then insert into "delegated_key" (owner_id, platform_id, customer_id, id, version, created_at, updated_at, "account_id", "funding_source_id", "status", data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, e->3->0, e->3->1, e->3->2, (e->>4)::json) on conflict do nothing;
end case;
    if not found then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', kinds[(e->>0)::int + 1] || ' ' || (e->>1)))::text; end if;
  end loop;
  for e in select v from jsonb_array_elements(x->'m') v loop
    case (e->>0)::int
when 0 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Platform', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "platform" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "platform" c set version = c.version + 1, updated_at = t, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 1 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'ApiToken', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "api_token" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "api_token" c set version = c.version + 1, updated_at = t, "name" = e->3->0, "is_deleted" = e->3->1, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 2 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Customer', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "customer" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "customer" c set version = c.version + 1, updated_at = t, "platform_customer_id" = e->3->0, "customer_type" = e->3->1, "uma_address" = e->3->2, "region" = e->3->3, "currencies" = e->3->4, "is_deleted" = e->3->5, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 3 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'BeneficialOwner', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "beneficial_owner" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "beneficial_owner" c set version = c.version + 1, updated_at = t, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 4 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Verification', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "verification" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "verification" c set version = c.version + 1, updated_at = t, "verification_status" = e->3->0, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 5 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'ScaProfile', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "sca_profile" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "sca_profile" c set version = c.version + 1, updated_at = t, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 6 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'InternalAccount', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "internal_account" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "internal_account" c set version = c.version + 1, updated_at = t, "currency" = e->3->0, "type" = e->3->1, "status" = e->3->2, "is_platform" = e->3->3, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 7 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'ExternalAccount', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "external_account" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "external_account" c set version = c.version + 1, updated_at = t, "currency" = e->3->0, "status" = e->3->1, "is_default_uma_deposit" = e->3->2, "is_of_platform" = e->3->3, "is_deleted" = e->3->4, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 8 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Agent', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "agent" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "agent" c set version = c.version + 1, updated_at = t, "is_paused" = e->3->0, "is_connected" = e->3->1, "is_deleted" = e->3->2, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 9 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'DeviceCode', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "device_code" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "device_code" c set version = c.version + 1, updated_at = t, "agent_id" = e->3->0, "status" = e->3->1, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 10 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'AgentAction', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "agent_action" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "agent_action" c set version = c.version + 1, updated_at = t, "agent_id" = e->3->0, "status" = e->3->1, "type" = e->3->2, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 11 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Quote', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "quote" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "quote" c set version = c.version + 1, updated_at = t, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 12 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Transaction', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "transaction" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "transaction" c set version = c.version + 1, updated_at = t, "status" = e->3->0, "type" = e->3->1, "platform_customer_id" = e->3->2, "reference" = e->3->3, "source_account_id" = e->3->4, "destination_account_id" = e->3->5, "agent_id" = e->3->6, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 13 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Wallet', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "wallet" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "wallet" c set version = c.version + 1, updated_at = t, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 14 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Credential', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "credential" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "credential" c set version = c.version + 1, updated_at = t, "account_id" = e->3->0, "type" = e->3->1, "contact" = e->3->2, "is_revoked" = e->3->3, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 15 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'OtpChallenge', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "otp_challenge" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "otp_challenge" c set version = c.version + 1, updated_at = t, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 16 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Session', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "session" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "session" c set version = c.version + 1, updated_at = t, "account_id" = e->3->0, "auth_method_id" = e->3->1, "public_key" = e->3->2, "status" = e->3->3, "expires_at" = e->3->4, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 17 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'SignedRequest', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "signed_request" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "signed_request" c set version = c.version + 1, updated_at = t, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 18 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'AuditRecord', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "audit_record" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "audit_record" c set version = c.version + 1, updated_at = t, "actor_id" = e->3->0, "operation" = e->3->1, "target" = e->3->2, "outcome" = e->3->3, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 19 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'Card', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "card" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "card" c set version = c.version + 1, updated_at = t, "platform_card_id" = e->3->0, "state" = e->3->1, "funding_sources" = e->3->2, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 20 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'CardTransaction', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "card_transaction" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "card_transaction" c set version = c.version + 1, updated_at = t, "card_id" = e->3->0, "status" = e->3->1, "platform_customer_id" = e->3->2, "account_id" = e->3->3, "issuer_transaction_token" = e->3->4, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
when 21 then with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, 'DelegatedKey', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from "delegated_key" c where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u))
    update "delegated_key" c set version = c.version + 1, updated_at = t, "account_id" = e->3->0, "funding_source_id" = e->3->1, "status" = e->3->2, data = (e->>4)::json where c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u);
end case;
    if not found then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', kinds[(e->>0)::int + 1] || ' ' || (e->>1)))::text; end if;
    if (e->>5)::boolean then
      case (e->>0)::int
when 0 then select c.version, c.customer_id into head_version, head_customer from "platform" c where c.platform_id = p and c.id = e->>1;
when 1 then select c.version, c.customer_id into head_version, head_customer from "api_token" c where c.platform_id = p and c.id = e->>1;
when 2 then select c.version, c.customer_id into head_version, head_customer from "customer" c where c.platform_id = p and c.id = e->>1;
when 3 then select c.version, c.customer_id into head_version, head_customer from "beneficial_owner" c where c.platform_id = p and c.id = e->>1;
when 4 then select c.version, c.customer_id into head_version, head_customer from "verification" c where c.platform_id = p and c.id = e->>1;
when 5 then select c.version, c.customer_id into head_version, head_customer from "sca_profile" c where c.platform_id = p and c.id = e->>1;
when 6 then select c.version, c.customer_id into head_version, head_customer from "internal_account" c where c.platform_id = p and c.id = e->>1;
when 7 then select c.version, c.customer_id into head_version, head_customer from "external_account" c where c.platform_id = p and c.id = e->>1;
when 8 then select c.version, c.customer_id into head_version, head_customer from "agent" c where c.platform_id = p and c.id = e->>1;
when 9 then select c.version, c.customer_id into head_version, head_customer from "device_code" c where c.platform_id = p and c.id = e->>1;
when 10 then select c.version, c.customer_id into head_version, head_customer from "agent_action" c where c.platform_id = p and c.id = e->>1;
when 11 then select c.version, c.customer_id into head_version, head_customer from "quote" c where c.platform_id = p and c.id = e->>1;
when 12 then select c.version, c.customer_id into head_version, head_customer from "transaction" c where c.platform_id = p and c.id = e->>1;
when 13 then select c.version, c.customer_id into head_version, head_customer from "wallet" c where c.platform_id = p and c.id = e->>1;
when 14 then select c.version, c.customer_id into head_version, head_customer from "credential" c where c.platform_id = p and c.id = e->>1;
when 15 then select c.version, c.customer_id into head_version, head_customer from "otp_challenge" c where c.platform_id = p and c.id = e->>1;
when 16 then select c.version, c.customer_id into head_version, head_customer from "session" c where c.platform_id = p and c.id = e->>1;
when 17 then select c.version, c.customer_id into head_version, head_customer from "signed_request" c where c.platform_id = p and c.id = e->>1;
when 18 then select c.version, c.customer_id into head_version, head_customer from "audit_record" c where c.platform_id = p and c.id = e->>1;
when 19 then select c.version, c.customer_id into head_version, head_customer from "card" c where c.platform_id = p and c.id = e->>1;
when 20 then select c.version, c.customer_id into head_version, head_customer from "card_transaction" c where c.platform_id = p and c.id = e->>1;
when 21 then select c.version, c.customer_id into head_version, head_customer from "delegated_key" c where c.platform_id = p and c.id = e->>1;
end case;
      delete from record_history h where h.owner_id = coalesce(head_customer, p) and h.id = e->>1 and h.kind = kinds[(e->>0)::int + 1];
    end if;
  end loop;
  for e in select v from jsonb_array_elements(x->'g') v loop
    case (e->>0)::int
when 0 then select c.version, c.customer_id into head_version, head_customer from "platform" c where c.platform_id = p and c.id = e->>1;
when 1 then select c.version, c.customer_id into head_version, head_customer from "api_token" c where c.platform_id = p and c.id = e->>1;
when 2 then select c.version, c.customer_id into head_version, head_customer from "customer" c where c.platform_id = p and c.id = e->>1;
when 3 then select c.version, c.customer_id into head_version, head_customer from "beneficial_owner" c where c.platform_id = p and c.id = e->>1;
when 4 then select c.version, c.customer_id into head_version, head_customer from "verification" c where c.platform_id = p and c.id = e->>1;
when 5 then select c.version, c.customer_id into head_version, head_customer from "sca_profile" c where c.platform_id = p and c.id = e->>1;
when 6 then select c.version, c.customer_id into head_version, head_customer from "internal_account" c where c.platform_id = p and c.id = e->>1;
when 7 then select c.version, c.customer_id into head_version, head_customer from "external_account" c where c.platform_id = p and c.id = e->>1;
when 8 then select c.version, c.customer_id into head_version, head_customer from "agent" c where c.platform_id = p and c.id = e->>1;
when 9 then select c.version, c.customer_id into head_version, head_customer from "device_code" c where c.platform_id = p and c.id = e->>1;
when 10 then select c.version, c.customer_id into head_version, head_customer from "agent_action" c where c.platform_id = p and c.id = e->>1;
when 11 then select c.version, c.customer_id into head_version, head_customer from "quote" c where c.platform_id = p and c.id = e->>1;
when 12 then select c.version, c.customer_id into head_version, head_customer from "transaction" c where c.platform_id = p and c.id = e->>1;
when 13 then select c.version, c.customer_id into head_version, head_customer from "wallet" c where c.platform_id = p and c.id = e->>1;
when 14 then select c.version, c.customer_id into head_version, head_customer from "credential" c where c.platform_id = p and c.id = e->>1;
when 15 then select c.version, c.customer_id into head_version, head_customer from "otp_challenge" c where c.platform_id = p and c.id = e->>1;
when 16 then select c.version, c.customer_id into head_version, head_customer from "session" c where c.platform_id = p and c.id = e->>1;
when 17 then select c.version, c.customer_id into head_version, head_customer from "signed_request" c where c.platform_id = p and c.id = e->>1;
when 18 then select c.version, c.customer_id into head_version, head_customer from "audit_record" c where c.platform_id = p and c.id = e->>1;
when 19 then select c.version, c.customer_id into head_version, head_customer from "card" c where c.platform_id = p and c.id = e->>1;
when 20 then select c.version, c.customer_id into head_version, head_customer from "card_transaction" c where c.platform_id = p and c.id = e->>1;
when 21 then select c.version, c.customer_id into head_version, head_customer from "delegated_key" c where c.platform_id = p and c.id = e->>1;
end case;
    if head_version is distinct from (e->>2)::int or (u is not null and head_customer is distinct from u) then
      raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', kinds[(e->>0)::int + 1] || ' ' || (e->>1)))::text;
    end if;
  end loop;
      
  for e in select v from jsonb_array_elements(x->'f') v loop
    delete from job j where j.id = e->>0 and j.platform_id = p and (u is null or j.customer_id = u)
      and j.attempt = (e->>1)::int and j.state not in ('waiting', 'parked') returning j.queue, j.lane, j.sequence, j.holds into r;
    if not found then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || (e->>0)))::text; end if;
    touched := touched || r.queue;
    if r.lane is not null and r.holds then perform open_lane_b0984a6051b7(r.queue, p, r.lane, r.sequence); end if;
  end loop;
  for e in select v from jsonb_array_elements(x->'b') v loop
    update job j set state = e->>2, not_before = (e->>3)::bigint, error = e->>4, payload = coalesce((e->>5)::json, j.payload),
        holds = j.lane is not null and (j.lane_hold_millis is null or (e->>2 <> 'parked' and j.first_claimed_at + j.lane_hold_millis > w)),
        holds_until = case when j.lane is not null and e->>2 <> 'parked' and j.first_claimed_at + j.lane_hold_millis > w
          then j.first_claimed_at + j.lane_hold_millis end
      where j.id = e->>0 and j.platform_id = p and (u is null or j.customer_id = u) and j.attempt = (e->>1)::int and j.state not in ('waiting', 'parked')
      returning j.queue, j.lane, j.sequence, j.holds into r;
    if not found then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || (e->>0)))::text; end if;
    touched := touched || r.queue;
    if r.lane is not null and not r.holds then perform open_lane_b0984a6051b7(r.queue, p, r.lane, r.sequence); end if;
  end loop;
      
  for e in select v from jsonb_array_elements(x->'r') v loop
    
    if (e->>5)::boolean then owner_customer := e->>6; else
      case (e->>3)::int
when 0 then select c.version, c.customer_id into head_version, head_customer from "platform" c where c.platform_id = p and c.id = e->>4;
when 1 then select c.version, c.customer_id into head_version, head_customer from "api_token" c where c.platform_id = p and c.id = e->>4;
when 2 then select c.version, c.customer_id into head_version, head_customer from "customer" c where c.platform_id = p and c.id = e->>4;
when 3 then select c.version, c.customer_id into head_version, head_customer from "beneficial_owner" c where c.platform_id = p and c.id = e->>4;
when 4 then select c.version, c.customer_id into head_version, head_customer from "verification" c where c.platform_id = p and c.id = e->>4;
when 5 then select c.version, c.customer_id into head_version, head_customer from "sca_profile" c where c.platform_id = p and c.id = e->>4;
when 6 then select c.version, c.customer_id into head_version, head_customer from "internal_account" c where c.platform_id = p and c.id = e->>4;
when 7 then select c.version, c.customer_id into head_version, head_customer from "external_account" c where c.platform_id = p and c.id = e->>4;
when 8 then select c.version, c.customer_id into head_version, head_customer from "agent" c where c.platform_id = p and c.id = e->>4;
when 9 then select c.version, c.customer_id into head_version, head_customer from "device_code" c where c.platform_id = p and c.id = e->>4;
when 10 then select c.version, c.customer_id into head_version, head_customer from "agent_action" c where c.platform_id = p and c.id = e->>4;
when 11 then select c.version, c.customer_id into head_version, head_customer from "quote" c where c.platform_id = p and c.id = e->>4;
when 12 then select c.version, c.customer_id into head_version, head_customer from "transaction" c where c.platform_id = p and c.id = e->>4;
when 13 then select c.version, c.customer_id into head_version, head_customer from "wallet" c where c.platform_id = p and c.id = e->>4;
when 14 then select c.version, c.customer_id into head_version, head_customer from "credential" c where c.platform_id = p and c.id = e->>4;
when 15 then select c.version, c.customer_id into head_version, head_customer from "otp_challenge" c where c.platform_id = p and c.id = e->>4;
when 16 then select c.version, c.customer_id into head_version, head_customer from "session" c where c.platform_id = p and c.id = e->>4;
when 17 then select c.version, c.customer_id into head_version, head_customer from "signed_request" c where c.platform_id = p and c.id = e->>4;
when 18 then select c.version, c.customer_id into head_version, head_customer from "audit_record" c where c.platform_id = p and c.id = e->>4;
when 19 then select c.version, c.customer_id into head_version, head_customer from "card" c where c.platform_id = p and c.id = e->>4;
when 20 then select c.version, c.customer_id into head_version, head_customer from "card_transaction" c where c.platform_id = p and c.id = e->>4;
when 21 then select c.version, c.customer_id into head_version, head_customer from "delegated_key" c where c.platform_id = p and c.id = e->>4;
end case;
      if head_version is null or (u is not null and head_customer is distinct from u) then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', (e->>2) || ' ' || (e->>4)))::text; end if;
      owner_customer := head_customer;
    end if;
    delete from unique_key k where k.key = e->>0 and k.scope = e->>1 and k.kind = e->>2 and k.id = e->>4;
    if not found then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', (e->>2) || ' ' || (e->>4)))::text; end if;
  end loop;
  for e in select v from jsonb_array_elements(x->'k') v loop
    
    if (e->>5)::boolean then owner_customer := e->>6; else
      case (e->>3)::int
when 0 then select c.version, c.customer_id into head_version, head_customer from "platform" c where c.platform_id = p and c.id = e->>4;
when 1 then select c.version, c.customer_id into head_version, head_customer from "api_token" c where c.platform_id = p and c.id = e->>4;
when 2 then select c.version, c.customer_id into head_version, head_customer from "customer" c where c.platform_id = p and c.id = e->>4;
when 3 then select c.version, c.customer_id into head_version, head_customer from "beneficial_owner" c where c.platform_id = p and c.id = e->>4;
when 4 then select c.version, c.customer_id into head_version, head_customer from "verification" c where c.platform_id = p and c.id = e->>4;
when 5 then select c.version, c.customer_id into head_version, head_customer from "sca_profile" c where c.platform_id = p and c.id = e->>4;
when 6 then select c.version, c.customer_id into head_version, head_customer from "internal_account" c where c.platform_id = p and c.id = e->>4;
when 7 then select c.version, c.customer_id into head_version, head_customer from "external_account" c where c.platform_id = p and c.id = e->>4;
when 8 then select c.version, c.customer_id into head_version, head_customer from "agent" c where c.platform_id = p and c.id = e->>4;
when 9 then select c.version, c.customer_id into head_version, head_customer from "device_code" c where c.platform_id = p and c.id = e->>4;
when 10 then select c.version, c.customer_id into head_version, head_customer from "agent_action" c where c.platform_id = p and c.id = e->>4;
when 11 then select c.version, c.customer_id into head_version, head_customer from "quote" c where c.platform_id = p and c.id = e->>4;
when 12 then select c.version, c.customer_id into head_version, head_customer from "transaction" c where c.platform_id = p and c.id = e->>4;
when 13 then select c.version, c.customer_id into head_version, head_customer from "wallet" c where c.platform_id = p and c.id = e->>4;
when 14 then select c.version, c.customer_id into head_version, head_customer from "credential" c where c.platform_id = p and c.id = e->>4;
when 15 then select c.version, c.customer_id into head_version, head_customer from "otp_challenge" c where c.platform_id = p and c.id = e->>4;
when 16 then select c.version, c.customer_id into head_version, head_customer from "session" c where c.platform_id = p and c.id = e->>4;
when 17 then select c.version, c.customer_id into head_version, head_customer from "signed_request" c where c.platform_id = p and c.id = e->>4;
when 18 then select c.version, c.customer_id into head_version, head_customer from "audit_record" c where c.platform_id = p and c.id = e->>4;
when 19 then select c.version, c.customer_id into head_version, head_customer from "card" c where c.platform_id = p and c.id = e->>4;
when 20 then select c.version, c.customer_id into head_version, head_customer from "card_transaction" c where c.platform_id = p and c.id = e->>4;
when 21 then select c.version, c.customer_id into head_version, head_customer from "delegated_key" c where c.platform_id = p and c.id = e->>4;
end case;
      if head_version is null or (u is not null and head_customer is distinct from u) then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', (e->>2) || ' ' || (e->>4)))::text; end if;
      owner_customer := head_customer;
    end if;
    loop
      insert into unique_key (key, scope, kind, id, platform_id, customer_id)
        values (e->>0, e->>1, e->>2, e->>4, p, owner_customer) on conflict do nothing;
      exit when found;
      -- One that the record holds already is held fast: somebody may be giving it back.
      perform 1 from unique_key k where k.key = e->>0 and k.scope = e->>1 and k.kind = e->>2 and k.id = e->>4 for key share;
      exit when found;
      if exists (select from unique_key k where k.key = e->>0 and k.scope = e->>1) then
        raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Taken', 'claim', jsonb_build_object('scope', case e->>1 when '' then 'global' else 'platform' end, 'key', e->>0)))::text;
      end if;
    end loop;
  end loop;
      
  if x ? 'la' then
    insert into ledger_account (owner_id, platform_id, id, currency, floor, customer_id)
      select coalesce(v->>3, p), p, v->>0, v->>1, (v->>2)::bigint, v->>3 from jsonb_array_elements(x->'la') v order by (v->>0) collate "C" on conflict do nothing;
    for r in select v->>0 id from jsonb_array_elements(x->'la') v where not exists (select from ledger_account a where a.id = v->>0 and a.platform_id = p
        and a.customer_id is not distinct from v->>3 and a.currency = v->>1 and a.floor is not distinct from (v->>2)::bigint) loop
      raise exception '%', 'change set: ' || 'ledger account ' || r.id || ' is open with other properties' using errcode = 'CS001';
    end loop;
  end if;
  if x ? 'ta' or x ? 'as' then
    violated := null;
    perform 1 from ledger_account a where a.platform_id = p and a.id = any (array(
      select v->>0 from jsonb_array_elements(coalesce(x->'ta', '[]') || coalesce(x->'as', '[]')) v)) order by a.id for no key update;
    for r in select v.v->>0 id, (v.v->>1)::numeric total, v.v->>3 currency, a.id found, a.customer_id, a.currency own, a.floor, a.balance
        from jsonb_array_elements(x->'ta') with ordinality v(v, o) left join ledger_account a on a.platform_id = coalesce(v.v->>'', p) and a.id = v.v->>0 order by v.o loop
      if r.found is null then raise exception '%', 'change set: ' || 'ledger account ' || r.id || ' is not open' using errcode = 'CS001'; end if;
      if u is not null and r.customer_id is distinct from u then raise exception '%', 'change set: ' || 'ledger account ' || r.id || ' belongs to another tenant' using errcode = 'CS001'; end if;
      if r.own is distinct from r.currency then raise exception '%', 'change set: ' || 'another currency moved on ledger account ' || r.id using errcode = 'CS001'; end if;
      if violated is null and r.total < 0 and r.balance + r.total < r.floor then violated := jsonb_build_object('_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Floor', 'account', r.id));
      elsif violated is null and abs(r.balance + r.total) > 9007199254740991 then violated := jsonb_build_object('_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Range', 'account', r.id)); end if;
    end loop;
    for r in select v->>0 id from jsonb_array_elements(x->'as') with ordinality v(v, o) left join ledger_account a
        on a.platform_id = coalesce(v->>'', p) and a.id = v->>0 and (u is null or a.customer_id = u) where coalesce(a.sequence, 0) <> (v->>1)::bigint order by o limit 1 loop
      raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', 'ledger account ' || r.id))::text;
    end loop;
    if violated is not null then raise exception 'refused' using errcode = 'CS003', detail = (violated)::text; end if;
    update ledger_account a set balance = a.balance + d.total, sequence = a.sequence + d.n
      from (select coalesce(v->>'', p) p, v->>0 id, (v->>1)::bigint total, (v->>2)::int n from jsonb_array_elements(x->'ta') v) d where a.platform_id = d.p and a.id = d.id;
    insert into ledger_entry (owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at)
      select a.owner_id, p, a.id, a.sequence - (v->>3)::int, (v->>1)::bigint, a.balance - (v->>2)::numeric, v->>4, x->>'o', (v->>5)::int, t
      from jsonb_array_elements(x->'lt') v join ledger_account a on a.platform_id = coalesce(v->>'', p) and a.id = v->>0;
  end if;
      
  if x ? 'ct' then
    insert into counter (owner_id, platform_id, key, value) select coalesce(v->>2, p), p, v->>0, 0 from jsonb_array_elements(x->'ct') v
      where not exists (select from counter c where c.platform_id = coalesce(v->>'', p) and c.key = v->>0) order by (v->>0) collate "C" on conflict do nothing;
    perform 1 from counter c where c.platform_id = p and c.key = any (array(select v->>0 from jsonb_array_elements(x->'ct') v)) order by c.key for no key update;
    violated := null; wrong := null;
    for r in select v.v->>0 key, (v.v->>1)::numeric prefix, (v.v->>2)::numeric most, (v.v->>3)::numeric expected, c.value
        from jsonb_array_elements(x->'c') with ordinality v(v, o) join counter c on c.platform_id = coalesce(v.v->>'', p) and c.key = v.v->>0 order by v.o loop
      if r.expected <> r.value then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', 'counter ' || r.key))::text; end if;
      continue when violated is not null or wrong is not null;
      if r.value + r.prefix > r.most then
        violated := jsonb_build_object('_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Counter', 'key', r.key));
      elsif r.value + r.prefix < 0 then wrong := 'counter ' || r.key || ' gives back more than was taken'; end if;
    end loop;
    if violated is not null then raise exception 'refused' using errcode = 'CS003', detail = (violated)::text; end if;
    if wrong is not null then raise exception '%', 'change set: ' || wrong using errcode = 'CS001'; end if;
    update counter c set value = c.value + d.total from (select coalesce(v->>'', p) p, v->>0 key, (v->>1)::bigint total from jsonb_array_elements(x->'ct') v) d
      where c.platform_id = d.p and c.key = d.key and d.total <> 0;
  end if;
      
  select concat_ws(',',
    (select string_agg(concat(coalesce(a.balance, 0), ',', coalesce(a.sequence, 0)), ',' order by o) from jsonb_array_elements(x->'ob') with ordinality v(v, o)
      left join ledger_account a on a.platform_id = coalesce(v.v->>'', p) and a.id = v.v#>>'{}' and (u is null or a.customer_id = u)),
    (select string_agg(c.value::text, ',' order by o) from jsonb_array_elements(x->'ct') with ordinality v(v, o)
      join counter c on c.platform_id = coalesce(v.v->>'', p) and c.key = v.v->>0)) into sums;
      
  if x ? 'j' then
    with ins as (insert into job (owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds)
      select coalesce(v->>3, p), p, v->>0, v->>1, v->>2, v->>3, v->>4, (v->>5)::bigint, (v->>6)::bigint, (v->>7)::json,
        v->>4 is null or (row_number() over (partition by v->>1, v->>4 order by o) = 1 and ((v->>8)::boolean or (select true from job j
          where j.platform_id = p and j.queue = v->>1 and j.lane = v->>4 and j.holds limit 1) is null)), v->>4 is not null
      from jsonb_array_elements(x->'j') with ordinality v(v, o) order by o on conflict do nothing returning id)
    select v->>0 into missing from jsonb_array_elements(x->'j') with ordinality v(v, o) where v->>0 not in (select ins.id from ins) order by o limit 1;
    if found then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || missing))::text; end if;
    touched := touched || array(select distinct v->>1 from jsonb_array_elements(x->'j') v);
  end if;
      
  if x ? 'e' then
    with ins as (insert into event (owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums)
      select coalesce(v->>2, p), p, v->>0, v->>1, v->>2, v->>3, (v->>4)::json, t, t + 2592000000, (v->>5)::json, case when v->>5 is not null then sums end
      from jsonb_array_elements(x->'e') v on conflict do nothing returning id)
    select v->>0 into missing from jsonb_array_elements(x->'e') with ordinality v(v, o) where v->>0 not in (select ins.id from ins) order by o limit 1;
    if found then raise exception 'refused' using errcode = 'CS003', detail = (jsonb_build_object('_tag', 'Conflict', 'on', 'event ' || missing))::text; end if;
  end if;
      
  if x ? 'y' then
    insert into replay as y (platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at)
      values (p, x->'y'->>0, x->'y'->>1, (x->'y'->>2)::int, (x->'y'->>3)::json, x->>'o', (x->'y'->>5)::json, case when x->'y'->>5 is not null then sums end, (x->'y'->>4)::bigint)
      on conflict (platform_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
        operation_id = excluded.operation_id, shown = excluded.shown, sums = excluded.sums, expires_at = excluded.expires_at;
  else
    insert into operation (owner_id, platform_id, id, sums, expires_at) values (x->>'h', p, x->>'o', sums, (x->>'x')::bigint);
  end if;
      outcomes := outcomes || jsonb_build_object('_tag', 'Committed', 'sums', sums, 'queues', to_jsonb(touched));
    exception when sqlstate 'CS003' then
      get stacked diagnostics refusal = pg_exception_detail;
      outcomes := outcomes || refusal::jsonb;
    end;
  end loop;
  return array_to_json(outcomes)::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.forget_b0984a6051b7(wall bigint, business bigint, most integer)
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
declare gone int; more int; told int;
begin
  delete from operation o where (o.owner_id, o.id) in (select d.owner_id, d.id from operation d where d.expires_at <= wall order by d.expires_at limit most for update skip locked);
  get diagnostics gone = row_count;
  delete from replay y where (y.platform_id, y.key) in (select d.platform_id, d.key from replay d where d.expires_at <= wall order by d.expires_at limit most for update skip locked);
  get diagnostics more = row_count;
  delete from event v where (v.owner_id, v.id) in (select d.owner_id, d.id from event d where d.expires_at <= business
    and not exists (select from job j where j.platform_id = d.platform_id and j.queue = 'webhook' and j.lane = 'event:' || d.subject)
    order by d.expires_at limit most for update skip locked);
  get diagnostics told = row_count;
  return (gone + more + told)::text;
end $function$;

CREATE OR REPLACE FUNCTION countersign.open_lane_b0984a6051b7(q text, p text, l text, after bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update job j set open = true where j.platform_id = p and j.queue = q and j.lane = l and j.sequence > after and not j.open
    and j.sequence <= coalesce((select h.sequence from job h where h.platform_id = p and h.queue = q and h.lane = l and h.sequence > after and h.holds
      order by h.sequence limit 1), 9223372036854775807);
end $function$;

CREATE OR REPLACE FUNCTION countersign.read_points_b0984a6051b7(asked jsonb)
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
  kinds constant text[] := array['Platform', 'ApiToken', 'Customer', 'BeneficialOwner', 'Verification', 'ScaProfile', 'InternalAccount', 'ExternalAccount', 'Agent', 'DeviceCode', 'AgentAction', 'Quote', 'Transaction', 'Wallet', 'Credential', 'OtpChallenge', 'Session', 'SignedRequest', 'AuditRecord', 'Card', 'CardTransaction', 'DelegatedKey'];
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
    case k 
  when 0 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "platform" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 1 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "api_token" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 2 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "customer" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 3 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "beneficial_owner" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 4 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "verification" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 5 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "sca_profile" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 6 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "internal_account" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 7 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "external_account" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 8 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "agent" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 9 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "device_code" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 10 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "agent_action" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 11 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "quote" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 12 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "transaction" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 13 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "wallet" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 14 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "credential" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 15 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "otp_challenge" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 16 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "session" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 17 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "signed_request" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 18 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "audit_record" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 19 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "card" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 20 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "card_transaction" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
  when 21 then select json_agg(json_build_array(e->0, c.id, c.platform_id, c.customer_id, c.version, c.created_at, c.updated_at, c.data))::text
    into part from jsonb_array_elements(w) e join "delegated_key" c on c.id = e->>3 and c.platform_id = e->>1 and (e->>2 is null or c.customer_id = e->>2);
    end case;
    if part is not null then records := concat_ws(',', records, concat('[', k, ',', part, ']')); end if;
  end loop;
  if asked ? 'balances' then
    select json_agg(json_build_array(e->0, a.id, a.balance, a.sequence))::text into balances
      from jsonb_array_elements(asked->'balances') e join ledger_account a on a.id = e->>3 and a.platform_id = e->>1 and (e->>2 is null or a.customer_id = e->>2);
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
      from jsonb_array_elements(asked->'events') e join event v on v.id = e->>3 and v.platform_id = e->>1 and (e->>2 is null or v.customer_id = e->>2);
  end if;
  return concat('{"ahead":', coalesce((select t.ahead_millis from countersign.business_time t), 0), ',"records":[', records, '],"balances":', coalesce(balances, '[]'), ',"counters":', coalesce(counters, '[]'),
    ',"replays":', coalesce(replays, '[]'), ',"events":', coalesce(events, '[]'), '}');
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

-- Rows

insert into countersign."agent" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, is_paused, is_connected, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."agent", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","version":2,"created_at":1795262400000,"updated_at":1795262400000,"is_paused":false,"is_connected":true,"is_deleted":false,"data":{"name":"Payroll","isPaused":false,"isConnected":true,"isDeleted":false,"policy":{"permissions":["CREATE_TRANSFERS","VIEW_TRANSACTIONS"],"defaultExecutionMode":"AUTO","spendingLimits":{"currency":"USD","perTransactionLimit":100000},"approvalThresholds":{"currency":"USD","amount":1000}},"recastCount":0,"recasts":[],"tokenHash":"b0bf55b7a78e196e4c90ab84db205b083591c3a762fe04c8396d778e3cbd34ef"}}');

insert into countersign."agent_action" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, coalesce(data, 'null') from json_populate_record(null::countersign."agent_action", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"AgentAction:01a1fdfa-4600-7169-a545-99a7d83bb58a","version":1,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","status":"APPROVED","type":"TRANSFER_IN","data":{"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"APPROVED","type":"TRANSFER_IN","charges":[{"period":"2026-11-21","budget":"USD.0","amount":300},{"period":"2026-11","budget":"USD.0","amount":300}],"transferDetails":{"amount":300,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"transactionId":"Transaction:01a1fdfa-4600-716a-89ee-564d8e462b2d"}}');

insert into countersign."agent_action" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, coalesce(data, 'null') from json_populate_record(null::countersign."agent_action", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"AgentAction:01a1fdfa-4600-73b8-8d12-767881b03564","version":2,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","status":"FAILED","type":"TRANSFER_IN","data":{"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"FAILED","type":"TRANSFER_IN","charges":[],"transferDetails":{"amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"transactionId":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","explanation":{"rule":"TRANSACTION_FAILED","message":"The transaction failed.","reason":"INSUFFICIENT_FUNDS"}}}');

insert into countersign."agent_action" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, coalesce(data, 'null') from json_populate_record(null::countersign."agent_action", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"AgentAction:01a1fdfa-4600-74ee-ab28-2ee42fc5b453","version":1,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","status":"PENDING_APPROVAL","type":"TRANSFER_IN","data":{"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"PENDING_APPROVAL","type":"TRANSFER_IN","charges":[],"transferDetails":{"amount":2000,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"explanation":{"rule":"APPROVAL_THRESHOLD","message":"The amount is above the approval threshold.","currency":"USD","threshold":1000,"amount":2000}}}');

insert into countersign."agent_action" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, coalesce(data, 'null') from json_populate_record(null::countersign."agent_action", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"AgentAction:01a1fdfa-4600-77bb-a729-9295b55c5329","version":1,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","status":"APPROVED","type":"TRANSFER_IN","data":{"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"APPROVED","type":"TRANSFER_IN","charges":[{"period":"2026-11-21","budget":"USD.0","amount":100},{"period":"2026-11","budget":"USD.0","amount":100}],"transferDetails":{"amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"transactionId":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53"}}');

insert into countersign."api_token" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, name, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."api_token", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"Token:01a1fdfa-4600-75c3-9456-c1637a1c4100","version":1,"created_at":1795262400000,"updated_at":1795262400000,"name":"Test platform","is_deleted":false,"data":{"name":"Test platform","clientId":"client_test","secretHash":"e810d7b45867f6973b9e0130f0b9f85d87a7dd8de27df1582126f04715f6d891","permissions":["VIEW","TRANSACT","MANAGE"],"isDeleted":false}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"AuditRecord:01a1fdfa-4600-72c3-9e45-aa3cfc020156","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":null,"operation":"AGENT_CREATE","target":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","outcome":"DONE","data":{"actor":{"type":"SERVICE"},"operation":"AGENT_CREATE","target":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","outcome":"DONE","details":{}}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"AuditRecord:01a1fdfa-4600-735c-9c32-008627999426","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","operation":"DEVICE_CODE_REDEEM","target":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","outcome":"DONE","data":{"actor":{"type":"AGENT","id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3"},"operation":"DEVICE_CODE_REDEEM","target":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","outcome":"DONE","details":{}}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"AuditRecord:01a1fdfa-4600-74f1-848f-2b106e1105b4","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","operation":"AGENT_ACTION_SUBMIT","target":"AgentAction:01a1fdfa-4600-74ee-ab28-2ee42fc5b453","outcome":"HELD","data":{"actor":{"type":"AGENT","id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3"},"operation":"AGENT_ACTION_SUBMIT","target":"AgentAction:01a1fdfa-4600-74ee-ab28-2ee42fc5b453","outcome":"HELD","details":{"rule":"APPROVAL_THRESHOLD","message":"The amount is above the approval threshold.","currency":"USD","threshold":1000,"amount":2000}}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"AuditRecord:01a1fdfa-4600-774c-90e3-a6e4730c6d8b","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","operation":"AGENT_ACTION_SUBMIT","target":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","outcome":"REFUSED","data":{"actor":{"type":"AGENT","id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3"},"operation":"AGENT_ACTION_SUBMIT","target":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","outcome":"REFUSED","details":{"type":"TRANSFER_IN","amount":1000000,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","rule":"PER_TRANSACTION_LIMIT","reason":"LIMIT_EXCEEDED","limit":"perTransactionLimit","value":100000}}}');

insert into countersign."audit_record" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, actor_id, operation, target, outcome, coalesce(data, 'null') from json_populate_record(null::countersign."audit_record", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"AuditRecord:01a1fdfa-4600-75c4-96b3-b1cf6648eb9a","version":1,"created_at":1795262400000,"updated_at":1795262400000,"actor_id":null,"operation":"TOKEN_CREATE","target":"Token:01a1fdfa-4600-75c3-9456-c1637a1c4100","outcome":"DONE","data":{"actor":{"type":"SERVICE"},"operation":"TOKEN_CREATE","target":"Token:01a1fdfa-4600-75c3-9456-c1637a1c4100","outcome":"DONE","details":{}}}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3/count/2026-11-21","value":3}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3/spend/2026-11-21/USD.0","value":400}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3/spend/2026-11/USD.0","value":400}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"attached:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","value":13}');

insert into countersign."counter" overriding system value select owner_id, platform_id, key, value from json_populate_record(null::countersign."counter", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"kept:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","value":1}');

insert into countersign."customer" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, platform_customer_id, customer_type, uma_address, region, currencies, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."customer", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","version":1,"created_at":1795262400000,"updated_at":1795262400000,"platform_customer_id":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","customer_type":"INDIVIDUAL","uma_address":"$01a1fdfa-4600-702b-b01d-f70c8bacbde3@eba69c06a2b1.uma.sandbox.example","region":null,"currencies":["USD", "EUR", "GBP", "MXN", "BRL", "INR", "USDC", "BTC", "USDB"],"is_deleted":false,"data":{"platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","customerType":"INDIVIDUAL","checkStatus":"APPROVED","umaAddress":"$01a1fdfa-4600-702b-b01d-f70c8bacbde3@eba69c06a2b1.uma.sandbox.example","currencies":["USD","EUR","GBP","MXN","BRL","INR","USDC","BTC","USDB"],"isDeleted":false,"fullName":"Ada Lovelace"}}');

insert into countersign."device_code" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, coalesce(data, 'null') from json_populate_record(null::countersign."device_code", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"DeviceCode:01a1fdfa-4600-72c2-b593-ae56e94f0bb2","version":2,"created_at":1795262400000,"updated_at":1795262400000,"agent_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","status":"REDEEMED","data":{"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","codeHash":"493b2e00836008137b8c1dd44f11ac682f6e70e40d215c03f6fe292dc2a1aeed","expiresAt":1795348800000,"status":"REDEEMED"}}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Webhook:01a1fdfa-4600-7073-bfef-64a433adfdcc","type":"INCOMING_PAYMENT.FAILED","subject":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","data":{"body":{"id":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","type":"INCOMING","status":"FAILED","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","currency":"USD"},"receivedAmount":{"amount":200,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"failureReason":"COLLECTION_FAILED","direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","reconciliationInstructions":{"reference":"P54BFD71A0600"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Webhook:01a1fdfa-4600-716b-b287-2bc70b2bae05","type":"INCOMING_PAYMENT.PENDING","subject":"Transaction:01a1fdfa-4600-716a-89ee-564d8e462b2d","data":{"body":{"id":"Transaction:01a1fdfa-4600-716a-89ee-564d8e462b2d","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","currency":"USD"},"receivedAmount":{"amount":300,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","reconciliationInstructions":{"reference":"P564D8E462B2D"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Webhook:01a1fdfa-4600-73a3-a3af-771e8a4c087e","type":"CUSTOMER.KYC_APPROVED","subject":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","data":{"body":{"id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","customerType":"INDIVIDUAL","kycStatus":"APPROVED","fullName":"Ada Lovelace","currencies":["USD","EUR","GBP","MXN","BRL","INR","USDC","BTC","USDB"],"umaAddress":"$01a1fdfa-4600-702b-b01d-f70c8bacbde3@eba69c06a2b1.uma.sandbox.example","isDeleted":false,"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Webhook:01a1fdfa-4600-73ba-a063-4c737aaad650","type":"INCOMING_PAYMENT.PENDING","subject":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","data":{"body":{"id":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","currency":"USD"},"receivedAmount":{"amount":200,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","reconciliationInstructions":{"reference":"P54BFD71A0600"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Webhook:01a1fdfa-4600-74e5-a474-5ad3faa0d1d8","type":"INCOMING_PAYMENT.COMPLETED","subject":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","data":{"body":{"id":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","type":"INCOMING","status":"COMPLETED","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","currency":"USD"},"receivedAmount":{"amount":100,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","reconciliationInstructions":{"reference":"PC67ADE6A6A53"},"settledAt":"2026-11-21T12:00:00Z","createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Webhook:01a1fdfa-4600-74e7-a4a1-3a54173d1eeb","type":"INTERNAL_ACCOUNT.BALANCE_UPDATED","subject":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","data":{"body":{"id":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","type":"INTERNAL_FIAT","status":"ACTIVE","balance":{"amount":0,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"totalBalance":{"amount":0,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"fundingPaymentInstructions":[],"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[{"path":["balance","amount"],"balances":["available:InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"]},{"path":["totalBalance","amount"],"balances":["available:InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","held:InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"]}]},"shown":{"balances":["outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USD","available:InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","held:InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"],"counters":["kept:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"]},"sums":"-100,1,100,1,0,0,1","created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Webhook:01a1fdfa-4600-74ef-99a8-7168bb1e6633","type":"AGENT_ACTION.PENDING_APPROVAL","subject":"AgentAction:01a1fdfa-4600-74ee-ab28-2ee42fc5b453","data":{"body":{"id":"AgentAction:01a1fdfa-4600-74ee-ab28-2ee42fc5b453","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"PENDING_APPROVAL","type":"TRANSFER_IN","transferDetails":{"amount":2000,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"details":{"rule":"APPROVAL_THRESHOLD","message":"The amount is above the approval threshold.","currency":"USD","threshold":1000,"amount":2000},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."event" overriding system value select owner_id, platform_id, customer_id, id, type, subject, coalesce(data, 'null'), shown, sums, created_at, expires_at from json_populate_record(null::countersign."event", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Webhook:01a1fdfa-4600-77bd-9928-2589d3f6ec38","type":"INCOMING_PAYMENT.PENDING","subject":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","data":{"body":{"id":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","currency":"USD"},"receivedAmount":{"amount":100,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","reconciliationInstructions":{"reference":"PC67ADE6A6A53"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"shown":null,"sums":null,"created_at":1795262400000,"expires_at":1797854400000}');

insert into countersign."external_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, status, is_default_uma_deposit, is_of_platform, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."external_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USD","status":"ACTIVE","is_default_uma_deposit":false,"is_of_platform":false,"is_deleted":false,"data":{"currency":"USD","accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345002","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"status":"ACTIVE","defaultUmaDepositAccount":false,"isDeleted":false,"beneficiaryVerificationStatus":"MATCHED"}}');

insert into countersign."external_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, status, is_default_uma_deposit, is_of_platform, is_deleted, coalesce(data, 'null') from json_populate_record(null::countersign."external_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USD","status":"ACTIVE","is_default_uma_deposit":false,"is_of_platform":false,"is_deleted":false,"data":{"currency":"USD","accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"status":"ACTIVE","defaultUmaDepositAccount":false,"isDeleted":false,"beneficiaryVerificationStatus":"MATCHED"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USD","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"USD"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-739a-8b69-34dce538ebf2","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"EUR","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"EUR"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-739b-b15f-f021d16fde9c","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"GBP","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"GBP"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-739c-981f-c547bcd9c1cd","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"MXN","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"MXN"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-739d-80c9-6bd4e839c662","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"BRL","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"BRL"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-739e-992b-3a1e3c5a6cf6","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"INR","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"INR"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-739f-adc9-515040bbc9e6","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDC","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"USDC"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-73a0-97c6-af9e9cef3ad5","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"BTC","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"BTC"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-73a1-86d0-19bd2fce20f0","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDB","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":false,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"USDB"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"InternalAccount:01a1fdfa-4600-73a2-aa4f-3c15a71737b8","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDB","type":"EMBEDDED_WALLET","status":"ACTIVE","is_platform":false,"data":{"type":"EMBEDDED_WALLET","status":"ACTIVE","currency":"USDB"}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75c5-a996-c2650eed122d","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USD","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"USD","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75c6-96c0-26bb73e20569","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"EUR","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"EUR","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75c7-83b0-96ac4be1cc16","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"GBP","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"GBP","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75c8-a6c6-13cf5e8581cd","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"MXN","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"MXN","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75c9-835c-6153f13df2a9","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"BRL","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"BRL","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75ca-ba6e-bb4a7074d146","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"INR","type":"INTERNAL_FIAT","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_FIAT","status":"ACTIVE","currency":"INR","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75cb-af4e-9ba0af784592","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDC","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"USDC","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75cc-a643-83e1ce966a45","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"BTC","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"BTC","isPlatform":true}}');

insert into countersign."internal_account" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, currency, type, status, is_platform, coalesce(data, 'null') from json_populate_record(null::countersign."internal_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"InternalAccount:01a1fdfa-4600-75cd-9c8a-40e457a20e01","version":1,"created_at":1795262400000,"updated_at":1795262400000,"currency":"USDB","type":"INTERNAL_CRYPTO","status":"ACTIVE","is_platform":true,"data":{"type":"INTERNAL_CRYPTO","status":"ACTIVE","currency":"USDB","isPlatform":true}}');

insert into countersign."job" overriding system value select owner_id, platform_id, customer_id, id, sequence, queue, kind, lane, lane_hold_millis, due_at, coalesce(payload, 'null'), state, attempt, not_before, first_claimed_at, worker, error, open, holds, holds_until from json_populate_record(null::countersign."job", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Job:01a1fdfa-4600-716c-8dd6-7fa87c30dd22","sequence":10,"queue":"webhook","kind":"webhook.deliver","lane":"event:Transaction:01a1fdfa-4600-716a-89ee-564d8e462b2d","lane_hold_millis":30000,"due_at":1795262400000,"payload":{"eventId":"Webhook:01a1fdfa-4600-716b-b287-2bc70b2bae05"},"state":"waiting","attempt":0,"not_before":0,"first_claimed_at":null,"worker":null,"error":null,"open":true,"holds":true,"holds_until":null}');

insert into countersign."job" overriding system value select owner_id, platform_id, customer_id, id, sequence, queue, kind, lane, lane_hold_millis, due_at, coalesce(payload, 'null'), state, attempt, not_before, first_claimed_at, worker, error, open, holds, holds_until from json_populate_record(null::countersign."job", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Job:01a1fdfa-4600-716d-88af-4194389bf62a","sequence":11,"queue":"work","kind":"transfer.pull","lane":"pull:Transaction:01a1fdfa-4600-716a-89ee-564d8e462b2d","lane_hold_millis":null,"due_at":1795262400000,"payload":{"transactionId":"Transaction:01a1fdfa-4600-716a-89ee-564d8e462b2d","accountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373"},"state":"waiting","attempt":0,"not_before":0,"first_claimed_at":null,"worker":null,"error":null,"open":true,"holds":true,"holds_until":null}');

insert into countersign."job" overriding system value select owner_id, platform_id, customer_id, id, sequence, queue, kind, lane, lane_hold_millis, due_at, coalesce(payload, 'null'), state, attempt, not_before, first_claimed_at, worker, error, open, holds, holds_until from json_populate_record(null::countersign."job", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Job:01a1fdfa-4600-74f0-bf5c-b268ba855fec","sequence":9,"queue":"webhook","kind":"webhook.deliver","lane":"event:AgentAction:01a1fdfa-4600-74ee-ab28-2ee42fc5b453","lane_hold_millis":30000,"due_at":1795262400000,"payload":{"eventId":"Webhook:01a1fdfa-4600-74ef-99a8-7168bb1e6633"},"state":"waiting","attempt":0,"not_before":0,"first_claimed_at":null,"worker":null,"error":null,"open":true,"holds":true,"holds_until":null}');

select setval(pg_get_serial_sequence('countersign.job', 'sequence'), (select max(sequence) from countersign."job"));

insert into countersign."job_line" overriding system value select queue, platform_id, served from json_populate_record(null::countersign."job_line", '{"queue":"webhook","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","served":6}');

insert into countersign."job_line" overriding system value select queue, platform_id, served from json_populate_record(null::countersign."job_line", '{"queue":"work","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","served":2}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD","floor":0,"balance":100,"sequence":1}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-739a-8b69-34dce538ebf2","currency":"EUR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-739b-b15f-f021d16fde9c","currency":"GBP","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-739c-981f-c547bcd9c1cd","currency":"MXN","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-739d-80c9-6bd4e839c662","currency":"BRL","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-739e-992b-3a1e3c5a6cf6","currency":"INR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-739f-adc9-515040bbc9e6","currency":"USDC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-73a0-97c6-af9e9cef3ad5","currency":"BTC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-73a1-86d0-19bd2fce20f0","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"available:InternalAccount:01a1fdfa-4600-73a2-aa4f-3c15a71737b8","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-739a-8b69-34dce538ebf2","currency":"EUR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-739b-b15f-f021d16fde9c","currency":"GBP","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-739c-981f-c547bcd9c1cd","currency":"MXN","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-739d-80c9-6bd4e839c662","currency":"BRL","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-739e-992b-3a1e3c5a6cf6","currency":"INR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-739f-adc9-515040bbc9e6","currency":"USDC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-73a0-97c6-af9e9cef3ad5","currency":"BTC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-73a1-86d0-19bd2fce20f0","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"held:InternalAccount:01a1fdfa-4600-73a2-aa4f-3c15a71737b8","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:BRL","currency":"BRL","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:BTC","currency":"BTC","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:EUR","currency":"EUR","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:GBP","currency":"GBP","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:INR","currency":"INR","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:MXN","currency":"MXN","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USD","currency":"USD","floor":null,"balance":-100,"sequence":1}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USDB","currency":"USDB","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USDC","currency":"USDC","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75c5-a996-c2650eed122d","currency":"USD","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75c6-96c0-26bb73e20569","currency":"EUR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75c7-83b0-96ac4be1cc16","currency":"GBP","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75c8-a6c6-13cf5e8581cd","currency":"MXN","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75c9-835c-6153f13df2a9","currency":"BRL","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75ca-ba6e-bb4a7074d146","currency":"INR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75cb-af4e-9ba0af784592","currency":"USDC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75cc-a643-83e1ce966a45","currency":"BTC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"available:InternalAccount:01a1fdfa-4600-75cd-9c8a-40e457a20e01","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75c5-a996-c2650eed122d","currency":"USD","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75c6-96c0-26bb73e20569","currency":"EUR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75c7-83b0-96ac4be1cc16","currency":"GBP","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75c8-a6c6-13cf5e8581cd","currency":"MXN","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75c9-835c-6153f13df2a9","currency":"BRL","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75ca-ba6e-bb4a7074d146","currency":"INR","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75cb-af4e-9ba0af784592","currency":"USDC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75cc-a643-83e1ce966a45","currency":"BTC","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"held:InternalAccount:01a1fdfa-4600-75cd-9c8a-40e457a20e01","currency":"USDB","floor":0,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:BRL","currency":"BRL","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:BTC","currency":"BTC","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:EUR","currency":"EUR","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:GBP","currency":"GBP","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:INR","currency":"INR","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:MXN","currency":"MXN","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:USD","currency":"USD","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:USDB","currency":"USDB","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_account" overriding system value select owner_id, platform_id, customer_id, id, currency, floor, balance, sequence from json_populate_record(null::countersign."ledger_account", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"outside:PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1:USDC","currency":"USDC","floor":null,"balance":0,"sequence":0}');

insert into countersign."ledger_entry" overriding system value select owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at from json_populate_record(null::countersign."ledger_entry", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","account_id":"available:InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","sequence":1,"amount":100,"balance_after":100,"reference":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","operation_id":"01a1fdfa-4600-74e4-91a8-3ef6db3eb414","transfer":0,"at":1795262400000}');

insert into countersign."ledger_entry" overriding system value select owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at from json_populate_record(null::countersign."ledger_entry", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","account_id":"outside:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USD","sequence":1,"amount":-100,"balance_after":-100,"reference":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","operation_id":"01a1fdfa-4600-74e4-91a8-3ef6db3eb414","transfer":0,"at":1795262400000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-7072-9813-493b94379437","sums":"0,100,100","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-71eb-97aa-3eb6ca4b721d","sums":"12","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-7266-8ee9-d8fc4b8c5e8b","sums":"11","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-72c0-8c7b-655aefd22cd5","sums":"13","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-735b-bc19-a3e3c6dcb4a9","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-7398-8766-bab76c7e46e9","sums":"10","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-74e4-91a8-3ef6db3eb414","sums":"-100,1,100,1,0,0,1","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-7210-ab34-0ccaaa94d48b","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-7240-b247-0b75e97f9071","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-7268-9c99-af168b7f335a","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-738e-954a-e33aef222733","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-75c2-b0dc-a8cf27945cb3","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-7652-ae00-42c7917b654b","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-76df-b1ea-fe5251b5e892","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-7771-894e-41441b749d4a","sums":"","expires_at":1795953600000}');

insert into countersign."operation" overriding system value select owner_id, platform_id, id, sums, expires_at from json_populate_record(null::countersign."operation", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","id":"01a1fdfa-4600-77d4-be97-8dc619b7655f","sums":"","expires_at":1795953600000}');

insert into countersign."platform" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."platform", '{"owner_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null,"id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"name":"Test platform","umaDomain":"eba69c06a2b1.uma.sandbox.example","supportedCurrencies":[{"currencyCode":"USD","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"EUR","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"GBP","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"MXN","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"BRL","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"INR","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"USDC","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"BTC","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]},{"currencyCode":"USDB","minAmount":1,"maxAmount":10000000000,"requiredCounterpartyFields":[],"enabledTransactionTypes":["INCOMING","OUTGOING"]}],"isRegulatedFinancialInstitution":true,"webhookEndpoint":"https://platform.example/hooks"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","kind":"Agent","id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"name":"Payroll","isPaused":false,"isConnected":false,"isDeleted":false,"policy":{"permissions":["CREATE_TRANSFERS","VIEW_TRANSACTIONS"],"defaultExecutionMode":"AUTO","spendingLimits":{"currency":"USD","perTransactionLimit":100000},"approvalThresholds":{"currency":"USD","amount":1000}},"recastCount":0,"recasts":[]}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","kind":"AgentAction","id":"AgentAction:01a1fdfa-4600-73b8-8d12-767881b03564","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"APPROVED","type":"TRANSFER_IN","charges":[{"period":"2026-11-21","budget":"USD.0","amount":200},{"period":"2026-11","budget":"USD.0","amount":200}],"transferDetails":{"amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"transactionId":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","kind":"DeviceCode","id":"DeviceCode:01a1fdfa-4600-72c2-b593-ae56e94f0bb2","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","codeHash":"493b2e00836008137b8c1dd44f11ac682f6e70e40d215c03f6fe292dc2a1aeed","expiresAt":1795348800000,"status":"ISSUED"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","kind":"Transaction","id":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"P54BFD71A0600","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345002","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","actionId":"AgentAction:01a1fdfa-4600-73b8-8d12-767881b03564"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","kind":"Transaction","id":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","version":2,"created_at":1795262400000,"updated_at":1795262400000,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"P54BFD71A0600","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345002","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","actionId":"AgentAction:01a1fdfa-4600-73b8-8d12-767881b03564","submittedAt":1795262400000}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","kind":"Transaction","id":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","version":1,"created_at":1795262400000,"updated_at":1795262400000,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"PC67ADE6A6A53","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","actionId":"AgentAction:01a1fdfa-4600-77bb-a729-9295b55c5329"}}');

insert into countersign."record_history" overriding system value select owner_id, platform_id, customer_id, kind, id, version, created_at, updated_at, coalesce(data, 'null') from json_populate_record(null::countersign."record_history", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","kind":"Transaction","id":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","version":2,"created_at":1795262400000,"updated_at":1795262400000,"data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"PC67ADE6A6A53","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","actionId":"AgentAction:01a1fdfa-4600-77bb-a729-9295b55c5329","submittedAt":1795262400000}}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"019c029f1524bd00880bd5165a8cc74e345d73429b1edd08d1dd6a8c0891e801","fingerprint":"fba1d5ba2b7f03f1ec44066b0dbf8d3757e01fbfeac0fb5f9aaffcf15889e33f","status":201,"answer":{"body":{"id":"AgentAction:01a1fdfa-4600-73b8-8d12-767881b03564","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"APPROVED","type":"TRANSFER_IN","transferDetails":{"amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"transaction":{"id":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","currency":"USD"},"receivedAmount":{"amount":200,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","reconciliationInstructions":{"reference":"P54BFD71A0600"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"operation_id":"01a1fdfa-4600-73b7-b7f7-767accdb92a6","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"2c4c3fdac9e57956325c95d14cc479dc0873dc06e6d376841de6b90e66304dde","fingerprint":"480e016021dd15baf800e9dd66cd254ab28275747fa1efe3fad81fcff3d9d180","status":201,"answer":{"body":{"id":"AgentAction:01a1fdfa-4600-74ee-ab28-2ee42fc5b453","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"PENDING_APPROVAL","type":"TRANSFER_IN","transferDetails":{"amount":2000,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"details":{"rule":"APPROVAL_THRESHOLD","message":"The amount is above the approval threshold.","currency":"USD","threshold":1000,"amount":2000},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"operation_id":"01a1fdfa-4600-74ed-92ca-dc28004b9575","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"4dfec719b94523a9c33875bdb4e20a7cfee52d9a9ce21839f6de04c528c3bb50","fingerprint":"afda4022633eddceeba9146776484129c2a23c96f5af6a32e7b69708cf3d51df","status":403,"answer":{"body":{"status":403,"code":"FORBIDDEN","message":"The action would pass the agent''s limit of one action.","details":{"rule":"PER_TRANSACTION_LIMIT","reason":"LIMIT_EXCEEDED","limit":"perTransactionLimit","value":100000,"amount":1000000,"currency":"USD"}},"holes":[]},"operation_id":"01a1fdfa-4600-774b-90ef-048602332d18","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"8612f66364488f3bdc77c1e0d95290840228caca693b7bf98e701b840eae4c95","fingerprint":"dd69f21b4624b512403ea177d94ec8b5d1574eb8506d4b026ce5614f6422f35a","status":201,"answer":{"body":{"id":"AgentAction:01a1fdfa-4600-7169-a545-99a7d83bb58a","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"APPROVED","type":"TRANSFER_IN","transferDetails":{"amount":300,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"transaction":{"id":"Transaction:01a1fdfa-4600-716a-89ee-564d8e462b2d","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","currency":"USD"},"receivedAmount":{"amount":300,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","reconciliationInstructions":{"reference":"P564D8E462B2D"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"operation_id":"01a1fdfa-4600-7168-acc0-ceaa66247686","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."replay" overriding system value select platform_id, key, fingerprint, status, coalesce(answer, 'null'), operation_id, shown, sums, expires_at from json_populate_record(null::countersign."replay", '{"platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","key":"d39876d83543d158fb5634f7036ebc921f8d4878b5d8d62cd0f21ad749af94e5","fingerprint":"b35775994593133f9392b4c754eeb3ac54cd60807cfff88bb431428296ca3d6e","status":201,"answer":{"body":{"id":"AgentAction:01a1fdfa-4600-77bb-a729-9295b55c5329","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","status":"APPROVED","type":"TRANSFER_IN","transferDetails":{"amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e"},"transaction":{"id":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","type":"INCOMING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","currency":"USD"},"receivedAmount":{"amount":100,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","currency":"USD"},"customerId":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","reconciliationInstructions":{"reference":"PC67ADE6A6A53"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00Z"},"holes":[]},"operation_id":"01a1fdfa-4600-77ba-a1f8-8fcedaaa14dc","shown":null,"sums":null,"expires_at":1795348800000}');

insert into countersign."schema_version" overriding system value select version, name, checksum, applied_at from json_populate_record(null::countersign."schema_version", '{"version":1,"name":"foundation","checksum":"f81361a8dbe51d844df705daec225816b1a4205f4e75f3302822b7b0d87f2731","applied_at":"2026-11-22T17:09:26.493656+00:00"}');

insert into countersign."transaction" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, status, type, platform_customer_id, reference, source_account_id, destination_account_id, agent_id, coalesce(data, 'null') from json_populate_record(null::countersign."transaction", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Transaction:01a1fdfa-4600-716a-89ee-564d8e462b2d","version":1,"created_at":1795262400000,"updated_at":1795262400000,"status":"PENDING","type":"INCOMING","platform_customer_id":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","reference":"P564D8E462B2D","source_account_id":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destination_account_id":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","agent_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","data":{"type":"INCOMING","status":"PENDING","direction":"CREDIT","reference":"P564D8E462B2D","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","amount":300,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","actionId":"AgentAction:01a1fdfa-4600-7169-a545-99a7d83bb58a"}}');

insert into countersign."transaction" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, status, type, platform_customer_id, reference, source_account_id, destination_account_id, agent_id, coalesce(data, 'null') from json_populate_record(null::countersign."transaction", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Transaction:01a1fdfa-4600-73b9-9ca8-54bfd71a0600","version":3,"created_at":1795262400000,"updated_at":1795262400000,"status":"FAILED","type":"INCOMING","platform_customer_id":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","reference":"P54BFD71A0600","source_account_id":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","destination_account_id":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","agent_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","data":{"type":"INCOMING","status":"FAILED","direction":"CREDIT","reference":"P54BFD71A0600","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","amount":200,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345002","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","actionId":"AgentAction:01a1fdfa-4600-73b8-8d12-767881b03564","submittedAt":1795262400000,"failureReason":"COLLECTION_FAILED"}}');

insert into countersign."transaction" overriding system value select owner_id, platform_id, customer_id, id, version, created_at, updated_at, status, type, platform_customer_id, reference, source_account_id, destination_account_id, agent_id, coalesce(data, 'null') from json_populate_record(null::countersign."transaction", '{"owner_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","id":"Transaction:01a1fdfa-4600-77bc-8f21-c67ade6a6a53","version":3,"created_at":1795262400000,"updated_at":1795262400000,"status":"COMPLETED","type":"INCOMING","platform_customer_id":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","reference":"PC67ADE6A6A53","source_account_id":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destination_account_id":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","agent_id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","data":{"type":"INCOMING","status":"COMPLETED","direction":"CREDIT","reference":"PC67ADE6A6A53","platformCustomerId":"01a1fdfa-4600-702b-b01d-f70c8bacbde3","amount":100,"currency":"USD","sourceAccountId":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","destinationAccountId":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","externalAccount":{"accountInfo":{"accountType":"USD_ACCOUNT","accountNumber":"12345000","routingNumber":"021000021","beneficiary":{"beneficiaryType":"INDIVIDUAL","fullName":"Ada Lovelace","address":{"line1":"1 Main St","city":"Springfield","postalCode":"12345","country":"US"}}},"rail":"ACH"},"agentId":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","actionId":"AgentAction:01a1fdfa-4600-77bb-a729-9295b55c5329","submittedAt":1795262400000,"settledAt":1795262400000}}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"agent-token:b0bf55b7a78e196e4c90ab84db205b083591c3a762fe04c8396d778e3cbd34ef","scope":"","kind":"Agent","id":"Agent:01a1fdfa-4600-72c1-8518-2e704adcaad3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"client:client_test","scope":"","kind":"ApiToken","id":"Token:01a1fdfa-4600-75c3-9456-c1637a1c4100","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"device-code:493b2e00836008137b8c1dd44f11ac682f6e70e40d215c03f6fe292dc2a1aeed","scope":"","kind":"DeviceCode","id":"DeviceCode:01a1fdfa-4600-72c2-b593-ae56e94f0bb2","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"external-account:811f46ac77c207128d05758d24921c8e6c6762c677daba27500004f2a980f17c","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"ExternalAccount","id":"ExternalAccount:01a1fdfa-4600-7267-8101-391696a5a373","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"external-account:d993deb3a2ac84d2f7c90eaa779e55c3d3a9b2a722e2f00afe8704b7c82481a7","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"ExternalAccount","id":"ExternalAccount:01a1fdfa-4600-71ec-8671-eb3b904ec131","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:BRL:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-739d-80c9-6bd4e839c662","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:BTC:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-73a0-97c6-af9e9cef3ad5","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:EUR:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-739a-8b69-34dce538ebf2","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:GBP:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-739b-b15f-f021d16fde9c","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:INR:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-739e-992b-3a1e3c5a6cf6","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:MXN:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-739c-981f-c547bcd9c1cd","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USD:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-7399-9bd4-c224870b010e","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USDB:EMBEDDED_WALLET","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-73a2-aa4f-3c15a71737b8","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USDB:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-73a1-86d0-19bd2fce20f0","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3:USDC:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-739f-adc9-515040bbc9e6","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:BRL:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75c9-835c-6153f13df2a9","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:BTC:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75cc-a643-83e1ce966a45","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:EUR:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75c6-96c0-26bb73e20569","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:GBP:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75c7-83b0-96ac4be1cc16","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:INR:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75ca-ba6e-bb4a7074d146","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:MXN:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75c8-a6c6-13cf5e8581cd","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:USD:INTERNAL_FIAT","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75c5-a996-c2650eed122d","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:USDB:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75cd-9c8a-40e457a20e01","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"internal-account:platform:USDC:INTERNAL_CRYPTO","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"InternalAccount","id":"InternalAccount:01a1fdfa-4600-75cb-af4e-9ba0af784592","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"platformCustomerId:01a1fdfa-4600-702b-b01d-f70c8bacbde3","scope":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","kind":"Customer","id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"uma-domain:eba69c06a2b1.uma.sandbox.example","scope":"","kind":"Platform","id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":null}');

insert into countersign."unique_key" overriding system value select key, scope, kind, id, platform_id, customer_id from json_populate_record(null::countersign."unique_key", '{"key":"uma:$01a1fdfa-4600-702b-b01d-f70c8bacbde3@eba69c06a2b1.uma.sandbox.example","scope":"","kind":"Customer","id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3","platform_id":"PlatformConfig:01a1fdfa-4600-7430-be71-eba69c06a2b1","customer_id":"Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"}');

-- Triggers

CREATE TRIGGER ledger_account_lasting BEFORE DELETE OR UPDATE OF owner_id, id ON countersign.ledger_account FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse_removal();

CREATE TRIGGER ledger_entry_checked AFTER INSERT ON countersign.ledger_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION countersign.check_entries();

CREATE TRIGGER ledger_entry_immutable BEFORE DELETE OR UPDATE ON countersign.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse_change();

reset check_function_bodies;
