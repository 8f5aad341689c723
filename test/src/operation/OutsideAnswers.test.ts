/**
 * The answers of the ports that a deployment provides: none enters the service with a text that no store keeps. Every port is in the
 * list, so that nobody can forget a new one.
 * Source: D-359.
 */
import { readdirSync } from "node:fs"
import { OidcRefused } from "@countersign/core/ports"
import { Context, Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as OutsideAnswers from "../../../packages/core/src/operation/OutsideAnswers.ts"

/** Ports whose answers contain no text, or only text of the service itself. */
const exempt = {
  BankExchange: "reports outcomes, which are cleaned like those of a rail",
  BankReconciliation: "returns what is compared and shown, never stored",
  KeyVault: "returns derived bytes",
  RequestJournal: "returns what the service added, and stores nothing",
  SavedWorlds: "returns what the service saved, which is decoded before it is loaded",
  SignatureChecks: "returns keys and verdicts that are compared, never stored",
  WallTime: "returns times",
  WebhookInbox: "returns what the service added, and stores nothing",
  PortFaults: "is memory of the process",
  WithoutStoreFaults: "is a setting of one effect, and answers nothing",
  WebhookSigner: "returns signatures of the service",
  WorldPacking: "returns what the service packed, which is decoded before it is loaded",
} as const

const folder = new URL("../../../packages/core/src/ports/", import.meta.url)

type Port = Context.Key<never, object>

/** All ports by name: the exports of the folder that are service keys. */
const ports: ReadonlyMap<string, Port> = new Map(
  (
    await Promise.all(
      readdirSync(folder).map(async (file) => Object.entries((await import(new URL(file, folder).href)) as object)),
    )
  )
    .flat()
    .filter(([, value]) => Context.isKey(value))
    .map(([name, value]) => [name, value as Port]),
)

/** A port each of whose members answers with a dirty text. */
const dirty = new Proxy({}, { get: () => () => Effect.succeed({ text: "a\u0000", list: ["\ud800"] }) })

type Cleaned = Layer.Services<typeof OutsideAnswers.layer>

const dirtyPorts = Layer.mergeAll(
  Layer.empty,
  ...[...ports.values()].map((port) => Layer.succeed(port, dirty)),
) as Layer.Layer<Cleaned>

/** Calls a port through the layer under test. */
const answered = <A, E>(call: Effect.Effect<A, E, Cleaned>) =>
  Effect.result(call).pipe(Effect.provide(OutsideAnswers.layer.pipe(Layer.provide(dirtyPorts))), Effect.runPromise)

/** Calls a member of a port that every port of this test has. */
const callOf = (port: Port) =>
  Effect.flatMap(port, (service) => (service as { readonly check: () => Effect.Effect<unknown> }).check())

describe("the answers of a port", () => {
  it.each([...ports.keys()].filter((name) => !(name in exempt)))("are cleaned: %s", async (name) => {
    const port = ports.get(name)
    if (port === undefined) throw new Error(`${name} is not a port`)
    const answer = await answered(callOf(port))
    expect(answer).toEqual(
      name === "OidcChecks"
        ? Result.fail(new OidcRefused({ reason: "Malformed token", malformed: true }))
        : Result.succeed({ text: "a\uFFFD", list: ["\uFFFD"] }),
    )
  })

  it("are exempt only for ports that exist", () => {
    expect(Object.keys(exempt).filter((name) => !ports.has(name))).toEqual([])
    expect(ports.size).toBeGreaterThan(15)
  })
})
