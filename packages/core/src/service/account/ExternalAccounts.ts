/**
 * External accounts of customers and of the platform: added, listed, read, deleted.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.2 and 2.7; D-019, D-053 to D-055.
 */
import { Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { eraseAccount, transitionAccount, withoutChallenge } from "../../decision/account/ExternalAccountChanges.ts"
import { createExternalAccount } from "../../decision/account/ExternalAccountCreationDecision.ts"
import { auditRecord } from "../../decision/audit/Audit.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { validateAccountInfo } from "../../model/account/AccountValidationRules.ts"
import type { ExternalAccountStatus } from "../../model/account/ExternalAccount.ts"
import { triggerBetween } from "../../model/account/ExternalAccountMachine.ts"
import {
  type ExternalAccountCreateRequest,
  type ExternalAccountResource,
  toExternalAccount,
} from "../../model/account/ExternalAccountResource.ts"
import { creationProblems, requiresDiscoveredBank } from "../../model/account/ExternalAccountRules.ts"
import { customerNotAllowed } from "../../model/agent/PolicyRules.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { BankDirectory } from "../../ports/BankDirectory.ts"
import { type BeneficiaryResult, Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { OwnershipRegions } from "../../settings/OwnershipRegions.ts"
import { StrictChecks } from "../../settings/StrictChecks.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { sameAccountClaim } from "../../store/Kinds.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { requirePermission } from "../agent/AgentGates.ts"
import { type AccountScope, readExternalAccount } from "./ExternalAccountReads.ts"

type Failure = ServiceError | StoreUnavailable
type Answer<A> = Effect.Effect<A, Failure, CurrentCaller>

export interface ExternalAccountsQuery extends ListQuery {
  readonly customerId?: string
  readonly currency?: CurrencyCode
}
export class ExternalAccounts extends Context.Service<
  ExternalAccounts,
  {
    /** Errors: `INVALID_INPUT`, `INVALID_BANK_ACCOUNT`, `CONFLICT` (the same account exists); `FORBIDDEN` to an agent. */
    readonly create: (request: ExternalAccountCreateRequest) => Answer<Operation.Answered<ExternalAccountResource>>
    readonly list: (of: AccountScope, query: ExternalAccountsQuery) => Answer<Page<ExternalAccountResource>>
    readonly get: (of: AccountScope, accountId: string) => Answer<ExternalAccountResource>
    /** Deletes it with what it holds of persons; transactions that are under way keep a copy. */
    readonly remove: (of: AccountScope, accountId: string) => Answer<Operation.Answered<null>>
    /** Moves an account, whoever's it is, to a state that its machine has an arrow to. Errors: `INVALID_STATE_TRANSITION`. */
    readonly setStatus: (
      accountId: string,
      status: ExternalAccountStatus,
    ) => Answer<Operation.Answered<ExternalAccountResource>>
  }
>()("@countersign/core/ExternalAccounts") {
  static readonly layer = Layer.effect(
    ExternalAccounts,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const directory = yield* BankDirectory
      const strictChecks = yield* StrictChecks
      const regions = yield* OwnershipRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** The customer's account that takes its UMA payments so far. */
      const depositAccountOf = (customerId: string) =>
        store
          .list("ExternalAccount", where({ customerId, isDefaultUmaDeposit: true }), { limit: 1, order: "desc" })
          .pipe(Effect.map((page) => page.data[0]))

      const loadOwner = Effect.fnUntraced(function* (read: Operation.Read, request: ExternalAccountCreateRequest) {
        const { accountInfo, currency, customerId, defaultUmaDepositAccount = false } = request
        const customer =
          customerId === undefined
            ? undefined
            : (yield* read({ records: [{ kind: "Customer", id: customerId }] })).record("Customer", customerId)
        const bankNames = requiresDiscoveredBank(accountInfo)
          ? (yield* directory.find({ currency })).map(({ bankName }) => bankName)
          : undefined
        const facts = { customerId, customer: customer?.data, defaultUmaDepositAccount }
        const admitted = validateAccountInfo(accountInfo, {
          strictChecks,
          ...(bankNames === undefined ? {} : { bankNames }),
        })
        const problems = [...creationProblems(facts), ...(Result.isFailure(admitted) ? admitted.failure : [])]
        if (Result.isFailure(admitted) || problems.length > 0) return yield* new ServiceError(invalidInput(problems))
        const depositAccount =
          defaultUmaDepositAccount && customerId !== undefined ? yield* depositAccountOf(customerId) : undefined
        return { customer, depositAccount, regions, accountInfo: admitted.success }
      })

      /** An agent adds accounts of its own customer only, and need not name it. */
      const ofCaller = Effect.fnUntraced(function* (request: ExternalAccountCreateRequest) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Platform") return request
        const { customerId = caller.customerId } = request
        if (customerId === caller.customerId) return { ...request, customerId }
        return yield* new ServiceError(customerNotAllowed)
      })

      const create = Effect.fnUntraced(function* (asked: ExternalAccountCreateRequest) {
        const { platformId } = yield* CurrentCaller
        const request = yield* ofCaller(asked)
        const { currency, customerId = null } = request
        // Asked once, and not before the rules admit the request, however often it is decided.
        let checked: BeneficiaryResult | undefined
        return yield* Operation.run({
          name: "ExternalAccounts.create",
          load: Effect.fnUntraced(function* (read) {
            const gate = yield* requirePermission(read, "MANAGE_EXTERNAL_ACCOUNTS")
            const owner = yield* loadOwner(read, request)
            checked ??= yield* verifier.verifyBeneficiary({ currency, accountInfo: owner.accountInfo })
            return { ...owner, checked, gate }
          }),
          decide: createExternalAccount(
            request,
            (account) => sameAccountClaim(account, { platformId, customerId }).key,
          ),
        })
      }, Effect.provideContext(services))

      const loadForRemoval = Effect.fnUntraced(function* (read: Operation.Read, of: AccountScope, accountId: string) {
        const gate = yield* requirePermission(read, "MANAGE_EXTERNAL_ACCOUNTS")
        return { account: yield* readExternalAccount(read, accountId, of), gate }
      })

      const remove = Effect.fnUntraced(function* (of: AccountScope, accountId: string) {
        return yield* Operation.run({
          name: "ExternalAccounts.remove",
          load: (read) => loadForRemoval(read, of, accountId),
          decide: ({ account, gate }) => Operation.answer(204, null, Changes.combine(eraseAccount(account), gate)),
        })
      }, Effect.provideContext(services))

      const setStatus = Effect.fnUntraced(
        function* (accountId: string, status: ExternalAccountStatus) {
          return yield* Operation.run({
            name: "ExternalAccounts.setStatus",
            load: (read) => readExternalAccount(read, accountId),
            decide: (account, context) => {
              const { ids, now } = context
              const trigger = triggerBetween(account.data.status, status)
              if (trigger === undefined) {
                return Operation.refuse({
                  code: "INVALID_STATE_TRANSITION",
                  message: `An external account does not go from ${account.data.status} to ${status}.`,
                  details: { from: account.data.status, to: status },
                })
              }
              const moved = transitionAccount(ids, now, account, trigger, withoutChallenge(account.data))
              const details = { from: account.data.status, to: status }
              return Operation.answer(
                200,
                toExternalAccount(moved.account),
                Changes.combine(
                  moved.changes,
                  auditRecord(context, "SANDBOX_EXTERNAL_ACCOUNT_STATUS", account, { details }),
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
        remove,
        setStatus,
        get: (of, accountId) => Effect.map(readExternalAccount(store.read, accountId, of), toExternalAccount),
        list: (of, { currency, customerId, ...query }) =>
          listPage(
            "ExternalAccount",
            where({ customerId, currency, isOfPlatform: of === "platform", isDeleted: false }),
            query,
          ).pipe(
            Effect.map((page) => ({ ...page, data: page.data.map(toExternalAccount) })),
            Effect.provideService(Store, store),
          ),
      })
    }),
  )
}
