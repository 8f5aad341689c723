/** Stores with wrong jobs, leases, lanes and deliveries. */
import type { ClaimedJob } from "@countersign/core/store"
import { Effect } from "effect"
import { committing, every, losing, type WrongStore } from "./WrongStore.ts"

const nextAttempt = "each claim of a job is its next attempt, which no other worker has"
const eachJob = "each unfinished job of a committed set is listed once"
const fence = "a fence is of no use after its job was finished or returned"
const early = "a returned job is not claimed before its time"
const lane = "gives each job to one worker at a time, until it is finished"
const claimable = "only jobs of the queue are claimed that are due, committed and not finished"

export const work: ReadonlyArray<WrongStore> = [
  {
    name: "forgets the lane of one job in 6",
    section: "load",
    law: eachJob,
    wrap: committing(() => {
      const isForgotten = every(6)
      return (set) => ({
        ...set,
        jobs: set.jobs.map(({ lane, ...job }) => (lane === undefined || isForgotten() ? job : { ...job, lane })),
      })
    }),
  },
  {
    name: "adds the jobs of a set to their lanes in reverse",
    section: "lanes",
    law: "claims only the head of a lane, in commit order, even if a later job is due earlier",
    wrap: committing(() => (set) => ({ ...set, jobs: set.jobs.toReversed() })),
  },
  {
    name: "ignores the minimum wait of one returned job in 4",
    section: "load",
    law: early,
    wrap: committing(() => {
      const isIgnored = every(4)
      return (set) => ({
        ...set,
        returns: set.returns.map((change) =>
          change.outcome === "retry" && isIgnored() ? { ...change, notBefore: 0 } : change,
        ),
      })
    }),
  },
  {
    name: "gives one claimed job in 10 to the next worker, too",
    section: "load",
    law: [nextAttempt, claimable],
    wrap: ({ claim }) => {
      const isGiven = every(10)
      let given: ReadonlyArray<ClaimedJob> = []
      return {
        claim: (request) =>
          Effect.map(claim(request), (claimed) => {
            const all = [...claimed, ...given].slice(0, request.limit)
            given = claimed.filter(() => isGiven())
            return all
          }),
      }
    },
  },
  {
    name: "ends one lease in 4 after a millisecond",
    section: "load",
    law: "a job under a lease is not claimed by another worker",
    wrap: ({ claim }) => {
      const isShort = every(4)
      return { claim: (request) => claim(isShort() ? { ...request, leaseMillis: 1 } : request) }
    },
  },
  {
    name: "accepts a worker whose job was claimed since",
    section: "jobs and leases",
    law: "lets another worker claim a job after its lease expires, and invalidates the old fence",
    wrap: ({ commit, jobs }) => ({
      commit: Effect.fnUntraced(function* (set) {
        const attempts = new Map((yield* jobs).map(({ attempt, id }) => [id, attempt]))
        const finishes = set.finishes.map(({ attempt, id }) => ({ id, attempt: attempts.get(id) ?? attempt }))
        return yield* commit({ ...set, finishes })
      }),
    }),
  },
  {
    name: "takes a job that is finished already for finished now",
    section: "jobs and leases",
    law: "deletes a finished job and invalidates its fence",
    wrap: ({ commit, jobs }) => ({
      commit: Effect.fnUntraced(function* (set) {
        const known = new Set((yield* jobs).map(({ id }) => id))
        return yield* commit({ ...set, finishes: set.finishes.filter(({ id }) => known.has(id)) })
      }),
    }),
  },
  {
    name: "keeps one finished job in 7",
    section: "load",
    law: [fence, claimable, eachJob],
    wrap: losing("finishes", 7),
  },
  {
    name: "loses one return in 5",
    section: "load",
    law: [fence, early, "a parked job is not claimed", "a returned job has its new payload", lane],
    wrap: losing("returns", 5),
  },
  {
    name: "keeps the old payload of a returned job",
    section: "jobs and leases",
    law: "delays a returned job until its time and replaces its payload",
    wrap: committing(() => (set) => ({
      ...set,
      returns: set.returns.map((change) => {
        if (change.outcome !== "retry") return change
        const { payload: _payload, ...rest } = change
        return rest
      }),
    })),
  },
  {
    name: "claims jobs a millisecond before they are due",
    section: "jobs and leases",
    law: "claims due jobs of its queue by due time, then by commit order",
    wrap: ({ claim }) => ({ claim: (request) => claim({ ...request, businessNow: request.businessNow + 1 }) }),
  },
  {
    name: "claims jobs of the other queue when its own is empty",
    section: "load",
    law: claimable,
    wrap: ({ claim }) => ({
      claim: Effect.fnUntraced(function* (request) {
        const claimed = yield* claim(request)
        return claimed.length > 0 ? claimed : yield* claim({ ...request, queue: "webhook" })
      }),
    }),
  },
  {
    name: "claims one job above the limit",
    section: "jobs and leases",
    law: "claims no more jobs than its limit",
    wrap: ({ claim }) => ({ claim: (request) => claim({ ...request, limit: request.limit + 1 }) }),
  },
  {
    name: "claims a parked job again",
    section: "jobs and leases",
    law: "never claims a parked job and lists it with its error",
    wrap: committing(() => (set) => ({
      ...set,
      returns: set.returns.map((change) =>
        change.outcome === "parked" ? { ...change, outcome: "retry" as const, notBefore: 5000 } : change,
      ),
    })),
  },
  {
    name: "resumes a parked job with the retries that it has had",
    section: "parked jobs",
    law: "resumes a parked job once: it is claimed at once, and its time for retries begins again",
    wrap: ({ claim }) => {
      const first = new Map<string, number>()
      return {
        claim: (request) =>
          Effect.map(claim(request), (claimed) =>
            claimed.map((job) => {
              const firstClaimedAt = first.get(job.id) ?? job.firstClaimedAt
              first.set(job.id, firstClaimedAt)
              return { ...job, firstClaimedAt }
            }),
          ),
      }
    },
  },
  {
    name: "counts jobs beyond the maximum",
    section: "parked jobs",
    law: "counts the unfinished jobs of kinds up to a maximum, parked ones included, of one platform",
    wrap: ({ countJobs }) => ({ countJobs: (query) => countJobs({ ...query, max: 99 }) }),
  },
  {
    name: "wakes every other worker",
    section: "jobs and leases",
    law: "wakes the worker for a job that is committed after an empty claim, before or during its wait",
    wrap: ({ awaitWork }) => {
      const isAsleep = every(2)
      return { awaitWork: (queue) => Effect.andThen(awaitWork(queue), isAsleep() ? Effect.never : Effect.void) }
    },
  },
  {
    name: "adds the attempt of a set that is sent again",
    section: "deliveries",
    law: "adds an attempt once if its set is sent again",
    wrap: ({ commit }) => {
      const known = new Set<string>()
      return {
        commit: Effect.fnUntraced(function* (set) {
          const outcome = yield* commit(set)
          const isAgain = known.has(set.operationId) && set.attempts.length > 0
          known.add(set.operationId)
          if (isAgain) yield* commit({ ...set, operationId: `${set.operationId.slice(0, -12)}ffffffffffff` })
          return outcome
        }),
      }
    },
  },
  {
    name: "lists an event with its first attempt",
    section: "deliveries",
    law: "returns an event as it was stored, with its attempts in order",
    wrap: ({ delivery, events }) => ({
      events: Effect.fnUntraced(function* (filter, page) {
        const found = yield* events(filter, page)
        const data = yield* Effect.forEach(found.data, (one) =>
          Effect.map(delivery(one.event.id), (all) => ({ ...one, attempts: all?.attempts.slice(0, 1) ?? [] })),
        )
        return { ...found, data }
      }),
    }),
  },
]
