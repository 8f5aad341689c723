/** What `sandbox: true` switches in an embedded service, and what each of it is without: trust, the console, the journal and the files. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { type EmbedOptions, embed } from "@countersign/adapter-http"
import { MemoryStore, MemoryVault } from "@countersign/adapter-memory"
import {
  ConsolePermissions,
  DocumentVault,
  PortFaults,
  RequestJournal,
  WebhookInbox,
  WebhookTrust,
  WireNames,
} from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Context, Effect, Layer, Result, Stream } from "effect"
import { expect, it } from "vitest"
import { ownLayer } from "../e2e/OwnLayer.ts"

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const secrets = {
  webhookKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  walletSecret: randomBytes(20).toString("hex"),
}
/** Ports that say nothing of the trust in endpoints, as a program's own do. */
const withoutTrust = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.map(Layer.build(layer), (context) =>
      Context.makeUnsafe<A>(new Map([...context.mapUnsafe].filter(([name]) => name !== WebhookTrust.key))),
    ),
  )
const sandbox: EmbedOptions = {
  store: MemoryStore.layer,
  ports: withoutTrust(Sandbox.layer),
  sandbox: true,
  workers: false,
}
const live: EmbedOptions = {
  ...secrets,
  store: ownLayer(MemoryStore.layer),
  ports: withoutTrust(ownLayer(Sandbox.layer)),
  workers: false,
}

const file = "passport of Ada Lovelace"
const key = "File-00000000-0000-4000-b000-000000000001"

/** Runs with the services of an embedded service, then ends it. */
const within = async <A>(
  options: EmbedOptions,
  use: (vault: DocumentVault["Service"]) => Effect.Effect<A, unknown>,
) => {
  const service = await embed(options)
  return service.run(DocumentVault.use(use)).finally(service.dispose)
}

const switches = Effect.gen(function* () {
  return {
    trust: yield* WebhookTrust,
    console: yield* ConsolePermissions,
    simulated: [yield* RequestJournal, yield* WebhookInbox, yield* PortFaults].map((port) => port !== undefined),
  }
})

/** Stores and reads the file. Returns what is read, or why not, and the bytes that the vault has. */
const storedIn = async (options: EmbedOptions) => {
  const inner = await Effect.runPromise(DocumentVault.use(Effect.succeed).pipe(Effect.provide(MemoryVault.layer)))
  const documents = Layer.succeed(DocumentVault, { store: inner.store, read: inner.read, erase: inner.erase })
  const text = (vault: DocumentVault["Service"]) => Stream.mkString(Stream.decodeText(vault.read(key)))
  const opened = await within({ ...options, documents }, (vault) =>
    Effect.andThen(vault.store(key, Stream.make(new TextEncoder().encode(file))), text(vault)),
  )
  return { opened, isInClear: (await Effect.runPromise(text(inner))) === file }
}

it("takes endpoints at their word, lets the console do all, and has a journal, an inbox and faults", async () => {
  expect(await within(sandbox, () => switches)).toEqual({
    trust: "WORD",
    console: ["VIEW", "TRANSACT", "MANAGE"],
    simulated: [true, true, true],
  })
})

it.each([undefined, false])("has none of it where the option is %s", async (option) => {
  const options = option === undefined ? live : { ...live, sandbox: option }
  expect(await within(options, () => switches)).toEqual({
    trust: "PROOF",
    console: ["VIEW", "TRANSACT"],
    simulated: [false, false, false],
  })
})

it("keeps files in memory without an own vault, where a live deployment refuses them", async () => {
  const stored = (options: EmbedOptions) =>
    within(options, (vault) => Effect.result(vault.store(key, Stream.make(new TextEncoder().encode(file)))))
  expect(Result.isSuccess(await stored(sandbox))).toBe(true)
  const refused = await stored(live)
  expect(Result.isFailure(refused) && String(refused.failure.cause)).toBe("Error: the option `documents` is not set")
  const missing = await within(live, (vault) => Effect.flip(Stream.runDrain(vault.read(key))))
  expect(missing).toMatchObject({ _tag: "BytesMissing", key })
})

it("leaves files in clear unless it is asked to encrypt, where a live deployment encrypts unless it is asked not to", async () => {
  expect(await storedIn(sandbox)).toEqual({ opened: file, isInClear: true })
  expect(await storedIn({ ...sandbox, ...secrets, documentEncryption: "on" })).toEqual({
    opened: file,
    isInClear: false,
  })
  expect(await storedIn(live)).toEqual({ opened: file, isInClear: false })
  expect(await storedIn({ ...live, documentEncryption: "off" })).toEqual({ opened: file, isInClear: true })
})

it.each<readonly [string, Partial<EmbedOptions>, string]>([
  ["its own name", { serviceName: "Acme" }, "Acme"],
  ["the old option", { headerPrefix: "Acme" }, "Acme"],
  ["neither", {}, "Settings"],
])("the service is named by %s, and by the settings otherwise", async (_, names, serviceName) => {
  const settings = Layer.effect(
    WireNames,
    Effect.map(WireNames, () => ({ serviceName: "Settings", signatureForm: "plain" }) as const),
  )
  const service = await embed({ ...sandbox, settings, ...names })
  const found = await service.run(Effect.map(WireNames, (all) => all)).finally(service.dispose)
  expect(found).toEqual({ serviceName, signatureForm: "plain" })
})
