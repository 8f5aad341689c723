/**
 * Tapes from the first request: those of every scenario, of an agent and of a wallet, replayed on a fresh world, as a program and as curl
 * commands that a shell runs.
 * Source: D-233, D-449.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ScenarioName, scenarioNames } from "@countersign/client/scenarios"
import { variablesOf } from "@countersign/client/tape"
import { agentHarness, asTest, harness, named, replay, type Tape } from "@countersign/test"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { credentialOptions, credentials } from "../e2e/Flow.ts"
import { repository, startServer } from "../e2e/ServerProcess.ts"
import { differencesAt, differencesOnFreshWorld, type ExportName, exports, run, tapeOf } from "./Tapes.ts"

/** Lists the purchases of one moment, which are in the order of their random ids. */
const unordered = "card-programme"

/** Goes on with a scenario: a request that needs what its set-up created. */
const goOn: { readonly [Name in Exclude<ScenarioName, typeof unordered>]: () => Promise<Tape> } = {
  empty: async () => {
    await using pay = await named("empty")
    await pay.client.customers.listCustomers()
    return tapeOf(pay)
  },
  demo: async () => {
    await using pay = await named("demo")
    const { agentId, actionId, paymentId, treasury } = pay.handles
    await pay.client.agents.approveAgentAction({ params: { agentId, actionId } })
    await pay.clock.advance("1 day")
    await pay.clientOf({ token: treasury.accessToken }).agentsMe.getAgentMe()
    await pay.client.transactions.getTransactionById({ params: { transactionId: paymentId } })
    return tapeOf(pay)
  },
  "agent-waiting-for-approval": async () => {
    await using pay = await named("agent-waiting-for-approval")
    const { accountId, actionId, agentId } = pay.handles
    await pay.client.agents.approveAgentAction({ params: { agentId, actionId } })
    await pay.settle()
    await pay.client.accounts.getInternalAccount({ params: { id: accountId } })
    return tapeOf(pay)
  },
  "funded-wallet-with-session": async () => {
    await using pay = await named("funded-wallet-with-session")
    const { privateKey, sessionId, walletId } = pay.handles
    const device = await pay.device({ accountId: walletId, session: { sessionId, privateKey } })
    await device.exportWords()
    await device.signedSend("PATCH", `/internal-accounts/${walletId}`, { privateEnabled: true })
    return tapeOf(pay)
  },
  "active-card": async () => {
    await using pay = await named("active-card")
    await pay.client.cards.getCardById({ params: { id: pay.handles.cardId } })
    return tapeOf(pay)
  },
  "payments-in-every-state": async () => {
    await using pay = await named("payments-in-every-state")
    await pay.client.quotes.executeQuote({ params: { quoteId: pay.handles.openQuoteId } })
    return tapeOf(pay)
  },
  "customers-in-every-state": async () => {
    await using pay = await named("customers-in-every-state")
    await pay.client.onboarding.createVerification({ payload: { customerId: pay.handles.unverifiedBusinessId } })
    return tapeOf(pay)
  },
  "failing-webhooks": async () => {
    await using pay = await named("failing-webhooks")
    await pay.client.sandboxFaults.sandboxClearFaults()
    await pay.client.transactions.getTransactionById({ params: { transactionId: pay.handles.paymentId } })
    return tapeOf(pay)
  },
}

/** A wallet with each kind of one-off value, and a refused signature. */
const walletTape = async (): Promise<Tape> => {
  await using pay = await harness()
  const device = await pay.device({ contacts: { email: "ada@example.com" } })
  await device.signIn("EMAIL_OTP")
  await device.register("PASSKEY")
  await device.signIn("PASSKEY")
  await device.refresh()
  await device.signedSend("PATCH", `/internal-accounts/${device.accountId}`, { privateEnabled: true })
  await device
    .signedSend("PATCH", `/internal-accounts/${device.accountId}`, { privateEnabled: false }, { wrong: "otherPayload" })
    .catch(() => undefined)
  await device.exportWords()
  return tapeOf(pay)
}

