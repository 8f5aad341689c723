/** Who and what an action's ids stand for, asked once each; an id that is gone shows itself. */
import type { Api } from "./Api.ts"
import { money, shortId } from "./Format.ts"
import type { Action, Agent, Customer, ExternalAccount, InternalAccount } from "./Wire.ts"

/** An account, as a line and a smaller one below it. */
export interface Party {
  readonly name: string
  readonly detail: string
}

export interface Names {
  readonly agent: string
  readonly customer: Party
  readonly from: Party
  readonly to: Party
  readonly decimals: number
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)
const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** The fields that say which account it is; of a long one its end. */
const numberFields = ["accountNumber", "iban", "clabeNumber", "pixKey", "vpa", "phoneNumber", "address", "invoice"]

const ended = (number: string) => (number.length > 4 ? `••${number.slice(-4)}` : number)

export const externalParty = ({ accountInfo, currency }: ExternalAccount): Party => {
  const beneficiary = member(accountInfo, "beneficiary")
  const company = member(beneficiary, "businessInfo")
  const name = text(member(beneficiary, "fullName")) ?? text(member(company, "legalName"))
  const number = numberFields.map((field) => text(member(accountInfo, field))).find((value) => value !== undefined)
  const bank = text(member(accountInfo, "bankName"))
  const account = [bank, number === undefined ? undefined : ended(number)]
    .filter((part) => part !== undefined)
    .join(" ")
  return {
    name: name ?? `${currency} account`,
    detail: account === "" ? `${currency} account` : `${currency} · ${account}`,
  }
}

const internalParty = ({ balance }: InternalAccount): Party => ({
  name: `${balance.currency.code} account`,
  detail: `${money(balance.amount, balance.currency.code, balance.currency.decimals)} available`,
})

const customerParty = (customer: Customer): Party => {
  const business = text(member(member(customer, "businessInfo"), "legalName"))
  return {
    name: text(member(customer, "fullName")) ?? business ?? customer.platformCustomerId,
    detail: customer.platformCustomerId,
  }
}

const unknown = (what: string, id: string): Party => ({ name: what, detail: shortId(id) })

/** From where to where: of a payment to an address the address. */
const endsOf = ({ quote, transferDetails }: Action) => {
  if (quote === undefined) {
    return { source: transferDetails?.sourceAccountId ?? "", destination: transferDetails?.destinationAccountId ?? "" }
  }
  const { destination, source } = quote
  return {
    source: source.sourceType === "ACCOUNT" ? source.accountId : source.currency,
    destination: destination.destinationType === "ACCOUNT" ? destination.accountId : destination.umaAddress,
  }
}

/** Asks for names. What is asked for again is not asked again, but a balance is. */
export const makeNames = (api: Api) => {
  const asked = new Map<string, Promise<unknown>>()
  const once = <A>(path: string): Promise<A | undefined> => {
    const known = asked.get(path) ?? api.get<A>(path).catch(() => undefined)
    asked.set(path, known)
    return known as Promise<A | undefined>
  }
  const isInternal = (id: string) => id.startsWith("InternalAccount:")
  const balanceOf = async (id: string) =>
    isInternal(id) ? api.get<InternalAccount>(`/internal-accounts/${id}`).catch(() => undefined) : undefined
  const account = async (id: string, internal: InternalAccount | undefined): Promise<Party> => {
    if (isInternal(id)) return internal === undefined ? unknown("Account", id) : internalParty(internal)
    if (!id.startsWith("ExternalAccount:")) return { name: id, detail: "" }
    const external = await once<ExternalAccount>(`/customers/external-accounts/${id}`)
    return external === undefined ? unknown("Deleted account", id) : externalParty(external)
  }
  return async (action: Action): Promise<Names> => {
    const { agentId, customerId, platformCustomerId, quote } = action
    const { destination, source } = endsOf(action)
    const [agent, customer, paying, paid] = await Promise.all([
      once<Agent>(`/agents/${agentId}`),
      once<Customer>(`/customers/${customerId}`),
      balanceOf(source),
      balanceOf(destination),
    ])
    return {
      agent: agent?.name ?? `Deleted agent ${shortId(agentId)}`,
      customer:
        customer === undefined ? { name: platformCustomerId, detail: platformCustomerId } : customerParty(customer),
      from: await account(source, paying),
      to: await account(destination, paid),
      decimals: quote?.sendingCurrency.decimals ?? (paying ?? paid)?.balance.currency.decimals ?? 2,
    }
  }
}

export type NamesOf = ReturnType<typeof makeNames>
