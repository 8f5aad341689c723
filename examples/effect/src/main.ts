/** An Effect application: the service as layers of its own program, with its own ports, tracer, logger and metrics. */
import {
  guards,
  Handlers,
  makeWebHandler,
  NodeCrypto,
  NodeCsv,
  NodeWebhookSigner,
  startNodeServer,
  WalletChecks,
} from "@countersign/adapter-http"
import { MemoryStore, MemoryVault } from "@countersign/adapter-memory"
import { Countersign, Platforms } from "@countersign/core"
import { vaultOf, WallTime } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Console, Effect, Layer, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Bank from "./Bank.ts"
import * as Outbox from "./Outbox.ts"
import * as Provider from "./Provider.ts"
import * as Tracing from "./Tracing.ts"

// The sandbox answers where there is no port of one's own: what comes later in a merge wins.
const ports = Layer.mergeAll(Sandbox.layer, Bank.layer, Provider.layer)

// Wallets: Node's cryptography, and the secret that their keys come from. Yours comes from where your secrets are.
const secret = Redacted.make(process.env["WALLET_SECRET"] ?? "a secret of an example, of no use elsewhere")
const wallets = Layer.mergeAll(NodeCrypto.layer(), NodeCsv.layer, vaultOf(secret), WalletChecks.sandboxLayer())

const services = Countersign.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(MemoryStore.layer, MemoryVault.layer, ports, Outbox.layer, NodeWebhookSigner.layer()),
  ),
  Layer.provideMerge(wallets),
  Layer.provideMerge(Layer.mergeAll(WallTime.layerClock, SecureRandom.layerWebCrypto)),
  Layer.provideMerge(Layer.mergeAll(Tracing.layer, Logger.layer([Logger.consoleJson]))),
)

const program = Effect.gen(function* () {
  const platforms = yield* Platforms
  yield* platforms.setUp({
    clientId: "demo",
    clientSecret: Redacted.make("demo-secret"),
    name: "Demo",
    currencies: ["USD", "EUR"],
    webhookEndpoint: "https://platform.example/hooks",
  })
  const context = Layer.succeedContext(yield* Effect.context<Layer.Success<typeof services>>())
  const { handler } = yield* Effect.acquireRelease(
    Effect.sync(() =>
      makeWebHandler({
        application: Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(context)),
        metrics: true,
      }),
    ),
    ({ dispose }) => Effect.promise(dispose),
  )
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(() => startNodeServer({ handler, host: "127.0.0.1", port: Number(process.env["PORT"] ?? 8787) })),
    ({ close }) => Effect.promise(close),
  )
  yield* Console.log(`ready http://127.0.0.1:${port}/2025-10-13`)
  yield* Effect.never
}).pipe(Effect.scoped, Effect.provide(Countersign.workers.pipe(Layer.provideMerge(services))))

const stopped = new AbortController()
process.once("SIGTERM", () => stopped.abort()).once("SIGINT", () => stopped.abort())
await Effect.runPromiseExit(program, { signal: stopped.signal })
console.log(`spans of Bank.move: ${Tracing.ended.get("Bank.move")?.well ?? 0}`)
