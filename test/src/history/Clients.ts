/**
 * Clients that know only the documents: they change and read a few records at the same time, and record every call with its answer.
 * Source: wire contract 0.4.
 */
import { at } from "../e2e/Client.ts"
import { usdAccount } from "../e2e/Flow.ts"
import { type Answered, type Ask, insisting, numberIn, shown, textIn } from "./Asking.ts"
import type { History, Listed, Subject } from "./History.ts"
import * as Models from "./Models.ts"

export interface ClientsOptions {
  readonly ask: Ask
  readonly history: History
  readonly randomInt: (below: number) => number
}

interface PayingAgent {
  readonly id: string
  readonly token: string
  readonly source: string
  readonly accountId: string
  readonly record: Subject<Models.AgentInput, Models.AgentOutput>
  readonly actions: Listed
}

export interface UsedCard {
  readonly id: string
  readonly record: Subject<Models.CardInput, string>
}

/** A payment that was made, and the request that repeats it. */
export interface Payment {
  readonly transactionId: string
  readonly accountId: string
  readonly again: () => Promise<Answered>
  readonly record: Subject<"look", string>
}

interface Purse {
  readonly id: string
  readonly accountId: string
  readonly record: Subject<Models.PurseInput, Models.PurseOutput>
}

export interface Clients {
  /** One random step of one client. */
  readonly step: () => Promise<void>
  /** Lets time pass over midnight, from which on all agents spend anew. Keys must outlive it. */
  readonly overMidnight: (advance: () => Promise<unknown>) => Promise<void>
  /** No client repeats an earlier payment from now on: its key may have expired. */
  readonly forgetKeys: () => void
  readonly payments: ReadonlyArray<Payment>
  readonly cards: ReadonlyArray<UsedCard>
  readonly purses: ReadonlyArray<Purse>
}

const dailyLimit = 12_000

