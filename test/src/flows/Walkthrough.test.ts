/**
 * The public walkthrough of an embedded wallet: fill it with a dollar and spend the same dollar, with a published client's wallet
 * cryptography. Source: wire contract areas 3.8.
 */
import { expect, it } from "vitest"
import { at } from "../e2e/Client.ts"
import { ApiKeyStamper, client as foreign } from "../interop/Foreign.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { type Answer, type Foreign, foreignClient, textAt } from "./ForeignClient.ts"

interface Keys {
  readonly privateKey: string
  readonly publicKey: string
}

const stampOf = async ({ privateKey, publicKey }: Keys, payload: string) => {
  const options = { apiPublicKey: publicKey, apiPrivateKey: privateKey, runtimeOverride: "node" } as const
  return (await new ApiKeyStamper(options).stamp(payload)).stampHeaderValue
}

/** Signs in with the code of the sandbox. Returns the session's key. */
const signIn = async ({ post, signatureHeader }: Foreign, credentialId: string): Promise<Keys> => {
  const challenge = await post(`/auth/credentials/${credentialId}/challenge`)
  expect([challenge.status, typeof at(challenge.body, "otpEncryptionTargetBundle")]).toEqual([200, "string"])
  const bundle = textAt(challenge, "otpEncryptionTargetBundle")
  const keys = foreign.generateP256KeyPair()
  const signer = String(at(JSON.parse(bundle), "enclaveQuorumPublic"))
  const encryptedOtpBundle = await foreign.encryptOtpCodeToBundle("000000", bundle, keys.publicKey, signer)
  const body = { type: "EMAIL_OTP", encryptedOtpBundle }
  const path = `/auth/credentials/${credentialId}/verify`
  const first = await post(path, body)
  expect(first.status).toBe(202)
  const headers = {
    [signatureHeader]: await stampOf(keys, textAt(first, "payloadToSign")),
    "Request-Id": textAt(first, "requestId"),
  }
  expect(await post(path, body, headers)).toMatchObject({ status: 200 })
  return keys
}

const payloadOf = (quote: Answer) =>
  textAt(
    {
      status: 200,
      body: (at(quote.body, "paymentInstructions") as ReadonlyArray<object>).find(
        (entry) => at(entry, "accountOrWalletInfo", "accountType") === "EMBEDDED_WALLET",
      ),
    },
    "accountOrWalletInfo",
    "payloadToSign",
  )

it.each(serviceNames)(
  "fills a wallet with one dollar and pays the same dollar out, at the service %s",
  async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const { get, post } = client
    const person = { customerType: "INDIVIDUAL", fullName: "Jane Doe", email: "jane@example.com" }
    const customer = await post("/customers", { ...person, platformCustomerId: "walkthrough-1", region: "US" })
    expect(customer).toMatchObject({ status: 201, body: { kycStatus: "APPROVED" } })
    const customerId = textAt(customer, "id")

    const accounts = await get(`/customers/internal-accounts?customerId=${customerId}`)
    const listed = at(accounts.body, "data") as ReadonlyArray<{
      readonly id: string
      readonly type: string
      readonly balance: object
    }>
    const summary = listed.map((account) => [account.type, at(account.balance, "currency", "code")])
    expect(summary).toEqual(
      expect.arrayContaining([
        ["EMBEDDED_WALLET", "USDB"],
        ["INTERNAL_FIAT", "USD"],
      ]),
    )
    const walletId = listed.find(({ type }) => type === "EMBEDDED_WALLET")?.id ?? ""
    const credentials = await get(`/auth/credentials?accountId=${walletId}`)
    expect(credentials).toMatchObject({ status: 200, body: { data: [{ type: "EMAIL_OTP" }] } })

    const bank = await post("/customers/external-accounts", {
      customerId,
      currency: "USD",
      platformAccountId: "walkthrough-bank",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "0000000000",
        routingNumber: "021000021",
        paymentRails: ["RTP"],
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Jane Doe" },
      },
    })
    expect(bank).toMatchObject({ status: 201, body: { status: "ACTIVE" } })
    expect(at(bank.body, "accountInfo", "paymentRails")).toEqual(["ACH", "WIRE", "RTP", "FEDNOW"])

    const onRamp = await post("/quotes", {
      source: { sourceType: "REALTIME_FUNDING", customerId, currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: walletId, currency: "USDB" },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 100,
    })
    expect(onRamp).toMatchObject({
      status: 201,
      body: {
        totalReceivingAmount: 1_000_000,
        exchangeRate: 1,
        feesIncluded: 0,
        rateDetails: {
          [client.member("ApiFixedFee")]: 0,
          [client.member("ApiVariableFeeRate")]: 0,
          [client.member("ApiVariableFeeAmount")]: 0,
        },
      },
    })
    expect(await post("/sandbox/send", { quoteId: textAt(onRamp, "id"), currencyCode: "USD" })).toMatchObject({
      status: 200,
    })
    await client.pay.settle()
    expect(await get(`/quotes/${textAt(onRamp, "id")}`)).toMatchObject({ body: { status: "COMPLETED" } })

    const offRampOf = (lockedCurrencyAmount: number) =>
      post("/quotes", {
        source: { sourceType: "ACCOUNT", accountId: walletId, customerId },
        destination: { destinationType: "ACCOUNT", accountId: textAt(bank, "id") },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount,
      })
    const session = await signIn(client, textAt(credentials, "data", 0, "id"))
    const execute = async (quote: Answer) =>
      post(
        `/quotes/${textAt(quote, "id")}/execute`,
        {},
        { [client.signatureHeader]: await stampOf(session, payloadOf(quote)) },
      )

    const tooMuch = await offRampOf(1_010_000)
    expect(tooMuch).toMatchObject({ status: 201 })
    expect(await execute(tooMuch)).toMatchObject({ status: 400 })

    const offRamp = await offRampOf(1_000_000)
    expect(offRamp).toMatchObject({ status: 201, body: { totalReceivingAmount: 100, feesIncluded: 0 } })
    expect(await post(`/quotes/${textAt(offRamp, "id")}/execute`, {})).toMatchObject({ status: 401 })
    expect(await execute(offRamp)).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
    await client.pay.settle()
    expect(await get(`/quotes/${textAt(offRamp, "id")}`)).toMatchObject({ body: { status: "COMPLETED" } })
    const emptied = await get(`/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)
    expect(emptied.body).toMatchObject({ data: [{ balance: { amount: 0 } }] })
  },
)
