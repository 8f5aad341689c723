/**
 * Screens deposits by the suffix of the originator's account, then by the rules of the customer's region, and gives deposits on chains a
 * stable hash.
 * Source: wire contract areas 2.8 (hashes of the sandbox) and 2.13; D-398, D-415, D-426.
 */
import { Clock, Effect, Layer } from "effect"
import * as Suffix from "../foundation/kit/Suffix.ts"
import type { WalletDeclaration } from "../model/account/WalletDeclaration.ts"
import { DepositScreening, type DepositVerdict } from "../ports/DepositScreening.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { depositBehaviour } from "./DepositSuffixes.ts"
import { transactionHashOf } from "./FundingAddresses.ts"

/** A declared wallet holds no deposit, once it is proven where a proof is required. */
const declared = ({ isActive }: WalletDeclaration): DepositVerdict =>
  isActive ? { _tag: "Clear" } : { _tag: "Hold", reason: "WALLET_VERIFICATION_REQUIRED" }

export const layer = Layer.succeed(DepositScreening, {
  screen: ({ declaration, regionalHold, source }) =>
    Effect.map(Clock.currentTimeMillis, (now): DepositVerdict => {
      const behaviour = depositBehaviour(Suffix.of(source.accountIdentifier ?? ""))
      if (behaviour?.refusal !== undefined) return { _tag: "Refuse", reason: behaviour.refusal }
      if (behaviour?.hold === undefined) {
        return regionalHold === undefined ? { _tag: "Clear" } : { _tag: "Hold", reason: regionalHold }
      }
      const { hold: reason, holdMillis } = behaviour
      if (reason === "COUNTERPARTY_DECLARATION_REQUIRED" && declaration !== undefined) return declared(declaration)
      return { _tag: "Hold", reason, ...(holdMillis === undefined ? {} : { askAgainAt: now + holdMillis }) }
    }),
  transactionHash: ({ source: { cryptoNetwork }, transactionId }) =>
    Effect.succeed(cryptoNetwork && transactionHashOf(cryptoNetwork, transactionId)),
}).pipe(sandboxOnly("SandboxScreening"))
