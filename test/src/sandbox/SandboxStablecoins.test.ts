/**
 * The stablecoin provider of the sandbox: each magic suffix, and its answer at each time.
 * Source: wire contract areas 1.6.9.
 */
import {
  type CredentialCheck,
  type ProviderInstruction,
  StablecoinProvider,
  type TokenQuery,
} from "@countersign/core/ports"
import { SandboxStablecoins } from "@countersign/core/sandbox"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Secrets from "../../../packages/core/src/foundation/crypto/Secrets.ts"
import { fundingMillis } from "../../../packages/core/src/model/stablecoin/StablecoinOperation.ts"

const port = Effect.runSync(Effect.provide(StablecoinProvider.use(Effect.succeed), SandboxStablecoins.layer))
const begin = 10_000

/** The answer this many milliseconds after the begin. */
const after = <A>(millis: number, asked: Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.andThen(TestClock.adjust(begin + millis), asked).pipe(Effect.provide(TestClock.layer())))

const credentials = (apiClientId: string) => ({ apiClientId, apiClientSecret: Redacted.make("any") })

describe("credentials", () => {
  const check = (apiClientId: string, millis = 0, more: Partial<CredentialCheck> = {}) =>
    after(
      millis,
      port.check({
        provider: "BRALE",
        credentials: credentials(apiClientId),
        linkedAt: begin,
        ...more,
      } as CredentialCheck),
    )

  it("of an ordinary id reach the account that the platform names, or one that follows from the id", async () => {
    const named = await check("client-100", 0, { providerAccountId: "mine" })
    expect(named).toEqual({ _tag: "Accepted", providerAccountIds: ["mine"] })
    const first = await check("client-100")
    expect(first).toEqual({ _tag: "Accepted", providerAccountIds: [expect.stringMatching(/^[0-9a-f]{27}$/u)] })
    expect(await check("client-100", 99_999)).toEqual(first)
    expect(await check("client-101")).not.toEqual(first)
  })

  it("are refused at once with 002, and 30 seconds after the link with 003", async () => {
    expect(await check("client-002")).toEqual({ _tag: "CredentialsRefused" })
    expect(await check("client-003", 29_999)).toMatchObject({ _tag: "Accepted", checkAgainAt: begin + 30_000 })
    expect(await check("client-003", 30_000)).toEqual({ _tag: "CredentialsRefused" })
  })

  it("lose their access 30 seconds after the link with 004", async () => {
    expect(await check("client-004", 29_999)).toMatchObject({ _tag: "Accepted", checkAgainAt: begin + 30_000 })
    expect(await check("client-004", 30_000)).toEqual({ _tag: "Withdrawn" })
  })

  it("reach two accounts with 006", async () => {
    const answer = await check("client-006", 0, { providerAccountId: "mine" })
    expect(answer).toEqual({
      _tag: "Accepted",
      providerAccountIds: ["mine", expect.stringMatching(/^[0-9a-f]{27}$/u)],
    })
  })
})

const account = { provider: "BRALE", providerAccountId: "mine", credentials: credentials("client-100") } as const
const tokenOf = (providerTokenIdentifier: string) => ({
  providerTokenIdentifier,
  networkTokenIdentifier: "btkn1",
  network: "SPARK" as const,
})

describe("a token", () => {
  const describeToken = (identifier: string, millis = 0) =>
    after(millis, port.describe({ account, token: tokenOf(identifier), registeredAt: begin } as TokenQuery))

  it.each([
    ["ACME100", "ACME", "Acme Dollar"],
    ["acmE-100", "acmE", "Acme Dollar"],
    ["a_100", "a", "A Dollar"],
    ["100", "TOKEN", "Token Dollar"],
  ])("%s has its name from its letters", async (identifier, symbol, name) => {
    expect(await describeToken(identifier)).toEqual({
      _tag: "Described",
      symbol,
      name,
      baseCurrency: "USD",
      decimals: 6,
      issuanceStatus: "PROVISIONED",
    })
  })

  it.each([
    ["001", "PENDING_REVIEW", "PROVISIONED"],
    ["003", "PROVISIONING", "FAILED"],
  ])("with %s is %s, and 30 seconds later %s", async (suffix, first, last) => {
    const before = await describeToken(`ACME${suffix}`, 29_999)
    expect(before).toMatchObject({ issuanceStatus: first, askAgainAt: begin + 30_000 })
    const later = await describeToken(`ACME${suffix}`, 30_000)
    expect(later).toMatchObject({ issuanceStatus: last })
    expect(later).not.toHaveProperty("askAgainAt")
  })

  it("with 002 is rejected", async () => {
    expect(await describeToken("ACME002")).toMatchObject({ issuanceStatus: "REJECTED" })
  })
})

