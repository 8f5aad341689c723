/** What a deployment does whose program provides no port of its own: each optional port, and every setting of the sandbox that is absent. */
import {
  BankDirectory,
  BankExchange,
  BankReconciliation,
  DepositScreening,
  DocumentChecks,
  DomainOwnership,
  directoryOf,
  FundingInstructions,
  InviteeResponses,
  Issuer,
  NetworkFees,
  OwnershipChecks,
  PortFaults,
  RequestJournal,
  SavedWorlds,
  StablecoinProvider,
  UmaNetwork,
  VaspDirectory,
  WebhookInbox,
} from "@countersign/core/ports"
import { Cause, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { documentErrors } from "../../../packages/core/src/model/document/Completeness.ts"
import { WithoutStoreFaults } from "../../../packages/core/src/ports/PortFaults.ts"
import { SignatureChecks, signatureChecks } from "../../../packages/core/src/ports/SignatureChecks.ts"
import { WorldPacking } from "../../../packages/core/src/ports/WorldPacking.ts"

/** Runs the calls of ports of different types. */
const answers = (...calls: ReadonlyArray<Effect.Effect<unknown>>): Promise<ReadonlyArray<unknown>> =>
  Effect.runPromise(Effect.all(calls))
const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromise(effect)
/** Ports are asked with requests of many members, of which the defaults read none. */
const unread = {} as never

describe("without a port of its own, a deployment", () => {
  it("credits a deposit at once, unless the rules of its region hold it", async () => {
    const screening = await run(Effect.map(DepositScreening, (port) => port))
    expect(await run(screening.screen({} as never))).toEqual({ _tag: "Clear" })
    const held = { regionalHold: "LARGE_DEPOSIT" } as never
    expect(await run(screening.screen(held))).toEqual({ _tag: "Hold", reason: "LARGE_DEPOSIT" })
    expect(await run(screening.transactionHash(unread))).toBeUndefined()
  })

  it("has no payment instructions, fees of networks, responses of invitees, exchanges and proven domains", async () => {
    const funding = await run(Effect.map(FundingInstructions, (port) => port))
    expect(await run(funding.forPayment(unread))).toEqual([])
    expect(await run(funding.forAccount(unread))).toEqual([])
    expect(await run(funding.collectionAccount(unread))).toEqual({ _tag: "None" })
    expect(await run(Effect.flatMap(NetworkFees, (fees) => fees.estimate(unread)))).toBeUndefined()
    expect(await run(Effect.flatMap(InviteeResponses, (responses) => responses.find(unread)))).toBeUndefined()
    expect(await run(Effect.flatMap(VaspDirectory, ({ entries }) => entries))).toEqual([])
    expect(await run(Effect.flatMap(DomainOwnership, (domains) => domains.check(unread)))).toBe("NOT_PROVEN")
  })

  it("accepts every document, and requires those of the contract", async () => {
    const checks = await run(Effect.map(DocumentChecks, (port) => port))
    expect(await run(checks.check(unread))).toBeUndefined()
    expect(checks.missing).toBe(documentErrors)
  })

  it("pays to no UMA address of another provider, and says so", async () => {
    const network = await run(Effect.map(UmaNetwork, (port) => port))
    const message = "This deployment pays to no UMA addresses but those of the platform's own customers."
    expect(await run(network.find(unread, unread))).toEqual({ _tag: "Trouble", code: "NOT_IMPLEMENTED", message })
    expect([await run(network.providers), network.scenarioDomain]).toEqual([[], undefined])
  })

  it("has no stablecoin provider: each call answers the same refusal", async () => {
    const provider = await run(Effect.map(StablecoinProvider, (port) => port))
    expect(provider.environment).toBe("PRODUCTION")
    const first = await run(provider.check(unread))
    expect(first).toHaveProperty("_tag")
    const others = await answers(provider.describe(unread), provider.begin(unread), provider.inquire(unread))
    expect(others).toEqual([first, first, first])
  })

  it("offers no cards, and declines what a network would ask", async () => {
    const issuer = await run(Issuer.use(Effect.succeed).pipe(Effect.provide(Issuer.layerNone)))
    expect([issuer.isOffered, issuer.needsDelegatedKeys, issuer.takesThreeDSecurePassword]).toEqual([
      false,
      true,
      false,
    ])
    expect([await run(issuer.admits("")), await run(issuer.screen(unread))]).toEqual([false, "CARD_NOT_ACTIVE"])
    for (const call of [issuer.provision, issuer.changeState, issuer.reveal, issuer.collect])
      expect((await answers(call(unread)))[0]).toEqual({ _tag: "Unknown", cause: "there is no issuer" })
  })

  it("proves the ownership of a wallet by signature, and starts no liveness check", async () => {
    const checks = await run(Effect.map(OwnershipChecks, (port) => port))
    expect(await run(checks.startLiveness(unread))).toBeUndefined()
    expect(await run(Effect.map(SignatureChecks, (port) => port))).toBe(signatureChecks)
  })

  it("reconciles no bank", async () => {
    const reconciliation = await run(Effect.map(BankReconciliation, (port) => port))
    expect([reconciliation.banks, reconciliation.problems]).toEqual([[], {}])
    for (const call of [reconciliation.compare("", unread, unread), reconciliation.withoutOrder([])]) {
      const exit = await run(Effect.exit<unknown, never, never>(call))
      expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toBe("RangeError: no bank is reconciled here")
    }
  })

  it("has nothing of the sandbox", async () => {
    const absent = [PortFaults, RequestJournal, SavedWorlds, WebhookInbox, WorldPacking, BankExchange]
    expect(await answers(...absent)).toEqual(absent.map(() => undefined))
    expect(await run(Effect.map(WithoutStoreFaults, (port) => port))).toBe(false)
  })
})

describe("a directory of banks", () => {
  const bank = (name: string, country: string, currency: string) => ({ name, country, currency }) as never
  const directory = directoryOf([bank("a", "BR", "BRL"), bank("b", "MX", "MXN"), bank("c", "BR", "USD")])
  const found = async (filter: Parameters<typeof directory.find>[0]) =>
    (await run(directory.find(filter))).map((one) => Object(one)["name"])

  it("finds those of a country and of a currency, in their order", async () => {
    expect(await found({})).toEqual(["a", "b", "c"])
    expect(await found({ country: "BR" })).toEqual(["a", "c"])
    expect(await found({ currency: "USD" })).toEqual(["c"])
    expect(await found({ country: "BR", currency: "BRL" })).toEqual(["a"])
    expect(await found({ country: "MX", currency: "BRL" })).toEqual([])
  })

  it("is that of the table by default", async () => {
    const all = await run(Effect.flatMap(BankDirectory, (known) => known.find({})))
    expect(all.length).toBeGreaterThan(10)
  })
})
