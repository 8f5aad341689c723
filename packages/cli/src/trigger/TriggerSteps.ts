/** The steps of triggers, each over the interface alone. Magic suffixes choose the outcomes. Source: D-461; docs/magic-values.md. */
import { ScenarioSteps as Steps } from "@countersign/client/scenarios"
import type { Handles, TriggerContext } from "./TriggerContext.ts"

/** Returns the first of a list that cannot be empty. */
const first = <A>(values: ReadonlyArray<A>, what: string): A => {
  const [value] = values
  if (value === undefined) throw new Error(`the sandbox has no ${what}`)
  return value
}

export const newPerson = (context: TriggerContext, fullName = "Ada Lovelace") => Steps.addPerson(context, fullName)

export const newBusiness = (context: TriggerContext, suffix: string) =>
  Steps.addBusiness(context, suffix, "Analytical Engines")

export const { verify } = Steps

/** A person with an account in US dollars. */
export const newHolder = async (context: TriggerContext) => {
  const customerId = await newPerson(context)
  const { data } = await context.client.accounts.listInternalAccounts({ query: { customerId, currency: "USD" } })
  return { customerId, accountId: first(data, "account in USD").id }
}

/** Adds money; a suffix chooses what becomes of the deposit. */
export const deposit = (context: TriggerContext, accountId: string, suffix?: string) =>
  Steps.fund(context, accountId, 100_000, suffix === undefined ? undefined : `sender-${suffix}`)

export const newFundedHolder = async (context: TriggerContext) => {
  const holder = await newHolder(context)
  await deposit(context, holder.accountId)
  return holder
}

export const addBankAccount = (context: TriggerContext, customerId: string, suffix = "000") =>
  Steps.addBankAccount(context, customerId, { accountNumber: `12345${suffix}`, fullName: "Ada Lovelace" })

/** Pulls money in from a bank account with this suffix. */
export const pull = async (context: TriggerContext, suffix = "000"): Promise<Handles> => {
  const holder = await newHolder(context)
  const externalAccountId = await addBankAccount(context, holder.customerId, suffix)
  const transactionId = await Steps.pull(context, { from: externalAccountId, to: holder.accountId, amount: 5000 })
  return { ...holder, externalAccountId, transactionId }
}

/** Pays out to a bank account with this suffix. */
export const payOut = async (context: TriggerContext, suffix = "000"): Promise<Handles> => {
  const holder = await newFundedHolder(context)
  const externalAccountId = await addBankAccount(context, holder.customerId, suffix)
  const { id: transactionId } = await context.client.transfers.createTransferOut({
    payload: { source: { accountId: holder.accountId }, destination: { accountId: externalAccountId }, amount: 5000 },
  })
  return { ...holder, externalAccountId, transactionId }
}

/** Creates a quote from US dollars to a Mexican account with this suffix. */
export const quote = (
  context: TriggerContext,
  holder: { readonly customerId: string; readonly accountId: string },
  suffix = "000",
) => Steps.quoteToMexico(context, { ...holder, amount: 1000 }, suffix)

/** Executes a quote whose outcome the suffix chooses. */
export const executedQuote = async (context: TriggerContext, suffix: string): Promise<Handles> => {
  const holder = await newFundedHolder(context)
  const { id: quoteId, transactionId } = await quote(context, holder, suffix)
  await context.client.quotes.executeQuote({ params: { quoteId } })
  return { ...holder, quoteId, transactionId }
}

/** Issues a card on the accounts of a person in one currency, the first of them with money. */
export const newCard = async (context: TriggerContext, sources = 1) => {
  const { client } = context
  const customerId = await newPerson(context)
  const currency = sources === 1 ? "USD" : "USDB"
  const { data } = await client.accounts.listInternalAccounts({ query: { customerId, currency } })
  const accountIds = data.map(({ id }) => id).slice(0, sources)
  const accountId = first(accountIds, `account in ${currency}`)
  await deposit(context, accountId)
  const platformCardId = await Steps.nextCardName(context)
  const { id: cardId } = await client.cards.createCard({
    payload: { cardholderId: customerId, platformCardId, form: "VIRTUAL", fundingSources: [accountId] },
  })
  // The issuer's answer is work that is due at once.
  await context.advance(1)
  return { customerId, accountIds, cardId }
}

/** Authorizes a purchase of 25.00; the suffix of the merchant chooses what becomes of it. */
export const purchase = async (context: TriggerContext, suffix = "000") => {
  const { cardId, customerId } = await newCard(context)
  const bought = { cardId, customerId, amount: 2500, merchant: `Shop ${suffix}` }
  return { customerId, cardId, cardTransactionId: await Steps.purchase(context, bought) }
}

/** Clears an amount of a purchase, and lets the money arrive. */
export const clearedPurchase = async (context: TriggerContext, amount: number, suffix?: string) => {
  const made = await purchase(context, suffix)
  await Steps.clear(context, { ...made, amount })
  await context.advance(1)
  return made
}

const csvHeader =
  "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country"

/** Imports one customer from a file with this name. */
export const importCustomers = async (context: TriggerContext, fileName: string): Promise<Handles> => {
  const { client } = context
  const { umaDomain } = await client.platform.getPlatformConfig()
  // Names are unique in a platform; the end of a new identifier is, too.
  const id = (await newPerson(context)).slice(-8)
  const row = `$person${id}@${umaDomain},import-${id},INDIVIDUAL,Ada Lovelace,1990-01-31,1 Main St,Boston,MA,02101,US`
  const file = new File([`${csvHeader}\n${row}\n`], fileName, { type: "text/csv" })
  const { jobId } = await client.bulkImports.uploadCustomersCsv({ payload: { file } })
  return { jobId }
}
