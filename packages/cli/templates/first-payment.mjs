// Pays a beneficiary through the running service, and prints each step.
// Start the service first (npm start), then: node --env-file=countersign.env first-payment.mjs
const { COUNTERSIGN_CLIENT_ID: id, COUNTERSIGN_CLIENT_SECRET: secret, COUNTERSIGN_PORT: port = "8787" } = process.env
const base = `${process.env.COUNTERSIGN_SERVER ?? `http://127.0.0.1:${port}`}/2025-10-13`
const authorization = `Basic ${btoa(`${id}:${secret}`)}`

/** Sends one request. With an idempotency key, a repeated payment is the same payment. */
const send = async (method, path, body, key) => {
  const headers = { authorization, "content-type": "application/json", ...(key && { "idempotency-key": key }) }
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`)
  return answer
}

/** Asks until a transaction has ended; the bank may book it later. */
const ended = async ({ id: transaction }) => {
  for (;;) {
    const { status } = await send("GET", `/transactions/${transaction}`)
    if (!["CREATED", "PENDING", "PROCESSING"].includes(status)) return status
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const customer = await send("POST", "/customers", { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" })
console.log(`the customer is ${customer.id}`)
const own = `/customers/internal-accounts?customerId=${customer.id}&currency=USD`
const account = (await send("GET", own)).data[0]

const bankAccount = (accountNumber, fullName) =>
  send("POST", "/customers/external-accounts", {
    customerId: customer.id,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber,
      routingNumber: "021000021",
      beneficiary: {
        beneficiaryType: "INDIVIDUAL",
        fullName,
        address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
      },
    },
  })
const source = await bankAccount("12345678", "Ada Lovelace")
const beneficiary = await bankAccount("87654321", "Charles Babbage")

const funded = await send(
  "POST",
  "/transfer-in",
  { source: { accountId: source.id }, destination: { accountId: account.id }, amount: 50_000 },
  `fund-${customer.id}`,
)
console.log(`500.00 from the customer's bank: ${await ended(funded)}`)

const paid = await send(
  "POST",
  "/transfer-out",
  { source: { accountId: account.id }, destination: { accountId: beneficiary.id }, amount: 20_000 },
  `pay-${customer.id}`,
)
console.log(`200.00 to Charles Babbage: ${await ended(paid)}`)
console.log(`the balance is ${(await send("GET", own)).data[0].balance.amount / 100} USD`)
