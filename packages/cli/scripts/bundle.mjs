/**
 * Bundles the command line into `packages/cli/bundle`, which starts in a fraction of the sources' time. `npm ci`, `npm pack` and a start
 * on changed sources run it.
 * Source: D-432.
 */
import { fileURLToPath } from "node:url"
import { updateBundle } from "./bundler.mjs"

await updateBundle({
  entry: fileURLToPath(new URL("../src/main.ts", import.meta.url)),
  folder: fileURLToPath(new URL("../bundle", import.meta.url)),
  threads: {
    DocumentWorker: fileURLToPath(new URL("../../adapter-http/src/server/DocumentWorker.ts", import.meta.url)),
  },
})
