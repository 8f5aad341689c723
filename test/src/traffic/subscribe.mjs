/** Loads `Subscribe.ts` into a server as a bundle: its modules would take several times the server's own start. */
import { fileURLToPath } from "node:url"
import { entryOf, updateBundle } from "../../../packages/cli/scripts/bundler.mjs"

// As deep as the sources, which find the repository by their own place.
const folder = fileURLToPath(new URL("../../../node_modules/.cache/recorder", import.meta.url))

await updateBundle({ entry: fileURLToPath(new URL("Subscribe.ts", import.meta.url)), folder })
await import(entryOf(folder) ?? "./Subscribe.ts")
