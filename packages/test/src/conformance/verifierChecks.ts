/**
 * What every layer of `Verifier` has to do: give definite results that stay, name whom they are about, and keep identifiers out of logs.
 * Source: wire contract 2.7, 5.11, 5.12 and 7.6; D-444; ports/Verifier.ts.
 */
import { isDeepStrictEqual } from "node:util"
import { type KycStatus, KycStatus as KycStatuses } from "@countersign/core/models"
import {
  type BeneficiaryCheck,
  type CustomerCheck,
  type OwnerCheck,
  type VerificationCheck,
  Verifier,
} from "@countersign/core/ports"
import { Effect, type Layer, Redacted, Schema } from "effect"
import { checksOf, fail, type PortBench, type PortCheck, settled } from "./PortChecks.ts"

/** Checks of each kind for a provider's test system, and how many it has begun. */
export interface VerifierConformanceOptions {
  /** Accounts with all kinds of results that the provider's test system offers. */
  readonly beneficiaries: ReadonlyArray<BeneficiaryCheck>
  readonly customers: ReadonlyArray<CustomerCheck>
  readonly owners: ReadonlyArray<OwnerCheck>
  readonly verifications: ReadonlyArray<VerificationCheck>
  /** How many checks the provider has begun, if it counts them: those of one `accountId` are one check. */
  readonly begun?: Effect.Effect<number>
}

type Port = Verifier["Service"]

const isKycStatus = Schema.is(KycStatuses)

const isDecided = (status: KycStatus): boolean => status === "APPROVED" || status === "REJECTED"

/** Recognizable in a log, and valid as an identification number nowhere. */
const clearIdentifier = "IDENTIFIER-IN-CLEAR-8675309"

const withIdentifier = <C extends CustomerCheck | OwnerCheck>(check: C): C => ({
  ...check,
  identifier: Redacted.make(clearIdentifier),
})

/** Asks again a day and a hundred days later. */
const asAgain = Effect.fnUntraced(function* <A>(
  bench: PortBench,
  ask: () => Effect.Effect<A>,
  isStable: (first: A, next: A) => boolean,
) {
  const first = yield* ask()
  for (const days of [0, 1, 100]) {
    bench.advanceTo(bench.now() + days * 24 * 60 * 60 * 1000)
    const next = yield* ask()
    if (!isStable(first, next)) return yield* fail("another result", { first, next })
  }
})

