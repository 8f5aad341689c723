/** One service for the whole process: kept on `globalThis`, because a development server loads modules again. */
import { type Embedded, embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"

declare global {
  var countersign: Promise<Embedded> | undefined
}

globalThis.countersign ??= embed({
  store: MemoryStore.layer,
  ports: Sandbox.layer,
  sandbox: true,
  platforms: [{ clientId: "demo", clientSecret: "demo-secret" }],
})

export const payments = globalThis.countersign
