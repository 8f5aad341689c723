/**
 * External accounts of customers and of the platform: creation, lists, reads, deletion and the sandbox's status change.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.2 and 2.7; wire contract areas 1.7; D-019, D-053 to D-055.
 */
import { Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  acceptedAccountInfo,
  type Creation,
  type CreationAnswers,
  type CreationLoaded,
  createExternalAccount,
  type DirectoryAnswers,
  ownerIdOf,
} from "../../decision/account/ExternalAccountCreationDecision.ts"
import { removeExternalAccount, setExternalAccountStatus } from "../../decision/account/ExternalAccountDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { ExternalAccountStatus } from "../../model/account/ExternalAccount.ts"
import {
  type ExternalAccountCreateRequest,
  type ExternalAccountResource,
  toExternalAccount,
} from "../../model/account/ExternalAccountResource.ts"
import { requiresDiscoveredBank } from "../../model/account/ExternalAccountRules.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { BankDirectory } from "../../ports/BankDirectory.ts"
import { VaspDirectory } from "../../ports/VaspDirectory.ts"
import { Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { OwnershipRegions } from "../../settings/OwnershipRegions.ts"
import { StrictChecks } from "../../settings/StrictChecks.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadCallingAgent } from "../agent/AgentLoads.ts"
import { type AccountScope, findExternalAccount, readExternalAccount } from "./ExternalAccountReads.ts"

type Failure = ServiceError | StoreUnavailable
type Answer<A> = Effect.Effect<A, Failure, CurrentCaller>

export interface ExternalAccountsQuery extends ListQuery {
  readonly customerId?: string
  readonly currency?: CurrencyCode
}

const loadForRemoval = Effect.fnUntraced(function* (read: Operation.Read, scope: AccountScope, accountId: string) {
  const agent = yield* loadCallingAgent(read)
  return { agent, account: yield* findExternalAccount(read, accountId, scope) }
})

export class ExternalAccounts extends Context.Service<
  ExternalAccounts,
  {
    /** Errors: `INVALID_INPUT`, `INVALID_BANK_ACCOUNT`, `CONFLICT` (the same account exists); `FORBIDDEN` to an agent. */
    readonly create: (request: ExternalAccountCreateRequest) => Answer<Operation.Answered<ExternalAccountResource>>
    readonly list: (scope: AccountScope, query: ExternalAccountsQuery) => Answer<Page<ExternalAccountResource>>
    readonly get: (scope: AccountScope, accountId: string) => Answer<ExternalAccountResource>
    /** Deletes the account with its personal data. Transactions in progress keep a copy. */
    readonly remove: (scope: AccountScope, accountId: string) => Answer<Operation.Answered<null>>
    /** Changes the status of any account to one that its state machine allows. Errors: `INVALID_STATE_TRANSITION`. */
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
      const banks = yield* BankDirectory
      const vasps = yield* VaspDirectory
      const strictChecks = yield* StrictChecks
      const ownershipRegions = yield* OwnershipRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const loadDepositAccount = (customerId: string) =>
        store
          .list("ExternalAccount", where({ customerId, isDefaultUmaDeposit: true }), { limit: 1, order: "desc" })
          .pipe(Effect.map((page) => page.data[0]))

      const loadForCreation = Effect.fnUntraced(function* (
        read: Operation.Read,
        request: ExternalAccountCreateRequest,
      ) {
        const customerId = ownerIdOf(request, yield* CurrentCaller)
        const agent = yield* loadCallingAgent(read)
        if (customerId === undefined) return { agent, customer: undefined, depositAccount: undefined }
        const found = yield* read({ records: [{ kind: "Customer", id: customerId }] })
        const depositAccount =
          request.defaultUmaDepositAccount === true ? yield* loadDepositAccount(customerId) : undefined
        const loaded: CreationLoaded = { agent, customer: found.record("Customer", customerId), depositAccount }
        return loaded
      })

      const askDirectories = Effect.fnUntraced(function* ({ accountInfo, currency }: ExternalAccountCreateRequest) {
        const found = requiresDiscoveredBank(accountInfo) ? yield* banks.find({ currency }) : undefined
        const exchanges = "vaspName" in accountInfo ? yield* vasps.entries : undefined
        const names: DirectoryAnswers = {
          ...(found === undefined ? {} : { bankNames: found.map(({ bankName }) => bankName) }),
          ...(exchanges === undefined ? {} : { vaspNames: exchanges.map(({ vaspName }) => vaspName) }),
        }
        return names
      })

      const create = Effect.fnUntraced(function* (request: ExternalAccountCreateRequest) {
        const caller = yield* CurrentCaller
        const creation: Creation = { request, strictChecks, ownershipRegions }

        /** Asks the verifier only about an account that the rules accept. */
        const ask = Effect.fnUntraced(function* (loaded: CreationLoaded) {
          const names = yield* askDirectories(request)
          const accepted = acceptedAccountInfo(creation, loaded, names, caller)
          if (Result.isFailure(accepted)) return names
          const check = { currency: request.currency, accountInfo: accepted.success }
          return { ...names, verification: yield* verifier.verifyBeneficiary(check) } satisfies CreationAnswers
        })

        return yield* Operation.run({
          name: "ExternalAccounts.create",
          load: (read) => loadForCreation(read, request),
          ask,
          decide: createExternalAccount(creation),
        })
      }, Effect.provideContext(services))

      const remove = Effect.fnUntraced(function* (scope: AccountScope, accountId: string) {
        return yield* Operation.run({
          name: "ExternalAccounts.remove",
          load: (read) => loadForRemoval(read, scope, accountId),
          decide: removeExternalAccount,
        })
      }, Effect.provideContext(services))

      const setStatus = Effect.fnUntraced(
        function* (accountId: string, status: ExternalAccountStatus) {
          return yield* Operation.run({
            name: "ExternalAccounts.setStatus",
            load: (read) => readExternalAccount(read, accountId),
            decide: setExternalAccountStatus(status),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = (scope: AccountScope, accountId: string) =>
        Effect.map(readExternalAccount(store.read, accountId, scope), toExternalAccount)

      const list = (scope: AccountScope, { currency, customerId, ...query }: ExternalAccountsQuery) => {
        const filters = where({ customerId, currency, isOfPlatform: scope === "platform", isDeleted: false })
        return listPage("ExternalAccount", filters, query).pipe(
          Effect.map((page) => ({ ...page, data: page.data.map(toExternalAccount) })),
          Effect.provideService(Store, store),
        )
      }

      return ExternalAccounts.of({ create, remove, setStatus, get, list })
    }),
  )
}
