/**
 * Seals the client secret of a provider account, opens it for the provider, and marks it for the comparison of repeated requests. It is
 * stored only sealed, to a key that is derived from the deployment's root for this account.
 * Source: wire contract areas 1.6.2; D-391.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Redacted } from "effect"
import { Hex } from "effect/encoding"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import * as Sealed from "../../foundation/crypto/Sealed.ts"
import { textOf } from "../../foundation/crypto/Utf8.ts"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { RecordOf } from "../../model/record/Record.ts"
import type { StablecoinProviderAccount } from "../../model/stablecoin/StablecoinProviderAccount.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import type { LinkedAccount, ProviderCredentials } from "../../ports/StablecoinProvider.ts"

/** Services that sealing and opening need. */
export type SecretServices = KeyVault | P256 | Hpke

/** The provider account of a platform, whose key seals its secret. */
type Sealing = { readonly platformId: string } & Pick<StablecoinProviderAccount, "provider" | "providerAccountId">

const keyOf = Effect.fnUntraced(function* ({ platformId, provider, providerAccountId }: Sealing) {
  const { derive } = yield* KeyVault
  const context = CanonicalJson.stringify([platformId, provider, providerAccountId])
  return yield* P256.use((p256) => Effect.flatMap(derive("provider-secret", context), p256.derive))
})

/** Seals the secret to the account's key. */
export const sealProviderSecret = Effect.fnUntraced(function* (account: Sealing, secret: Redacted.Redacted) {
  const { publicKey } = yield* keyOf(account)
  return Sealed.toText(yield* Sealed.seal(publicKey, utf8ToBytes(Redacted.value(secret))))
})

/** Returns the account with its opened credentials; `undefined` if they do not open: the deployment's root is another one. */
export const openLinkedAccount = Effect.fnUntraced(function* ({
  data,
  platformId,
}: Pick<RecordOf<string, StablecoinProviderAccount>, "data" | "platformId">) {
  const { apiClientId, provider, providerAccountId, sealedSecret } = data
  const sealed = Sealed.fromText({ ...sealedSecret })
  if (sealed === undefined) return undefined
  const opened = yield* Effect.option(Sealed.open(yield* keyOf({ ...data, platformId }), sealed))
  if (opened._tag === "None") return undefined
  const apiClientSecret = Redacted.make(textOf(opened.value), { label: "provider secret" })
  const credentials: ProviderCredentials = { apiClientId, apiClientSecret }
  return { provider, providerAccountId, credentials } satisfies LinkedAccount
})

/** Returns a mark that is the same for the same secret, and reveals it only to a holder of the deployment's root. */
export const markOfSecret = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const { derive } = yield* KeyVault
  const key = Redacted.value(yield* derive("provider-secret-mark", ""))
  return Hex.encode(hmac(sha256, key, utf8ToBytes(Redacted.value(secret))))
})
