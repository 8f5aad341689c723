/** The example program that `countersign init` writes. It needs Node only, and a test runs it unchanged. Source: D-458. */
export const exampleProgram = `// An agent pulls money for its customer, and the platform approves it.
// Start the sandbox first (countersign serve), then: node --env-file=countersign.env example.mjs
import { readFile } from "node:fs/promises"

const { COUNTERSIGN_CLIENT_ID: id, COUNTERSIGN_CLIENT_SECRET: secret, COUNTERSIGN_PORT: port = "8787" } = process.env

// The sandbox notes its address in its folder, whatever its port is. COUNTERSIGN_SERVER names another server.
const noted = await readFile(".countersign/server.json", "utf8").then(JSON.parse, () => ({}))
const base = process.env.COUNTERSIGN_SERVER
  ? \`\${process.env.COUNTERSIGN_SERVER}/2025-10-13\`
  : (noted.server ?? \`http://127.0.0.1:\${port}/2025-10-13\`)

/** Sends one request, and returns the answer's body. */
const send = (authorization) => async (method, path, body) => {
  const response = await fetch(base + path, {
    method,
    headers: { authorization, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(\`\${method} \${path}: \${response.status} \${answer.message}\`)
  return answer
}
const platform = send(\`Basic \${btoa(\`\${id}:\${secret}\`)}\`)

const customer = await platform("POST", "/customers", { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" })
const readAccount = async () =>
  (await platform("GET", \`/customers/internal-accounts?customerId=\${customer.id}&currency=USD\`)).data[0]
const account = await readAccount()

const source = await platform("POST", "/customers/external-accounts", {
  customerId: customer.id,
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: "12345000",
    routingNumber: "021000021",
    beneficiary: {
      beneficiaryType: "INDIVIDUAL",
      fullName: "Ada Lovelace",
      address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
    },
  },
})

const { agent, deviceCode } = await platform("POST", "/agents", {
  name: "Payroll",
  customerId: customer.id,
  policy: {
    permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 90_000 },
    approvalThresholds: { currency: "USD", amount: 10_000 },
  },
})
const { accessToken } = await send("")("POST", \`/agents/device-codes/\${deviceCode.code}/redeem\`)

// 200.00 is above the threshold, so the action waits for the platform.
const action = await send(\`Bearer \${accessToken}\`)("POST", "/agents/me/transfer-in", {
  source: { accountId: source.id },
  destination: { accountId: account.id },
  amount: 20_000,
})
console.log(\`the agent asked for 200.00: \${action.status}\`)

const approved = await platform("POST", \`/agents/\${agent.id}/actions/\${action.id}/approve\`)
console.log(\`the platform decided: \${approved.status}\`)

// The work that is due is done before the clock answers.
await platform("POST", "/sandbox/clock/advance", { seconds: 60 })
console.log(\`the balance is \${(await readAccount()).balance.amount / 100} USD\`)
`
