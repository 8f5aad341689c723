/**
 * Conformance: the store counts what depends on each root of wallet keys.
 * Source: ports/Store.ts (rootUses); D-364.
 */
import assert from "node:assert/strict"
import type { RecordInsert } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { alphaId, beta, betaId, id, ownerOf } from "./Examples.ts"
import { committed, rootUses, type Suite } from "./Suite.ts"

export const walletRoots = ({ test }: Suite): void => {
  test("counts what depends on each root of wallet keys, of all tenants, without closed accounts and revoked keys", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* rootUses, [])
      const wallet = (n: number, rootId?: string, status: "ACTIVE" | "CLOSED" = "ACTIVE", platformId = alphaId) => {
        const owner = { id: id("InternalAccount", n, id("Customer", n)), ...ownerOf(id("Customer", n), platformId) }
        const account = { type: "EMBEDDED_WALLET", status, currency: "USDB" } as const
        const data = { credentialIds: [], ...(rootId === undefined ? {} : { rootId }) }
        return [
          { kind: "InternalAccount", ...owner, data: account },
          { kind: "Wallet", ...owner, data },
        ] as const
      }
      const key = (n: number, status: "PENDING" | "ACTIVE" | "REVOKED"): RecordInsert => ({
        kind: "DelegatedKey",
        id: id("DelegatedKey", n),
        ...ownerOf(),
        data: {
          cardId: id("Card", 1),
          fundingSourceId: id("CardFundingSource", n),
          accountId: id("InternalAccount", 1),
          publicKey: "02",
          nickname: "key",
          status,
          rootId: "b",
        },
      })
      const wallets = [...wallet(1, "a"), ...wallet(2, "a", "CLOSED"), ...wallet(3), ...wallet(4, "b")]
      yield* committed(changeSet({ inserts: [...wallets, key(1, "PENDING"), key(2, "ACTIVE"), key(3, "REVOKED")] }))
      yield* committed(changeSet({ inserts: wallet(5, "a", "ACTIVE", betaId) }), beta)
      assert.deepStrictEqual(yield* rootUses, [
        { rootId: "a", wallets: 2, delegatedKeys: 0 },
        { rootId: "b", wallets: 1, delegatedKeys: 2 },
        { rootId: undefined, wallets: 1, delegatedKeys: 0 },
      ])
    }))
}