/** An agent with its own token, another API token, a refused token, a form, texts that shells and URLs treat specially, and a page. */
const agentTape = async (): Promise<Tape> => {
  await using pay = await agentHarness({ approvalThresholds: { currency: "USD", amount: 10_000 } })
  const body = { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 20_000 }
  const as = { token: pay.accessToken }
  const held = await pay.send("POST", "/agents/me/transfer-in", { as, headers: { "idempotency-key": "it's $1" }, body })
  const { id } = held.body as { readonly id: string }
  await pay.send("POST", `/agents/${pay.agentId}/actions/${encodeURIComponent(id)}/approve`)
  await pay.clock.advance("90 seconds")
  await pay.send("GET", `/customers?limit=1&createdAfter=${encodeURIComponent("2020-01-01T00:00:00+00:00")}`)
  await pay.send("GET", "/agents/me", { as: { token: "no-such-token-1" } })
  await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: 'Ada\'s "$HOME" `x`\\n{{' } })
  await pay.send("POST", "/customers", { body: "{not JSON" })
  const created = await pay.client.tokens.createToken({ payload: { name: "Reader", permissions: ["VIEW"] } })
  const authorization = `Basic ${btoa(`${created.clientId}:${created.clientSecret}`)}`
  await pay.send("GET", "/customers", { as: "nobody", headers: { authorization } })
  await pay.fetch("http://countersign.test/healthz")
  await pay.send("POST", "/documents", {
    form: {
      documentHolder: pay.customerId,
      documentType: "PASSPORT",
      country: "US",
      file: new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2])], 'a"b.png', {
        type: "image/png",
      }),
    },
  })
  return tapeOf(pay)
}

const tapes = { ...goOn, wallet: walletTape, agent: agentTape }
const names = [...scenarioNames.filter((name) => name !== unordered), "wallet", "agent"] as const

const gapsOf = ({ steps }: Tape) => steps.flatMap((step) => (step._tag === "Gap" ? [step.reason] : []))
const callsOf = ({ steps }: Tape) => steps.flatMap((step) => (step._tag === "Call" ? [step] : []))

const recordings = new Map<string, Promise<Tape>>()

/** The tape of this name, recorded once. */
const recordedOf = (name: keyof typeof tapes): Promise<Tape> => {
  const recorded = recordings.get(name) ?? tapes[name]()
  recordings.set(name, recorded)
  return recorded
}

describe.each(names)("the tape of %s", (name) => {
  it("begins with the first request and has no gap", async () => {
    const tape = await recordedOf(name)
    expect(gapsOf(tape)).toEqual([])
    expect(callsOf(tape)[0]?.path).toMatch(/^\/customers(?:\?|$)/u)
  })

  it("contains no generated value outside its answers, and no credential", async () => {
    const tape = await recordedOf(name)
    const sent = JSON.stringify(callsOf(tape).map((call) => ({ ...call, answer: null })))
    expect(sent).not.toMatch(/secret_test|client_test|:[0-9a-f]{8}-[0-9a-f]{4}-/u)
  })

  it("replays with the same answers on a world with other identifiers", async () => {
    await using other = await harness({ seed: 99 })
    expect(await replay(await recordedOf(name), other.replayTarget)).toEqual([])
  })

  it.each<ExportName>(["program", "curl"])("runs as %s on a fresh world with the same answers", async (way) => {
    expect(await differencesOnFreshWorld(await recordedOf(name), way)).toEqual([])
  })
})

it("pass as tests, one beside the other", async () => {
  // In the repository, where they find its packages.
  const folder = await mkdtemp(join(repository, "node_modules/.cache/tapes-"))
  try {
    const files = await Promise.all(
      names.map(async (name) => {
        const file = join(folder, `${name}.test.mjs`)
        await writeFile(file, asTest(await recordedOf(name), name))
        return file
      }),
    )
    // Each process of its own would load the packages again.
    const { code, output } = await run(process.execPath, [
      "--test",
      "--test-isolation=none",
      "--test-reporter=tap",
      ...files,
    ])
    expect(code, output).toBe(0)
    const passed = [...output.matchAll(/^ok \d+ - (\S+)$/gmu)].map(([, name]) => name)
    expect(passed.toSorted()).toEqual(names.toSorted())
  } finally {
    await rm(folder, { recursive: true })
  }
})

describe("a tape on a server in another process, by real time", () => {
  it.each<readonly [keyof typeof tapes, ExportName]>([
    ["demo", "curl"],
    ["demo", "program"],
    ["funded-wallet-with-session", "curl"],
    ["wallet", "program"],
  ])("of %s runs as %s with the same answers", async (name, way) => {
    const tape = await recordedOf(name)
    await using server = await startServer({ options: [...credentialOptions] })
    expect(await differencesAt(tape, way, { baseUrl: server.base, ...credentials })).toEqual([])
  })
})

