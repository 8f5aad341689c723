/**
 * Delegated key: lets the service sign for the embedded wallet that funds a card.
 * Source: wire contract 4.11.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { Text } from "../../foundation/kit/Text.ts"
import type { RecordOf } from "../record/Record.ts"
import { DelegatedKeyMachine } from "./DelegatedKeyMachine.ts"

/** `PENDING`: the registration is not finished, and the key cannot sign. `REVOKED`: it can never sign again. */
export const DelegatedKeyStatus = Schema.Literals(DelegatedKeyMachine.states)

/** Stored data of a delegated key: the public key only. The private key is derived from a root of the vault. */
export const DelegatedKey = Schema.Struct({
  cardId: Schema.String,
  fundingSourceId: Schema.String,
  accountId: Schema.String,
  /** Compressed point, hex. */
  publicKey: Schema.String,
  nickname: Schema.String,
  status: DelegatedKeyStatus,
  /** The root that the key comes from; absent: the store's first root. */
  rootId: Schema.optionalKey(Schema.String),
})
export type DelegatedKey = typeof DelegatedKey.Type

/** A key with which the service signs for the embedded wallet (`accountId`) that funds a card. */
export const DelegatedKeyResource = Schema.Struct({
  id: Id("DelegatedKey"),
  cardId: Id("Card"),
  fundingSourceId: Id("CardFundingSource"),
  accountId: Id("InternalAccount"),
  publicKey: Schema.String,
  nickname: Schema.String,
  status: DelegatedKeyStatus,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "DelegatedKey" })
export type DelegatedKeyResource = typeof DelegatedKeyResource.Type

/** Answer of `GET /auth/delegated-keys`: the keys of an account or funding source in every status, without pages. */
export const DelegatedKeyListResponse = Schema.Struct({ data: Schema.Array(DelegatedKeyResource) }).annotate({
  identifier: "DelegatedKeyListResponse",
})

/** Body of `POST /auth/delegated-keys`. It is sent three times: two answers (202) ask for a signature, the third (201) has the key. */
export const DelegatedKeyCreateRequest = Schema.Struct({
  cardId: Id("Card"),
  internalAccountId: Id("InternalAccount"),
  nickname: Text(256),
}).annotate({ identifier: "DelegatedKeyCreateRequest" })
export type DelegatedKeyCreateRequest = typeof DelegatedKeyCreateRequest.Type

export const toDelegatedKey = ({
  createdAt,
  data: { rootId: _, ...data },
  id,
  updatedAt,
}: RecordOf<"DelegatedKey", DelegatedKey>): DelegatedKeyResource => ({
  id,
  ...data,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
