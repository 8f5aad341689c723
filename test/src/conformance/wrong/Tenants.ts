/** Stores that confine a part of a set, or a read, to the platform but not to the customer, or not even to the platform. */
import { type Caller, CurrentCaller, tenant } from "@countersign/core"
import { Effect } from "effect"
import { alphaId } from "../../../../packages/test/src/conformance/Examples.ts"
import { as, type Service, type SetPart, type WrongStore } from "./WrongStore.ts"

/** A store that commits a set with this part for the other tenant when its own caller may not. */
const trusting =
  (part: SetPart, other: (caller: Caller) => Caller): WrongStore["wrap"] =>
  ({ commit }) => ({
    commit: (set) =>
      CurrentCaller.use((caller) =>
        Effect.gen(function* () {
          const isIgnored = part === "attempts" || part === "observes" || part === "assertions"
          if (isIgnored && set[part].length > 0) return yield* as(other(caller))(commit(set))
          const exit = yield* Effect.exit(commit(set))
          const isRefused = exit._tag === "Failure" || exit.value._tag === "Conflict"
          return isRefused && set[part].length > 0 ? yield* as(other(caller))(commit(set)) : yield* exit
        }),
      ),
  })

const toPlatform = ({ platformId }: Caller): Caller => tenant(platformId)
const toAlpha = (): Caller => tenant(alphaId)

/** For each part what the suite says of it. */
const parts: { readonly [part in SetPart]: string } = {
  inserts: "insert",
  updates: "update",
  guards: "guard",
  claims: "claim",
  releases: "release",
  ledgerAccounts: "ledger account",
  transfers: "transfer",
  assertions: "assertion",
  observes: "observed account",
  counters: "counter",
  events: "event",
  attempts: "attempt",
  jobs: "job",
  finishes: "finish",
  returns: "return",
}

const trustingParts = (Object.keys(parts) as ReadonlyArray<SetPart>)
  .filter((part) => part !== "counters")
  .flatMap((part): ReadonlyArray<WrongStore> => {
    const law = `no caller reaches data of another tenant by the ${parts[part]} of a set`
    const section = "tenancy of every part"
    const ofCustomer = {
      name: `commits the ${parts[part]} of another customer`,
      section,
      law,
      wrap: trusting(part, toPlatform),
    }
    const ofPlatform = {
      name: `commits the ${parts[part]} of another platform`,
      section,
      law,
      wrap: trusting(part, toAlpha),
    }
    // The events and jobs of a platform are its own, whichever customer they name.
    return part === "events" || part === "jobs" ? [ofCustomer] : [ofCustomer, ofPlatform]
  })

type Read = "list" | "history" | "event" | "events" | "delivery" | "countJobs" | "parkedJobs" | "dueJobs"
type BookRead = "accountBalances" | "accountEntries" | "ownPostings"

/** A store that reads as another caller. */
const asPlatform = (): Readonly<Record<Read | BookRead | "read" | "jobs" | "balanceTotals", WrongStore["wrap"]>> => {
  const to = <A, E>(effect: Effect.Effect<A, E, CurrentCaller>) =>
    CurrentCaller.use((caller) => as(toPlatform(caller))(effect))
  return {
    read: ({ read }) => ({ read: (query) => to(read(query)) }),
    list: ({ list }) => ({ list: (kind, where, page) => to(list(kind, where, page)) }),
    history: ({ history }) => ({ history: (ref, latest) => to(history(ref, latest)) }),
    event: ({ event }) => ({ event: (id) => to(event(id)) }),
    events: ({ events }) => ({ events: (filter, page) => to(events(filter, page)) }),
    delivery: ({ delivery }) => ({ delivery: (id) => to(delivery(id)) }),
    jobs: ({ jobs }) => ({ jobs: to(jobs) }),
    countJobs: ({ countJobs }) => ({ countJobs: (query) => to(countJobs(query)) }),
    parkedJobs: ({ parkedJobs }) => ({ parkedJobs: (page) => to(parkedJobs(page)) }),
    dueJobs: ({ dueJobs }) => ({ dueJobs: (page) => to(dueJobs(page)) }),
    balanceTotals: ({ balanceTotals }) => ({ balanceTotals: to(balanceTotals) }),
    accountBalances: ({ accountBalances }) => ({ accountBalances: (page) => to(accountBalances(page)) }),
    accountEntries: ({ accountEntries }) => ({ accountEntries: (page) => to(accountEntries(page)) }),
    ownPostings: ({ ownPostings }) => ({ ownPostings: (reference) => to(ownPostings(reference)) }),
  }
}

const trustingReads = Object.entries(asPlatform()).map(
  ([method, wrap]): WrongStore => ({
    name: `reads by \`${method}\` for an agent what only its platform may see`,
    section: "tenancy of every part",
    law: `an agent of another customer reads nothing of this tenant by \`${method}\``,
    wrap,
  }),
)

/** A store whose agents have one cache of owners. */
const cachingOwners: WrongStore = {
  name: "remembers the owner of an account for all callers",
  section: "tenancy",
  law: "reads the customers of accounts, for those who may read the accounts",
  wrap: ({ read }) => {
    const known = new Map<string, ReturnType<Effect.Success<ReturnType<Service["read"]>>["owner"]>>()
    return {
      read: (query) =>
        Effect.map(read(query), (found) => ({
          ...found,
          owner: (account) => {
            const owner = known.get(account.id) ?? found.owner(account)
            known.set(account.id, owner)
            return owner
          },
        })),
    }
  },
}

export const tenants: ReadonlyArray<WrongStore> = [
  ...trustingParts,
  ...trustingReads,
  cachingOwners,
  {
    name: "has the counters of all platforms in one space",
    section: "tenancy",
    law: "keeps counters and idempotency keys separate for each platform",
    wrap: ({ read }) => ({
      read: (query) =>
        Effect.flatMap(read(query), (found) =>
          Effect.map(as(toAlpha())(read(query)), (other) => ({
            ...found,
            counter: (key: string) => found.counter(key) || other.counter(key),
          })),
        ),
    }),
  },
]