export const newClients = async ({ ask, history, randomInt }: ClientsOptions): Promise<Clients> => {
  const insist = insisting(ask)
  const unexpected = (what: string, answered: Answered): undefined => {
    history.report(`${what} was answered ${shown(answered)}`)
    return undefined
  }
  let names = 0
  const newName = (what: string) => `${what} ${++names}`
  const one = <A>(all: ReadonlyArray<A>): A => {
    const found = all[randomInt(all.length)]
    if (found === undefined) throw new Error("the list is empty")
    return found
  }

  const made = async (path: string, body: unknown): Promise<Answered> => {
    const answered = await insist("POST", path, { body })
    if (answered.status !== 201) throw new Error(`${path} was answered ${shown(answered)}`)
    return answered
  }
  const newCustomer = async () => {
    const id = textIn(await made("/customers", { customerType: "INDIVIDUAL", fullName: "Ada 0" }), "id")
    const accounts = await insist("GET", `/customers/internal-accounts?customerId=${id}&currency=USD`)
    return { id, accountId: textIn(accounts, "data", 0, "id") }
  }
  const fund = (accountId: string, amount: number) =>
    ask("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount } })
  const newPayingAgent = async (): Promise<PayingAgent> => {
    const { accountId, id: customerId } = await newCustomer()
    const source = textIn(await made("/customers/external-accounts", usdAccount("12345000", customerId)), "id")
    const policy = {
      permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
      defaultExecutionMode: "AUTO",
      spendingLimits: { currency: "USD", perTransactionLimit: dailyLimit, dailyLimit },
    }
    const created = await made("/agents", { name: "Payroll", customerId, policy })
    const id = textIn(created, "agent", "id")
    const code = textIn(created, "deviceCode", "code")
    const token = textIn(await insist("POST", `/agents/device-codes/${code}/redeem`), "accessToken")
    const record = history.add(id, Models.agent(dailyLimit))
    return { id, token, source, accountId, record, actions: history.list(`the actions of ${id}`) }
  }
  const newCard = async (): Promise<UsedCard> => {
    const { accountId, id: cardholderId } = await newCustomer()
    await fund(accountId, 100_000_000)
    const body = { cardholderId, form: "VIRTUAL", fundingSources: [accountId], platformCardId: newName("card") }
    const id = textIn(await made("/cards", body), "id")
    while (textIn(await insist("GET", `/cards/${id}`), "state") !== "ACTIVE");
    return { id, record: history.add(id, Models.card) }
  }
  const newPurse = async (): Promise<Purse> => {
    const { accountId, id } = await newCustomer()
    return { id, accountId, record: history.add(accountId, Models.purse) }
  }
  const newText = async () => {
    const { id } = await newCustomer()
    return { id, record: history.add(id, Models.text("Ada 0")) }
  }
  const several = async <A>(count: number, make: () => Promise<A>): Promise<Array<A>> => {
    const all: Array<A> = []
    for (let n = 0; n < count; n++) all.push(await make())
    return all
  }
  const agents = await several(2, newPayingAgent)
  const cards = await several(2, newCard)
  const texts = await several(1, newText)
  const purses = await several(1, newPurse)
  const payments: Array<Payment> = []
  let repeatable = 0

  const pay = async () => {
    const { accountId, actions, record, source, token } = one(agents)
    const key = newName("payment")
    const amount = 1 + randomInt(4000)
    const body = { source: { accountId: source }, destination: { accountId }, amount }
    const send = async () => {
      const answered = await insist("POST", "/agents/me/transfer-in", { body, key, token })
      const { requestId: _, ...kept } = answered.body
      history.keyed(key, { status: answered.status, body: kept })
      return answered
    }
    let payment: Answered | undefined
    const call = await history.call(record.calls, { pay: amount }, async () => {
      payment = await send()
      if (payment.status === 201) return "paid"
      const reason = at(payment.body, "details", "reason")
      return reason === "AGENT_PAUSED" || reason === "LIMIT_EXCEEDED" ? reason : unexpected("a payment", payment)
    })
    if (payment === undefined || call.output !== "paid") return
    actions.adds.push({ ...call, input: key, output: textIn(payment, "id") })
    const transactionId = textIn(payment, "transaction", "id")
    payments.push({ transactionId, accountId, again: send, record: history.add(transactionId, Models.progress) })
  }

  const agentOf = (answered: Answered | undefined): Models.AgentState | undefined => {
    if (answered === undefined) return undefined
    if (answered.status !== 200) return unexpected("an agent", answered)
    return {
      isPaused: at(answered.body, "isPaused") === true,
      spent: numberIn(answered, "usage", "dailySpend"),
    }
  }
  const pause = async () => {
    const { id, record } = one(agents)
    const isPaused = randomInt(3) === 0
    await history.call(record.calls, { isPaused }, async () =>
      agentOf(await ask("PATCH", `/agents/${id}`, { body: { isPaused } })),
    )
  }
  const look = async () => {
    const { id, record } = one(agents)
    await history.call(record.calls, "look", async () => agentOf(await ask("GET", `/agents/${id}`)))
  }
  const list = async () => {
    const { actions, token } = one(agents)
    await history.call(actions.lists, undefined, async () => {
      const ids: Array<string> = []
      for (let more = "", isLast = false; !isLast; ) {
        const page = await insist("GET", `/agents/me/actions?limit=20${more}`, { token })
        const data = at(page.body, "data") as ReadonlyArray<{ readonly id: string }>
        ids.push(...data.map(({ id }) => id))
        isLast = at(page.body, "hasMore") !== true
        if (!isLast) more = `&cursor=${encodeURIComponent(textIn(page, "nextCursor"))}`
      }
      return ids
    })
  }
  const follow = async () => {
    if (payments.length === 0) return pay()
    const { record, transactionId } = one(payments)
    await history.call(record.calls, "look", async () => {
      const answered = await ask("GET", `/transactions/${transactionId}`)
      return answered && textIn(answered, "status")
    })
  }
  const repeat = async () => {
    const known = payments.slice(repeatable)
    if (known.length === 0) await pay()
    else await one(known).again()
  }

  const change = async () => {
    const { id, record } = one(cards)
    const become = one(["ACTIVE", "FROZEN"] as const)
    await history.call(record.calls, { become }, async () => {
      const answered = await ask("PATCH", `/cards/${id}`, { body: { state: become } })
      if (answered === undefined) return undefined
      if (answered.status === 200) return textIn(answered, "state")
      return answered.status === 409 ? textIn(answered, "code") : unexpected("a card", answered)
    })
  }
  const purchase = async () => {
    const { id, record } = one(cards)
    const merchant = { descriptor: "Shop 000", mcc: "5411", country: "US" }
    await history.call(record.calls, "purchase", async () => {
      const body = { amount: 1 + randomInt(500), currency: "USD", merchant }
      const answered = await ask("POST", `/sandbox/cards/${id}/simulate/authorization`, { body })
      if (answered === undefined) return undefined
      const reason = at(answered.body, "declineReason")
      return typeof reason === "string" ? reason : "approved"
    })
  }
  const showCard = async () => {
    const { id, record } = one(cards)
    await history.call(record.calls, "look", async () => {
      const answered = await ask("GET", `/cards/${id}`)
      return answered && textIn(answered, "state")
    })
  }

  const rename = async () => {
    const { id, record } = one(texts)
    const write = newName("Ada")
    await history.call(record.calls, { write }, async () => {
      const body = { customerType: "INDIVIDUAL", fullName: write }
      const answered = await ask("PATCH", `/customers/${id}`, { body })
      return answered && textIn(answered, "fullName")
    })
  }
  const read = async () => {
    const { id, record } = one(texts)
    await history.call(record.calls, "look", async () => {
      const answered = await ask("GET", `/customers/${id}`)
      return answered && textIn(answered, "fullName")
    })
  }

  const purseOf = (answered: Answered | undefined): Models.PurseOutput | undefined => {
    if (answered === undefined) return undefined
    if ([404, 409, 410].includes(answered.status)) return "refused"
    if (answered.status !== 200) return unexpected("an account", answered)
    const isClosed = textIn(answered, "status") === "CLOSED"
    return { isClosed, balance: numberIn(answered, "balance", "amount") }
  }
  const usePurse = async () => {
    const place = randomInt(purses.length)
    const { accountId, id, record } = purses[place] as Purse
    const { calls } = record
    const step = randomInt(8)
    // It ends as it is, and others come into its place.
    if (step === 0 && calls.length > 4)
      purses.push(purses[place] as Purse, ...purses.splice(place, 1, await newPurse()))
    else if (step < 3) {
      const amount = 1 + randomInt(9)
      await history.call(calls, { fund: amount }, async () => purseOf(await fund(accountId, amount)))
    } else if (step < 5) {
      await history.call(calls, "delete", async () => {
        const answered = await ask("DELETE", `/customers/${id}`)
        if (answered?.status === 200) return { isClosed: true, balance: 0 }
        return purseOf(answered)
      })
    } else await history.call(calls, "look", async () => purseOf(await ask("GET", `/internal-accounts/${accountId}`)))
  }

  const oftenest = [pay, usePurse].flatMap((step) => Array.from({ length: 6 }, () => step))
  const often = [pause, pause, look, look, change, change, purchase, purchase, purchase]
  const steps = [...oftenest, ...often, list, follow, repeat, showCard, rename, rename, read, read]
  return {
    step: () => one(steps)(),
    forgetKeys: () => {
      repeatable = payments.length
    },
    overMidnight: async (advance) => {
      let passed: Promise<unknown> | undefined
      await Promise.all(
        agents.map(({ record }) =>
          history.call(record.calls, "midnight", async () => {
            passed ??= advance()
            await passed
            return "moved" as const
          }),
        ),
      )
    },
    payments,
    cards,
    purses,
  }
}
