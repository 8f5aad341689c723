/**
 * Decides the export of a wallet's words and the change of its privacy.
 * Spec: 4.5 (export, update wallet privacy); wire contract 4.7, 4.9 and 4.10; D-146.
 */

import { Result } from "effect"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { type InternalAccountResource, toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import type { PaymentInstructions } from "../../model/account/PaymentInstruction.ts"
import type { WalletExportResponse } from "../../model/wallet/CredentialResource.ts"
import type { SignedRequestChallenge, UntypedOperation } from "../../model/wallet/SignedRequest.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { decideSigned, type SigningFacts } from "./SignedDecision.ts"

type Challenged<A> = Decision<A | SignedRequestChallenge>

interface WalletFacts {
  readonly account: Stored<"InternalAccount">
  readonly signing: SigningFacts<UntypedOperation>
}

export interface WalletExportFacts extends Omit<WalletFacts, "signing"> {
  /** `undefined` if the client's key is refused. */
  readonly signing: WalletFacts["signing"] | undefined
  /** `encryptedWalletCredentials`, or the refusal of the client's key; empty unless the call is signed. */
  readonly sealedWords: Result.Result<string, Refusal>
}

export const decideWalletExport = (
  { account, sealedWords, signing }: WalletExportFacts,
  context: DecisionContext,
): Challenged<WalletExportResponse> => {
  if (Result.isFailure(sealedWords)) return refuse(sealedWords.failure)
  if (signing === undefined) throw new Error("The signature of an acceptable export was not checked.")
  const body: WalletExportResponse = { id: account.id, encryptedWalletCredentials: sealedWords.success }
  return decideSigned(signing, context, answer(200, body, Changes.guard(account)))
}

export const decideWalletPrivacy =
  (privateEnabled: boolean) =>
  (
    { account, instructions, signing }: WalletFacts & { readonly instructions: ReadonlyArray<PaymentInstructions> },
    context: DecisionContext,
  ): Challenged<InternalAccountResource> => {
    const data = { ...account.data, privateEnabled }
    const observes = [Ledger.available(account.id), Ledger.held(account.id)]
    return decideSigned(
      signing,
      context,
      answer(
        200,
        toInternalAccount(Changes.after(account, data, context.now), { available: 0, held: 0 }, instructions),
        Changes.combine(Changes.update(account, data), { observes }),
        Ledger.balancePlaceholders(account.id),
      ),
    )
  }
