/** An embedded service whose rails are at a bank over HTTP, with the address of its reports. */
import { once } from "node:events"
import { createServer } from "node:http"
import { nodeListener } from "@countersign/adapter-http"
import { startWithBank } from "../guides/bank/BankOverHttp.ts"

const platform = { clientId: "first", clientSecret: "first-secret" }

export interface Reports extends AsyncDisposable {
  /** The address below which reports are taken. */
  readonly url: string
  /** The status of each receipt, oldest first. */
  readonly statuses: ReadonlyArray<number>
  readonly serve: (handler: (request: Request) => Promise<Response>) => void
}

/** Listens for reports before there is a service, because the bank has to know the address. */
export const reports = async (): Promise<Reports> => {
  let handler = async (_request: Request): Promise<Response> => new Response(null, { status: 503 })
  const statuses: Array<number> = []
  const server = createServer(
    nodeListener(async (request) => {
      const response = await handler(request)
      statuses.push(response.status)
      return response
    }),
  )
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/port-reports`,
    statuses,
    serve: (given) => {
      handler = given
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Starts the service of the guide. */
export const bankedService = async (url: string, secret: string, taken?: Reports) => {
  const { payments, reports: handler } = await startWithBank(url, secret)
  taken?.serve(handler)
  return { payments, client: payments.client(platform), [Symbol.asyncDispose]: payments.dispose }
}

type Client = Awaited<ReturnType<typeof bankedService>>["client"]

/** Pulls an amount from the account of a new customer at the bank. */
export const pulled = async (client: Client, amount: number) => {
  const fullName = "Ada Lovelace"
  const { id: customerId } = await client.customers.createCustomer({
    payload: { customerType: "INDIVIDUAL", fullName },
  })
  const { data } = await client.customers.listCustomerInternalAccounts({ query: { customerId, currency: "USD" } })
  const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }
  const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName, address } as const
  const accountInfo = {
    accountType: "USD_ACCOUNT",
    accountNumber: "12345678",
    routingNumber: "021000021",
    beneficiary,
  } as const
  const payload = { customerId, currency: "USD", accountInfo } as const
  const source = await client.externalAccounts.createCustomerExternalAccount({ payload })
  return client.transfers.createTransferIn({
    payload: { source: { accountId: source.id }, destination: { accountId: data[0]?.id ?? "" }, amount },
  })
}

export const statusOf = async (client: Client, transactionId: string) =>
  (await client.transactions.getTransactionById({ params: { transactionId } })).status
