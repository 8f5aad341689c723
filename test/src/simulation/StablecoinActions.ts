/**
 * Actions on a stablecoin: mints and burns with every kind of funding, over accounts with magic values.
 * Source: wire contract areas 1.6.4 and 1.6.9.
 */
import type { Body } from "./Answers.ts"
import type { Client, ClientActions } from "./ClientRequests.ts"

const walletSuffixes = ["200", "200", "002", "003", "004", "005", "006"] as const
const bankSuffixes = ["000", "000", "002", "003", "004", "005"] as const
const rails = ["WIRE", "ACH_CREDIT", "SAME_DAY_ACH_CREDIT", "RTP_CREDIT"] as const

const bank = ({ random, pay }: Client): string => pay.declared[random.pick(bankSuffixes)] ?? ""

/** An amount that is a whole number of cents. */
const amount = ({ random }: Client): string => String((1 + random.below(900)) * 10_000)

const ordered = async (client: Client, kind: "mints" | "burns", body: object): Promise<boolean> => {
  const { answers, keyed, pay } = client
  const made: Body | undefined = await keyed(`/stablecoins/${pay.stablecoinId}/${kind}`, { body })
  if (made !== undefined) answers.stablecoinOperations.set(String(made["id"]), made)
  return made !== undefined
}

export const stablecoinActions: ClientActions = {
  mint: {
    weight: 4,
    run: (client) => {
      const type = client.random.pick(["WIRE", "WIRE", "ACH_DEBIT", "SAME_DAY_ACH_DEBIT"] as const)
      const fundingSource = type === "WIRE" ? { type } : { type, externalAccountId: bank(client) }
      const accountId = client.pay.wallets[client.random.pick(walletSuffixes)] ?? ""
      return ordered(client, "mints", { amount: amount(client), fundingSource, destination: { accountId } })
    },
  },
  burn: {
    weight: 3,
    run: (client) => {
      const { random } = client
      const source = { type: random.pick(["EXTERNAL_ACCOUNT", "PROVIDER_INTERNAL_BALANCE"]) }
      const destination = { type: "EXTERNAL_ACCOUNT", externalAccountId: bank(client), rail: random.pick(rails) }
      return ordered(client, "burns", { amount: amount(client), source, destination })
    },
  },
}