export const verifierChecks = <E>(
  layer: Layer.Layer<Verifier, E>,
  { beneficiaries, begun = Effect.succeed(0), customers, owners, verifications }: VerifierConformanceOptions,
): ReadonlyArray<PortCheck> => {
  const make = checksOf(Verifier, layer)
  const check = <C>(
    title: string,
    cases: ReadonlyArray<C>,
    body: (verifier: Port, given: C, bench: PortBench) => Effect.Effect<void>,
  ): PortCheck =>
    make(title, (verifier, bench) => Effect.forEach(cases, (given) => body(verifier, given, bench), { discard: true }))
  /** Each beneficiary during the creation of its account, and afterwards. */
  const accounts = beneficiaries.flatMap(
    ({ accountId, ...given }, n): ReadonlyArray<BeneficiaryCheck> => [
      given,
      { ...given, accountId: accountId ?? `ExternalAccount:00000000-0000-7000-8000-${String(n).padStart(12, "0")}` },
    ],
  )
  const persons = [
    ...customers.map((given) => (verifier: Port) => verifier.checkCustomer(withIdentifier(given))),
    ...owners.map((given) => (verifier: Port) => verifier.checkOwner(withIdentifier(given))),
  ]

  return [
    check(
      "a result about an account that is not known yet names the business time at which to ask, and a final one stays",
      accounts,
      (verifier, given, bench) =>
        Effect.gen(function* () {
          const ask = Effect.suspend(() => verifier.verifyBeneficiary(given))
          const first = yield* settled(bench, ask)
          if (first._tag === "Later" || first._tag === "Unknown") return
          for (const days of [0, 1, 100]) {
            bench.advanceTo(bench.now() + days * 24 * 60 * 60 * 1000)
            const next = yield* ask
            const isOpen = first._tag === "Result" && first.status === "PENDING"
            if (next._tag !== "Unknown" && !isOpen && !isDeepStrictEqual(first, next)) {
              return yield* fail("another result", { first, next })
            }
          }
        }),
    ),

    check(
      "a check of an account that is asked for again, or twice at the same time, is begun once",
      accounts,
      (verifier, given) =>
        Effect.gen(function* () {
          if (given.accountId === undefined) return
          const before = yield* begun
          const ask = Effect.suspend(() => verifier.verifyBeneficiary(given))
          yield* Effect.all([ask, ask], { concurrency: "unbounded" })
          yield* ask
          const count = (yield* begun) - before
          if (count > 1) return yield* fail("begun more than once", { count, accountId: given.accountId })
        }),
    ),

    check("a person has a status of the table, and a decided one stays", persons, (verifier, ask, bench) =>
      asAgain(
        bench,
        () => ask(verifier),
        (first, next) => isKycStatus(first) && isKycStatus(next) && (!isDecided(first) || first === next),
      ),
    ),

    check("an identification number reaches no log", persons, (verifier, ask, bench) =>
      Effect.gen(function* () {
        yield* ask(verifier)
        if (bench.logged().includes(clearIdentifier)) return yield* fail("the log contains it", clearIdentifier)
      }),
    ),

    check(
      "a verification asks for corrections exactly if it names some, about whom it has looked at",
      verifications,
      (verifier, given) =>
        Effect.gen(function* () {
          const { checkStatus, errors, owners: results, status } = yield* verifier.verifyCustomer(given)
          const known = [given.customerId, ...given.owners.map(({ ownerId }) => ownerId)]
          const documents = given.documents.map(({ documentId }) => documentId)
          const foreign = errors.filter(({ resourceId }) => ![...known, ...documents].includes(resourceId))
          if (foreign.length > 0) return yield* fail("errors about others", foreign)
          if ((status === "RESOLVE_ERRORS") !== errors.length > 0)
            return yield* fail("errors and status", { status, errors })
          const ids = results.map(({ ownerId }) => ownerId)
          const isOfOwners = ids.every((id) => known.slice(1).includes(id)) && new Set(ids).size === ids.length
          if (!isOfOwners) return yield* fail("results about others, or several about one owner", ids)
          const statuses = [
            ...(checkStatus === undefined ? [] : [checkStatus]),
            ...results.map(({ kycStatus }) => kycStatus),
          ]
          if (!statuses.every(isKycStatus)) return yield* fail("no status of the table", statuses)
        }),
    ),

    check("a decided verification stays, if the same is submitted again", verifications, (verifier, given, bench) =>
      asAgain(
        bench,
        () => verifier.verifyCustomer(given),
        (first, next) => (first.status !== "APPROVED" && first.status !== "REJECTED") || first.status === next.status,
      ),
    ),

    check(
      "a link is an address of its own for each request, and ends",
      verifications,
      (verifier, { customerId }, bench) =>
        Effect.gen(function* () {
          const request = { customerId, redirectUri: "https://platform.example/done?a=1&b=2" }
          const first = yield* verifier.kycLink(request)
          bench.advanceTo(bench.now() + 1000)
          const next = yield* verifier.kycLink(request)
          const isPage = URL.canParse(next.kycUrl) && new URL(next.kycUrl).protocol === "https:"
          if (!isPage || first.kycUrl === next.kycUrl) return yield* fail("no address of its own", { first, next })
          if (!(next.expiresAt > bench.now())) return yield* fail("ended already (ms of business time)", next.expiresAt)
        }),
    ),
  ]
}
