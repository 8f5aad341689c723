/**
 * Makes the approvals page's script and style from `packages/console/page`. `npm run console` writes them; with `--check` it only
 * tells whether they are in step.
 * Source: D-214.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { AuditOperations, Currencies } from "@countersign/core/models"
import { build } from "rolldown"
import { machineDrawings } from "./machines/MachineDrawings.ts"

const inConsole = (path: string) => fileURLToPath(new URL(`../../packages/console/${path}`, import.meta.url))
const written = inConsole("src/Assets.ts")

const bundled = async (): Promise<string> => {
  const { output } = await build({
    input: inConsole("page/main.tsx"),
    platform: "browser",
    transform: {
      jsx: { runtime: "automatic", importSource: "preact" },
      target: "es2022",
      define: {
        MACHINE_DRAWINGS: JSON.stringify(machineDrawings()),
        AUDIT_OPERATIONS: JSON.stringify(AuditOperations.rows),
        CURRENCY_DECIMALS: JSON.stringify(
          Object.fromEntries(Currencies.keys.map((code) => [code, Currencies.rows[code].decimals])),
        ),
      },
    },
    tsconfig: false,
    write: false,
    output: { format: "esm", minify: true, comments: false, codeSplitting: false },
  })
  const [{ code }] = output
  return code.trim()
}

/** The rules that all areas share, then those of each area. */
const sheets = (): string =>
  [
    "style.css",
    ...readdirSync(inConsole("page/styles"))
      .toSorted()
      .map((name) => `styles/${name}`),
  ]
    .map((name) => readFileSync(inConsole(`page/${name}`), "utf8"))
    .join("\n")

/** Comments and the white space between rules say nothing to a browser. */
const compact = (css: string): string =>
  css
    .replaceAll(/\/\*.*?\*\//gsu, "")
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ ?([{};,]) ?/gu, "$1")
    .trim()

const hashOf = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`

const generate = async (): Promise<string> => {
  const script = await bundled()
  const style = compact(sheets())
  for (const text of [script, style]) {
    if (/<\/(?:script|style)|<!--/iu.test(text))
      throw new Error("a text that stands inside of a document would end early")
  }
  return `/** The approvals page's script and style, made from \`page/\`: npm run console. */
export const script = ${JSON.stringify(script)}
export const scriptHash = ${JSON.stringify(hashOf(script))}
export const style = ${JSON.stringify(style)}
export const styleHash = ${JSON.stringify(hashOf(style))}
`
}

const text = await generate()
if (!process.argv.includes("--check")) {
  writeFileSync(written, text)
  console.log(`${text.length} characters in packages/console/src/Assets.ts`)
} else if (readFileSync(written, "utf8") !== text) {
  console.error("packages/console/src/Assets.ts differs from its page: npm run console")
  process.exitCode = 1
}
