/**
 * Pending actions and claimed jobs for full change sets. They are copied inside the database from one of each that the
 * store wrote, because a run needs tens of thousands of them.
 */
import type { Connection } from "@countersign/adapter-postgres"
import { Store } from "@countersign/core/store"
import type { BenchStore } from "./BenchStore.ts"
import { accountNumber, accounts, nextNumbers, type PendingAction, transferSet } from "./TransferSets.ts"

/** The number of actions of an account; the hot account has more, because all callers use it concurrently. */
const actionsOf = (number: number): number => (number === 1 ? 300 : 4)
/** More jobs than any machine finishes in a second. */
const jobsPerSecond = 8_000

const idWith = (kind: string, ordinal: string, tail: string): string =>
  `'${kind}:' || lpad((${ordinal})::text, 8, '0') || '-0000-7000-8000-' || ${tail}`

/** Returns the SQL that copies the first action and the first job, and removes all other records of the first commit. */
const seed = (jobs: number): string => {
  const owner = `'Customer:00000000-0000-7000-8000-' || (100000000000 + n)`
  const agent = `to_jsonb('Agent:00000000-0000-7000-8000-' || (100000000000 + n))`
  return `
    with first as (delete from countersign.agent_action returning *)
    insert into countersign.agent_action (owner_id, platform_id, customer_id, id, version, created_at, updated_at, agent_id, status, type, data)
      select ${owner}, platform_id, ${owner}, ${idWith("AgentAction", "k", "(100000000000 + n)")}, version, created_at, updated_at, ${agent}, status, type, data
      from first, generate_series(1, ${accounts / 2}) n, generate_series(1, case when n = 1 then ${actionsOf(1)} else ${actionsOf(2)} end) k;
    with first as (delete from countersign.job where queue = 'work' returning *)
    insert into countersign.job (owner_id, platform_id, customer_id, id, queue, kind, lane, due_at, payload, state, attempt, not_before, first_claimed_at, open, holds)
      select owner_id, platform_id, customer_id, ${idWith("Job", "n", "'000000000000'")}, queue, kind, 'pull:' || n, due_at, payload, 'running', 1, 9000000000000, 1, true, true
      from first, generate_series(1, ${jobs}) n;
    truncate countersign.transaction, countersign.event, countersign.replay, countersign.ledger_entry, countersign.counter, countersign.record_history;
    delete from countersign.unique_key where key like 'reference:%';
    delete from countersign.job where queue = 'webhook';
    vacuum analyze countersign.agent_action; vacuum analyze countersign.job; vacuum countersign.unique_key`
}

export interface PendingActions {
  /** Takes an account's next action and the next job; an action is given back, one version further, when its set is committed. */
  readonly take: (account: string) => PendingAction | undefined
  readonly giveBack: (account: string, pending: PendingAction) => void
}

export const preparePendingActions = async (
  store: BenchStore,
  connection: Connection,
  seconds: number,
): Promise<PendingActions> => {
  await store.runPromise(Store.use((service) => service.commit(transferSet(nextNumbers(false), "transferIn"))))
  const jobs = Math.ceil(seconds * jobsPerSecond)
  for (const statement of seed(jobs).split(";")) await connection.session(({ script }) => script(statement))
  const waiting = new Map<string, Array<PendingAction["action"]>>()
  for (let number = 1; number <= accounts / 2; number++) {
    const account = accountNumber(number)
    const actions = Array.from({ length: actionsOf(number) }, (_, index) => ({
      kind: "AgentAction" as const,
      id: `AgentAction:${String(index + 1).padStart(8, "0")}-0000-7000-8000-${account}`,
      version: 1,
    }))
    waiting.set(account, actions)
  }
  let taken = 0
  return {
    take: (account) => {
      const action = waiting.get(account)?.pop()
      if (action === undefined) return undefined
      taken += 1
      if (taken > jobs) throw new Error("the run used all prepared jobs: raise `jobsPerSecond`")
      return { action, job: { id: `Job:${String(taken).padStart(8, "0")}-0000-7000-8000-000000000000`, attempt: 1 } }
    },
    giveBack: (account, { action }) => waiting.get(account)?.push({ ...action, version: action.version + 1 }),
  }
}
