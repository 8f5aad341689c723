/**
 * Asks the provider of a stablecoin about a mint or burn, or instructs it: once, unless it says that it has received nothing.
 * Source: D-390; ports/StablecoinProvider.ts.
 */
import { Context, Effect, Layer } from "effect"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { StablecoinOperation } from "../../model/stablecoin/StablecoinOperation.ts"
import {
  type LinkedAccount,
  type ProviderInquiry,
  type ProviderInstruction,
  type ProviderOutcome,
  type ProviderToken,
  StablecoinProvider,
} from "../../ports/StablecoinProvider.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { openLinkedAccount, type SecretServices } from "./ProviderSecrets.ts"
import { readProviderAccount, readStablecoin } from "./StablecoinReads.ts"

/** The provider's answer, and the time (business ms) at which the credentials of the call were linked. */
export interface Asked<Answer> {
  readonly answer: Answer
  readonly linkedAt: number
}

/** `isCertain`: no other instruction can have begun the operation. */
export interface Instructed {
  readonly outcome: ProviderOutcome
  readonly isCertain: boolean
  readonly linkedAt: number
}

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const unopened = { _tag: "Unavailable", cause: "the stored credentials do not open" } as const

const instructionOf = (
  { data, id }: Stored<"StablecoinOperation">,
  account: LinkedAccount,
  token: ProviderToken,
): ProviderInstruction => {
  const { amount, cents, destination, operationType, providerKey, rail, source, sourceType, submittedAt } = data
  return {
    reference: id,
    idempotencyKey: providerKey,
    account,
    token,
    operationType,
    amount,
    cents,
    sourceType,
    ...(source === undefined ? {} : { source }),
    destination,
    ...(rail === undefined ? {} : { rail }),
    submittedAt,
  }
}

const tokenOf = ({ network, networkTokenIdentifier, providerTokenIdentifier }: ProviderToken): ProviderToken => ({
  network,
  networkTokenIdentifier,
  providerTokenIdentifier,
})

export class ProviderInstructions extends Context.Service<
  ProviderInstructions,
  {
    /** Instructs the provider. Unless this is the first attempt, it is asked first, and instructed only if it received nothing. */
    readonly instructOnce: (operation: Stored<"StablecoinOperation">, isFirst: boolean) => Reply<Instructed>
    readonly inquire: (operation: Stored<"StablecoinOperation">) => Reply<Asked<ProviderInquiry>>
  }
>()("@countersign/core/ProviderInstructions") {
  static readonly layer = Layer.effect(
    ProviderInstructions,
    Effect.gen(function* () {
      const store = yield* Store
      const provider = yield* StablecoinProvider
      const services = yield* Effect.context<SecretServices>()

      /** Builds the instruction; absent: the credentials do not open. */
      const prepare = Effect.fnUntraced(function* (operation: Stored<"StablecoinOperation">) {
        const { stablecoinId, stablecoinProviderAccountId }: StablecoinOperation = operation.data
        const account = yield* readProviderAccount(store.read, stablecoinProviderAccountId)
        const { data: stablecoin } = yield* readStablecoin(store.read, stablecoinId)
        const linked = yield* openLinkedAccount(account)
        const instruction = linked && instructionOf(operation, linked, tokenOf(stablecoin))
        return { instruction, linkedAt: account.data.linkedAt }
      }, Effect.provideContext(services))

      const instructOnce = Effect.fnUntraced(function* (operation: Stored<"StablecoinOperation">, isFirst: boolean) {
        const { instruction, linkedAt } = yield* prepare(operation)
        if (instruction === undefined) return { outcome: unopened, isCertain: isFirst, linkedAt }
        if (!isFirst) {
          const known = yield* provider.inquire(instruction)
          if (known._tag !== "NotReceived") return { outcome: known, isCertain: false, linkedAt }
        }
        return { outcome: yield* provider.begin(instruction), isCertain: true, linkedAt }
      })

      const inquire = Effect.fnUntraced(function* (operation: Stored<"StablecoinOperation">) {
        const { instruction, linkedAt } = yield* prepare(operation)
        const answer: ProviderInquiry = instruction === undefined ? unopened : yield* provider.inquire(instruction)
        return { answer, linkedAt }
      })

      return ProviderInstructions.of({ instructOnce, inquire })
    }),
  )
}
