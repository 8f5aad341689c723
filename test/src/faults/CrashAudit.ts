/**
 * Audits a crash run after all work is done: every acknowledged action exists, nothing was executed twice, the books balance, every
 * pending action was reported by an event, and no job is left.
 */
import type pg from "pg"
import { isSigned, type Receiver } from "../e2e/Receiver.ts"
import { idOf, isHeld, type ReceivedResponses, type Submitted } from "./CrashClients.ts"

interface ActionRow {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly transaction: string | null
  readonly account: string
}

interface EntryRow {
  readonly account: string
  readonly amount: number
  readonly reference: string
}

const rowsOf = async <A extends pg.QueryResultRow>(pool: pg.Pool, text: string): Promise<ReadonlyArray<A>> =>
  (await pool.query<A>(text)).rows

/** What arrived at the webhook endpoint. */
export interface Arrivals {
  /** The ids of the events. */
  readonly ids: ReadonlySet<string>
  /** The deliveries that the service's key did not sign. */
  readonly unsigned: number
}

/** Audits all but the jobs, some of which are due later. Returns a sentence for each problem. */
export const problemsOfRecords = async (
  pool: pg.Pool,
  { submitted }: { readonly submitted: ReadonlyArray<Submitted> },
  arrivals: Arrivals,
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  const claim = (holds: boolean, problem: string) => {
    if (!holds) found.push(problem)
  }
  const actions = await rowsOf<ActionRow>(
    pool,
    `select a.id, a.data->>'status' as status, (a.data->'transferDetails'->>'amount')::float8 as amount, t.data->>'status' as transaction,
       a.data->'transferDetails'->>'destinationAccountId' as account
     from countersign.agent_action a left join countersign.transaction t on t.platform_id = a.platform_id and t.id = a.data->>'transactionId'`,
  )
  const entries = await rowsOf<EntryRow>(
    pool,
    "select account_id as account, amount::float8 as amount, reference from countersign.ledger_entry where account_id like 'available:%'",
  )
  const actionsByAmount = Map.groupBy(actions, ({ amount }) => amount)
  const entriesByAmount = Map.groupBy(entries, ({ amount }) => amount)

  const checkAction = (one: Submitted, action: ActionRow) => {
    const name = `action ${action.id} (${one.key})`
    const moved = (entriesByAmount.get(one.amount) ?? []).length
    claim(action.account === one.customer.accountId, `${name} belongs to another account`)
    if (action.status === "APPROVED") {
      claim(action.transaction === "COMPLETED", `${name} is approved, and its transaction ${action.transaction}`)
      claim(moved === 1, `${name} moved its money ${moved} times`)
    } else {
      claim(moved === 0, `${name} is ${action.status}, and moved its money ${moved} times`)
      claim(isHeld(one) && /^(?:PENDING_APPROVAL|REJECTED)$/u.test(action.status), `${name} is ${action.status}`)
    }
    const { decision } = one
    if (decision === undefined) claim(action.status !== "REJECTED", `${name} was never decided, and is rejected`)
    if (decision?.isAnswered === true) {
      const expected = decision.verb === "approve" ? "APPROVED" : "REJECTED"
      claim(action.status === expected, `${name} was answered ${decision.verb}, and is ${action.status}`)
    }
  }
  for (const one of submitted) {
    const [action, ...more] = actionsByAmount.get(one.amount) ?? []
    actionsByAmount.delete(one.amount)
    claim(more.length === 0, `${one.key} made ${1 + more.length} actions`)
    if (one.answer !== undefined)
      claim(action?.id === idOf(one), `${one.key} was acknowledged as ${idOf(one)}, and is ${action?.id}`)
    if (action !== undefined) checkAction(one, action)
  }
  claim(actionsByAmount.size === 0, `${actionsByAmount.size} actions without a request`)

  for (const { currency, total } of await rowsOf<{ readonly currency: string; readonly total: string }>(
    pool,
    "select currency, sum(balance)::text as total from countersign.ledger_account group by currency",
  )) {
    claim(total === "0", `the ledger of ${currency} sums to ${total}`)
  }
  for (const { id } of await rowsOf<{ readonly id: string }>(
    pool,
    `select a.id from countersign.ledger_account a left join lateral (
       select count(*) n, coalesce(max(e.sequence), 0) last, coalesce(sum(e.amount), 0) total from countersign.ledger_entry e
       where e.platform_id = a.platform_id and e.account_id = a.id) e on true
     where a.sequence <> e.n or a.sequence <> e.last or a.balance <> e.total or a.balance < a.floor`,
  )) {
    found.push(`the balance of ${id} differs from the sum of its entries`)
  }

  const events = await rowsOf<{ readonly id: string; readonly type: string; readonly subject: string }>(
    pool,
    "select id, type, subject from countersign.event",
  )
  for (const { id, type } of events) claim(arrivals.ids.has(id), `the event ${id} (${type}) never arrived`)
  const stored = new Set(events.map(({ id }) => id))
  for (const id of arrivals.ids) claim(stored.has(id), `an event ${id} arrived that is not stored`)
  const pendingEvents = Map.groupBy(
    events.filter(({ type }) => type === "AGENT_ACTION.PENDING_APPROVAL"),
    ({ subject }) => subject,
  )
  for (const { amount, id } of actions) {
    const times = pendingEvents.get(id)?.length ?? 0
    claim(times === (isHeld({ amount }) ? 1 : 0), `action ${id} was reported as pending by ${times} events`)
  }
  claim(arrivals.unsigned === 0, "a delivery was not signed by the service's key")
  return found
}

/** Returns a sentence for each problem. */
export const problems = async (
  pool: pg.Pool,
  responses: ReceivedResponses,
  received: Receiver["received"],
  publicKey: string,
): Promise<ReadonlyArray<string>> => {
  const found = await problemsOfRecords(pool, responses, {
    ids: new Set(received.map(({ event }) => event.id)),
    unsigned: received.filter((delivery) => !isSigned(delivery, publicKey)).length,
  })
  const [jobs] = await rowsOf<{ readonly n: number }>(pool, "select count(*)::int as n from countersign.job")
  return jobs?.n === 0 ? found : [...found, `${jobs?.n} jobs are left`]
}
