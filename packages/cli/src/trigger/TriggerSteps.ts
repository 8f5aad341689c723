/** The steps of triggers, each over the interface alone. Magic suffixes choose the outcomes. Source: D-461; docs/magic-values.md. */
import type { Handles, TriggerContext } from "./TriggerContext.ts"

const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" } as const

/** Returns the first of a list that cannot be empty. */
const first = <A>(values: ReadonlyArray<A>, what: string): A => {
  const [value] = values
  if (value === undefined) throw new Error(`the sandbox has no ${what}`)
  return value
}

export const newPerson = async ({ client }: TriggerContext, fullName = "Ada Lovelace") =>
  (await client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL", fullName } })).id

export const newBusiness = async ({ client }: TriggerContext, suffix: string) => {
  const businessInfo = {
    legalName: "Analytical Engines",
    country: "US",
    taxId: "12-3456789",
    registrationNumber: `REG-5${suffix}`,
    incorporatedOn: "2014-03-01",
  }
  return (await client.customers.createCustomer({ payload: { customerType: "BUSINESS", businessInfo } })).id
}

export const verify = async ({ client }: TriggerContext, customerId: string) =>
  (await client.onboarding.createVerification({ payload: { customerId } })).id

/** A person with an account in US dollars. */
export const newHolder = async (context: TriggerContext) => {
  const customerId = await newPerson(context)
  const { data } = await context.client.accounts.listInternalAccounts({ query: { customerId, currency: "USD" } })
  return { customerId, accountId: first(data, "account in USD").id }
}

/** Adds money; a suffix chooses what becomes of the deposit. */
export const deposit = async ({ client }: TriggerContext, accountId: string, suffix?: string) => {
  const source = suffix === undefined ? {} : { source: { accountIdentifier: `sender-${suffix}` } }
  await client.sandbox.sandboxFundInternalAccount({ params: { accountId }, payload: { amount: 100_000, ...source } })
}

export const newFundedHolder = async (context: TriggerContext) => {
  const holder = await newHolder(context)
  await deposit(context, holder.accountId)
  return holder
}

export const addBankAccount = async ({ client }: TriggerContext, customerId: string, suffix = "000") => {
  const { id } = await client.externalAccounts.createCustomerExternalAccount({
    payload: {
      customerId,
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: `12345${suffix}`,
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace", address },
      },
    },
  })
  return id
}

/** Pulls money in from a bank account with this suffix. */
export const pull = async (context: TriggerContext, suffix = "000"): Promise<Handles> => {
  const holder = await newHolder(context)
  const externalAccountId = await addBankAccount(context, holder.customerId, suffix)
  const { id: transactionId } = await context.client.transfers.createTransferIn({
    payload: { source: { accountId: externalAccountId }, destination: { accountId: holder.accountId }, amount: 5000 },
  })
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
export const quote = async (
  context: TriggerContext,
  { customerId, accountId }: { readonly customerId: string; readonly accountId: string },
  suffix = "000",
) => {
  const { client } = context
  const { id: externalAccountId } = await client.externalAccounts.createCustomerExternalAccount({
    payload: {
      customerId,
      currency: "MXN",
      accountInfo: {
        accountType: "MXN_ACCOUNT",
        clabeNumber: `032180000118359${suffix}`,
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Frida Kahlo" },
      },
    },
  })
  return client.quotes.createQuote({
    payload: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: externalAccountId },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 1000,
    },
  })
}

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
  const { id: cardId } = await client.cards.createCard({
    payload: { cardholderId: customerId, platformCardId: "card-000", form: "VIRTUAL", fundingSources: [accountId] },
  })
  // The issuer's answer is work that is due at once.
  await context.advance(1)
  return { customerId, accountIds, cardId }
}

/** Authorizes a purchase of 25.00; the suffix of the merchant chooses what becomes of it. */
export const purchase = async (context: TriggerContext, suffix = "000") => {
  const { client } = context
  const { cardId, customerId } = await newCard(context)
  const merchant = { descriptor: `Shop ${suffix}` }
  await client.sandboxCards.sandboxSimulateCardAuthorization({
    params: { id: cardId },
    payload: { amount: 2500, currency: "USD", merchant },
  })
  const { data } = await client.transactions.listTransactions({ query: { type: "CARD", customerId } })
  return { customerId, cardId, cardTransactionId: first(data, "card transaction").id }
}

/** Clears an amount of a purchase, and lets the money arrive. */
export const clearedPurchase = async (context: TriggerContext, amount: number, suffix?: string) => {
  const made = await purchase(context, suffix)
  const { cardId, cardTransactionId } = made
  await context.client.sandboxCards.sandboxSimulateCardClearing({
    params: { id: cardId },
    payload: { cardTransactionId, amount },
  })
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
