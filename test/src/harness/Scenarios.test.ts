/** Named scenarios: their contents, their isolation between tests, and `--world`, which creates the same ones in a server. */
import { SignedClient, walletCrypto } from "@countersign/client"
import { scenarioNames } from "@countersign/client/scenarios"
import { named } from "@countersign/test"
import { describe, expect, it } from "vitest"
import { basic, client } from "../e2e/Client.ts"
import { credentialOptions, credentials } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { run, startServer } from "../e2e/ServerProcess.ts"

const usd = { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 } as const

describe("a named scenario", () => {
  it("contains nothing when it is the empty one", async () => {
    await using pay = await named("empty")
    expect(pay.handles).toEqual({})
    expect((await pay.client.customers.listCustomers({ query: {} })).data).toEqual([])
  })

  it("contains an agent's action that waits for an approval", async () => {
    await using pay = await named("agent-waiting-for-approval")
    const { accountId, actionId, agentId } = pay.handles
    const approved = await pay.client.agents.approveAgentAction({ params: { agentId, actionId } })
    expect(approved).toMatchObject({ id: actionId, status: "APPROVED" })
    await pay.settle()
    const { balance } = await pay.client.accounts.getInternalAccount({ params: { id: accountId } })
    expect(balance.amount).toBe(125_000)
  })

  it("contains a payment, balances and a pending approval for a demonstration", async () => {
    await using pay = await named("demo")
    const { europe, paymentId, supplierId } = pay.handles
    expect(await pay.client.transactions.getTransactionById({ params: { transactionId: paymentId } })).toMatchObject({
      status: "COMPLETED",
      destination: { accountId: supplierId },
    })
    const account = await pay.client.accounts.getInternalAccount({ params: { id: europe.accountId } })
    expect(account.balance).toMatchObject({ amount: 50_000, currency: { code: "EUR" } })
    const waiting = await pay.client.agents.listAgentApprovals({ query: {} })
    expect(waiting.data.map(({ id }) => id)).toEqual([pay.handles.actionId])
  })

  it("contains a funded wallet and a session that signs for it", async () => {
    await using pay = await named("funded-wallet-with-session")
    const { customerId, privateKey, sessionId, walletId } = pay.handles
    const { balance } = await pay.client.accounts.getInternalAccount({ params: { id: walletId } })
    expect(balance.amount).toBe(100_000)
    const { data } = await pay.client.wallet.listAuthSessions({ query: { accountId: walletId } })
    expect(data).toMatchObject([{ id: sessionId, type: "EMAIL_OTP", accountId: walletId }])
    const device = await pay.device({ accountId: walletId, session: { sessionId, privateKey } })
    expect([device.customerId, device.session?.id]).toEqual([customerId, sessionId])
    expect((await device.exportWords()).split(" ")).toHaveLength(12)
  })

  it("contains an active card that pays", async () => {
    await using pay = await named("active-card")
    const { accountId, cardId, customerId } = pay.handles
    expect(await pay.client.cards.getCardById({ params: { id: cardId } })).toMatchObject({
      state: "ACTIVE",
      cardholderId: customerId,
      fundingSources: [accountId],
    })
    await pay.client.sandboxCards.sandboxSimulateCardAuthorization({
      params: { id: cardId },
      payload: { amount: 2500, currency: usd, merchant: { descriptor: "Shop 000", mcc: "5411", country: "US" } },
    })
    const { balance, totalBalance } = await pay.client.accounts.getInternalAccount({ params: { id: accountId } })
    expect([balance.amount, totalBalance.amount]).toEqual([97_500, 100_000])
  })

  it("is isolated from the same scenario of another test", async () => {
    await using one = await named("agent-waiting-for-approval")
    await using two = await named("agent-waiting-for-approval")
    const { actionId, agentId } = one.handles
    expect(two.handles).toEqual(one.handles)
    await one.client.agents.rejectAgentAction({ params: { agentId, actionId }, payload: { reason: "no" } })
    expect((await two.client.agents.listAgentApprovals({ query: {} })).data).toHaveLength(1)
    expect((await one.client.agents.listAgentApprovals({ query: {} })).data).toEqual([])
  })

  it("generates the same identifiers for the same seed", async () => {
    const customerId = async (seed: number) => {
      await using pay = await named("demo", { seed })
      return (await pay.client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL" } })).id
    }
    expect(await customerId(4)).toBe(await customerId(4))
    expect(await customerId(4)).not.toBe(await customerId(5))
  })
})

describe("countersign serve --world", { timeout: 120_000 }, () => {
  it("creates the scenario once and prints its handles", async () => {
    await using folder = await newFolder()
    const options = [...credentialOptions, "--world", "demo"]
    const customers = async (base: string) => {
      const { body } = await client(base, basic(credentials.clientId, credentials.clientSecret))("GET", "/customers")
      return (body as { readonly totalCount: number }).totalCount
    }
    {
      await using server = await startServer({ cwd: folder.path, options })
      expect(server.stdout()).toMatch(/^ {2}treasury\.agentId +Agent:[0-9a-f-]{36}$/mu)
      expect(await customers(server.base)).toBe(2)
      server.terminate()
      await server.exited
    }
    await using again = await startServer({ cwd: folder.path, options })
    expect(again.printed("world")).toBe("not set up again, because the platform already exists")
    expect(await customers(again.base)).toBe(2)
  })

  it("creates a wallet whose session key signs under any name of the service", async () => {
    const options = [...credentialOptions, "--world", "funded-wallet-with-session", "--service-name", "Acme"]
    await using server = await startServer({ options })
    const handle = (name: string) => new RegExp(`^ {2}${name} +(\\S+)$`, "mu").exec(server.stdout())?.[1] ?? ""
    const wallet = walletCrypto()
    const keys = await wallet.importKeys(handle("privateKey"))
    const signer = new SignedClient({
      baseUrl: server.base,
      serviceName: "Acme",
      headers: { authorization: basic(credentials.clientId, credentials.clientSecret) },
      sign: (payload) => wallet.stamp(keys, payload),
    })
    const answer = await signer.request("DELETE", `/auth/sessions/${handle("sessionId")}`)
    expect(answer.status).toBe(204)
  })

  it("creates a card that the issuer has provisioned", async () => {
    await using server = await startServer({ options: [...credentialOptions, "--world", "active-card"] })
    const cardId = /^ {2}cardId +(Card:\S+)$/mu.exec(server.stdout())?.[1] ?? ""
    const platform = client(server.base, basic(credentials.clientId, credentials.clientSecret))
    expect((await platform("GET", `/cards/${cardId}`)).body).toMatchObject({ state: "ACTIVE" })
  })

  it.each([
    ["--mode", "live"],
    ["--role", "worker"],
  ])("rejects --world together with %s %s", async (...more) => {
    await using process = run({
      options: ["--port", "0", "--store", "postgres://nobody@127.0.0.1:1/none", "--world", "demo", ...more],
    })
    expect((await process.exited).code).toBe(2)
    expect(process.stderr()).toContain("--world sets up a sandbox")
  })

  it("lists the names of all scenarios in its help", async () => {
    await using process = run({ options: ["--help"] })
    await process.exited
    for (const name of scenarioNames) expect(process.stdout()).toContain(name)
  })
})
