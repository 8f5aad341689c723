/**
 * Actions on deposits by funding instructions: credited, held, refused and given back by the suffix of their sender's account, and on
 * money that an operator applies. A bank that reports a deposit repeats its report.
 * Source: wire contract areas 2.8, 2.13 and 3.10; D-398, D-399, D-416.
 */
import { Deposits } from "@countersign/core"
import type { Body, DepositRequest } from "./Answers.ts"
import { anyOf, bodyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"

const suffixes = ["000", "000", "000", "001", "002", "003", "003", "004", "005"] as const

const reportsMax = 400

/** A new deposit. Its remittance information is unique, so that the auditor recognizes it. */
const newDeposit = ({ name, random, pay }: Client) => {
  const suffix = random.pick(suffixes)
  const reference = name()
  const accountId = random.once(4) ? pay.eurosId : pay.accountId
  const source = {
    accountHolderName: "John Sender",
    accountIdentifier: `000123456${suffix}`,
    remittanceInformation: reference,
  }
  const deposit: DepositRequest = { reference, suffix, accountId, amount: 1 + random.below(900) }
  return { deposit, source }
}

const remembered = ({ answers }: Client, deposit: DepositRequest, isAnswered: boolean): boolean => {
  const list = isAnswered ? answers.deposits : answers.unansweredDeposits
  list.set(deposit.reference, deposit)
  return isAnswered
}

export const depositActions: ClientActions = {
  // The call has no key: if the response is lost, the outcome is unknown.
  deposit: {
    weight: 3,
    run: async (client) => {
      const { deposit, source } = newDeposit(client)
      const { accountId, amount } = deposit
      const body = { amount, source }
      const reply = await client.once("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body })
      return remembered(client, deposit, reply !== undefined && isDone(reply))
    },
  },
  "deposit reported": {
    weight: 2,
    run: async (client) => {
      const { answers, random, pay } = client
      const { deposit, source } = newDeposit(client)
      const { accountId, amount, reference } = deposit
      const report = Deposits.use((deposits) => deposits.report({ accountId, amount, source, depositId: reference }))
      const attempt = () => {
        answers.requests += 1
        return pay.run(report).then(
          () => true,
          () => false,
        )
      }
      let left = reportsMax
      while (left > 0 && !(await attempt())) left -= 1
      if (random.once(2)) await attempt()
      return remembered(client, deposit, left > 0)
    },
  },
  // Also the money of a quote whose refund has failed: that of a payer without an account needs one.
  "unapplied money applied": {
    weight: 7,
    run: async ({ answers, insist, random, pay }) => {
      const open = bodyOf(await insist("GET", "/unapplied-money?limit=100"))["data"] as ReadonlyArray<Body>
      const { accountId = pay.accountId, transactionId } = anyOf(random, open) ?? {}
      if (typeof transactionId !== "string" || typeof accountId !== "string") return undefined
      const reply = await insist("POST", `/unapplied-money/${transactionId}/apply`, { body: { accountId } })
      // Of several requests one applies the money; the others find that it is applied.
      const isApplied = isDone(reply) || reply.status === 409
      if (isApplied) answers.applied.set(transactionId, accountId)
      return isApplied
    },
  },
}