describe("an operation", () => {
  const accountOf = (accountNumber: string) => ({
    accountId: "ExternalAccount:1",
    currency: "USD",
    accountInfo: { accountType: "USD_ACCOUNT", accountNumber, routingNumber: "021000021" },
  })
  const instruction = (accountNumber: string, more: object = {}) =>
    ({
      reference: "StablecoinOperation:1",
      idempotencyKey: "key-1",
      account,
      token: tokenOf("ACME100"),
      operationType: "MINT",
      amount: "1000000",
      cents: 100,
      sourceType: "ACH_DEBIT",
      destination: accountOf(accountNumber),
      submittedAt: begin,
      ...more,
    }) as ProviderInstruction
  const wire = {
    rail: "WIRE",
    beneficiaryName: "Sandbox Stablecoin Issuer",
    accountNumber: "9876543210",
    routingNumber: "021000021",
    bankName: "Sandbox Bank",
    reference: Secrets.hash("key-1").slice(0, 12).toUpperCase(),
  }
  /** The answers at these times, the same for an instruction and an inquiry. */
  const answers = (asked: ProviderInstruction, ...times: ReadonlyArray<number>) =>
    Promise.all(
      times.map(async (millis) => {
        const answer = await after(millis, port.begin(asked))
        expect(await after(millis, port.inquire(asked))).toEqual(answer)
        return answer
      }),
    )

  it("is accepted, processed after two seconds and complete after three", async () => {
    expect(await answers(instruction("12345678100"), 0, 1_999, 2_000, 2_999, 3_000)).toEqual([
      { _tag: "Accepted", providerStatus: "pending", askAgainAt: begin + 2_000 },
      { _tag: "Accepted", providerStatus: "pending", askAgainAt: begin + 2_000 },
      { _tag: "Processing", providerStatus: "processing", askAgainAt: begin + 3_000 },
      { _tag: "Processing", providerStatus: "processing", askAgainAt: begin + 3_000 },
      { _tag: "Completed", providerStatus: "complete" },
    ])
  })

  it.each([
    ["002", "FUNDING_RETURNED", 3_000],
    ["003", "DESTINATION_REJECTED", 3_000],
    ["004", "PROVIDER_TRANSFER_FAILED", 3_000],
    ["005", "PROVIDER_TRANSFER_FAILED", 32_000],
  ])("with %s fails: %s", async (suffix, reason, millis) => {
    expect(await answers(instruction(`12345678${suffix}`), millis - 1, millis)).toEqual([
      { _tag: "Processing", providerStatus: "processing", askAgainAt: begin + millis },
      { _tag: "Failed", reason, providerStatus: "failed" },
    ])
  })

  it("that is paid by wire waits two seconds for its funding, which it says how to send", async () => {
    const waiting = {
      _tag: "AwaitsFunding",
      providerStatus: "pending",
      askAgainAt: begin + 2_000,
      fundingInstructions: wire,
    }
    const asked = instruction("12345678100", { sourceType: "WIRE" })
    expect(await answers(asked, 0, 1_999, 2_000, 3_000)).toEqual([
      waiting,
      waiting,
      { _tag: "Processing", providerStatus: "processing", askAgainAt: begin + 3_000 },
      { _tag: "Completed", providerStatus: "complete" },
    ])
  })

  it("that burns tokens from outside waits for them at an address of the network", async () => {
    const asked = instruction("12345678100", { operationType: "BURN", sourceType: "EXTERNAL_ACCOUNT" })
    expect(await answers(asked, 0)).toMatchObject([
      {
        _tag: "AwaitsFunding",
        fundingInstructions: {
          rail: "SPARK",
          network: "SPARK",
          address: expect.stringMatching(/^spark1p[02-9ac-z]{64}$/u),
          valueType: "ACME100",
        },
      },
    ])
  })

  it("with 006 is never funded from outside, and completes from a linked account", async () => {
    const asked = instruction("12345678006", { sourceType: "WIRE" })
    const last = begin + fundingMillis
    expect(await answers(asked, 3_000, 10 * fundingMillis)).toMatchObject([
      { _tag: "AwaitsFunding", askAgainAt: last },
      { _tag: "AwaitsFunding", askAgainAt: last },
    ])
    expect(await answers(instruction("12345678006"), 3_000)).toMatchObject([{ _tag: "Completed" }])
  })

  it("has the outcome of the account that pays, where one pays", async () => {
    const asked = instruction("12345678002", { source: accountOf("12345678003") })
    expect(await answers(asked, 3_000)).toMatchObject([{ reason: "DESTINATION_REJECTED" }])
  })

  it("with 007 gets no answer, so that the provider is not known to have received it", async () => {
    const asked = instruction("12345678007")
    expect(await after(0, port.begin(asked))).toEqual({
      _tag: "Unavailable",
      cause: "the account's number ends in 007",
    })
    expect(await after(0, port.inquire(asked))).toEqual({ _tag: "NotReceived" })
  })
})
