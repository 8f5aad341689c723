/**
 * External accounts of customers and of the platform.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.2 and 7.6.
 */
import { Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { invalidInput, notFound, ServiceError } from "../errors/ServiceError.ts"
import * as Changes from "../operation/Changes.ts"
import * as Operation from "../operation/Operation.ts"
import { platformOnly } from "../operation/PlatformOnly.ts"
import { CurrentCaller } from "../ports/Caller.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { StrictChecks } from "../ports/StrictChecks.ts"
import { Verifier } from "../ports/Verifier.ts"
import type { WallTime } from "../ports/WallTime.ts"
import { admit } from "./AccountAdmissionRules.ts"
import { isWallet } from "./AccountReach.ts"
import type { ExternalAccount } from "./ExternalAccount.ts"
import {
  type ExternalAccountCreateRequest,
  type ExternalAccountResource,
  toExternalAccount,
} from "./ExternalAccountResource.ts"

type Failure = ServiceError | StoreUnavailable

export class ExternalAccounts extends Context.Service<
  ExternalAccounts,
  {
    /** Errors: `INVALID_INPUT`, `INVALID_BANK_ACCOUNT`, `CONFLICT` (the same account exists). */
    readonly create: (
      request: ExternalAccountCreateRequest,
    ) => Effect.Effect<Operation.Answered<ExternalAccountResource>, Failure, CurrentCaller>
    readonly get: (accountId: string) => Effect.Effect<ExternalAccountResource, Failure, CurrentCaller>
  }
>()("@countersign/core/ExternalAccounts") {
  static readonly layer = Layer.effect(
    ExternalAccounts,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const strictChecks = yield* StrictChecks
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const create = Effect.fnUntraced(
        function* (request: ExternalAccountCreateRequest) {
          const { platformId } = yield* CurrentCaller
          const { customerId, ...account } = request
          const admitted = admit(request.accountInfo, { strictChecks })
          if (Result.isFailure(admitted)) return yield* new ServiceError(invalidInput(admitted.failure))
          const accountInfo = admitted.success
          const verified = yield* verifier.verifyBeneficiary({ currency: request.currency, accountInfo })
          return yield* Operation.run({
            name: "ExternalAccounts.create",
            load: (read) =>
              read({ records: customerId === undefined ? [] : [{ kind: "Customer" as const, id: customerId }] }),
            decide: (read, { ids, now, obstacles }) => {
              const customer = customerId === undefined ? undefined : read.record("Customer", customerId)
              if (customerId !== undefined && (customer === undefined || customer.data.isDeleted)) {
                return Operation.refuse(
                  invalidInput([{ field: "customerId", message: "must be a customer of the platform" }]),
                )
              }
              if (verified._tag === "Invalid") {
                return Operation.refuse({
                  code: "INVALID_BANK_ACCOUNT",
                  message: "The bank says that this account does not exist.",
                })
              }
              if (Operation.metTaken(obstacles)) {
                return Operation.refuse({ code: "CONFLICT", message: "The same external account exists already." })
              }
              const data: ExternalAccount = {
                ...account,
                accountInfo,
                status: "ACTIVE",
                defaultUmaDepositAccount: request.defaultUmaDepositAccount ?? false,
                ...(isWallet(accountInfo) ? {} : { beneficiaryVerificationStatus: verified.status }),
                isDeleted: false,
              }
              const id = ids("ExternalAccount")
              const owner = { platformId, customerId: customerId ?? null }
              return Operation.answer(
                201,
                toExternalAccount(Changes.born("ExternalAccount", id, owner, data, now)),
                Changes.combine(
                  Changes.insert("ExternalAccount", id, owner, data),
                  customer === undefined ? undefined : Changes.guard(customer),
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ExternalAccounts.of({
        create,
        get: Effect.fnUntraced(function* (accountId) {
          const read = yield* store.read({ records: [{ kind: "ExternalAccount", id: accountId }] })
          const account = read.record("ExternalAccount", accountId)
          if (account === undefined || account.customerId === null || account.data.isDeleted) {
            return yield* new ServiceError(notFound("external account"))
          }
          return toExternalAccount(account)
        }),
      })
    }),
  )
}