describe("a tape", () => {
  it("goes on in a fork and from a saved state", async () => {
    await using pay = await named("agent-waiting-for-approval")
    const folder = await mkdtemp(join(tmpdir(), "countersign-"))
    const file = join(folder, "world.json")
    await pay.save(file)
    await using again = await harness({ snapshot: file, seed: 7 })
    await rm(folder, { recursive: true })
    await using fork = await again.fork()
    const { actionId, agentId } = pay.handles
    await fork.client.agents.approveAgentAction({ params: { agentId, actionId } })
    const [last] = callsOf(fork.tape()).slice(-1)
    expect(last?.path).toMatch(/^\/agents\/\{\{\d+:agent\.id\}\}\/actions\/\{\{\d+:id\}\}\/approve$/u)
    await using other = await harness({ seed: 8 })
    expect(await replay(tapeOf(fork), other.replayTarget)).toEqual([])
  })

  it("says what no request can repeat, and its exports print it", async () => {
    await using pay = await harness({ tape: false })
    await pay.client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL" } })
    await using later = await harness({ from: await pay.snapshot(), seed: 3 })
    await later.run(Effect.void)
    const tape = later.tape()
    expect(gapsOf(tape)).toEqual([
      "the run continues from a state without a tape",
      "the test ran an effect outside the interface",
    ])
    for (const way of ["program", "curl"] as const) {
      const [command, args, text] = exports[way](tape)
      const { output } = await run(command, args, { BASE_URL: "http://127.0.0.1:9" }, text)
      expect(output).toContain("step 0 cannot be repeated: the run continues from a state without a tape")
      expect(output).toContain("step 1 cannot be repeated: the test ran an effect outside the interface")
    }
  })

  it("asks for accepted credentials that no response contained, and never contains them", async () => {
    await using pay = await agentHarness()
    await using plain = await harness({ from: await pay.snapshot(), seed: 3 })
    await plain.send("GET", "/agents/me", { as: { token: pay.accessToken } })
    const tape = plain.tape()
    expect(gapsOf(tape)).toEqual(["the run continues from a state without a tape"])
    expect(callsOf(tape)[0]?.as).toEqual({ variable: "AUTHORIZATION_1" })
    expect(JSON.stringify(tape)).not.toContain(pay.accessToken)
    await expect(replay(tape, plain.replayTarget)).rejects.toThrow("pass `variables.AUTHORIZATION_1`")
    const variables = { AUTHORIZATION_1: `Bearer ${pay.accessToken}` }
    expect(await replay(tape, plain.replayTarget, { variables })).toEqual([])
    await using serving = await plain.serve()
    const env = { BASE_URL: serving.baseUrl, CLIENT_ID: "a", CLIENT_SECRET: "b" }
    for (const way of ["program", "curl"] as const) {
      const [command, args, text] = exports[way](tape)
      const without = await run(command, args, env, text)
      expect(without.output).toContain("AUTHORIZATION_1")
      expect(without.code).not.toBe(0)
      expect(await run(command, args, { ...env, ...variables }, text)).toMatchObject({ code: 0 })
    }
  })

  it("has no reference in a text that the caller sent, and its exports send that text", async () => {
    await using pay = await harness()
    const fullName = "{{env:HOME}} {{0:id}} {{braces}}"
    await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada" } })
    await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName } })
    await pay.send("GET", "/customers?platformCustomerId={{0:id}}&{{env:HOME}}")
    await pay.send("GET", "/agents/me", { as: { token: "{{env:HOME}}" } })
    const tape = tapeOf(pay)
    expect(variablesOf(tape)).toEqual([])
    await using fresh = await harness({ seed: 31 })
    expect(await replay(tape, fresh.replayTarget)).toEqual([])
    expect((await fresh.send("GET", "/customers")).body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ fullName })]),
    })
    for (const way of ["program", "curl"] as const) expect(await differencesOnFreshWorld(tape, way)).toEqual([])
  })

  it("has a request whose response was lost, and none that a fault replaced", async () => {
    await using pay = await harness()
    const customer = { body: { customerType: "INDIVIDUAL" } }
    pay.failNext("INTERNAL_ERROR")
    await pay.send("POST", "/customers", customer)
    pay.faults.add({ kind: "lost answer" })
    await expect(pay.send("POST", "/customers", customer)).rejects.toThrow("fetch failed")
    await pay.send("GET", "/customers")
    expect(callsOf(pay.tape()).map(({ answer, method }) => [method, answer.status])).toEqual([
      ["POST", 201],
      ["GET", 200],
    ])
  })

  it("sends the literals of a sandbox for one-off signatures, and refused ones as they were", async () => {
    const calls = callsOf(await recordedOf("wallet"))
    const signatures = calls.flatMap(({ answer, headers }) => {
      const signature = headers["service-wallet-signature"]
      return signature === undefined ? [] : [[answer.status < 400, signature === "sandbox-valid-signature"]]
    })
    expect(signatures).toContainEqual([true, true])
    expect(signatures).toContainEqual([false, false])
    expect(signatures.filter(([isAccepted, isLiteral]) => isAccepted !== isLiteral)).toEqual([])
    const text = JSON.stringify(calls.map(({ body }) => body))
    expect(text).toMatch(/"signature":"sandbox-valid-passkey-signature"/u)
    expect(text).toMatch(/"encryptedOtpBundle":"\{\{otp:\d+:otpEncryptionTargetBundle\}\}"/u)
  })
})
