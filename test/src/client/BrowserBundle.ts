/** Bundles the client's sources as one script for a browser, named `client`. An import that no browser has fails the bundling. */
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const entry = fileURLToPath(new URL("BrowserEntry.ts", import.meta.url))

export const clientBundle = async (input: string = entry): Promise<string> => {
  const problems: Array<string> = []
  await using bundle = await rolldown({
    input,
    platform: "browser",
    resolve: { conditionNames: ["@countersign/source", "browser", "import", "default"] },
    onLog: (level, { message }) => {
      if (level === "warn") problems.push(message)
    },
  })
  const { output } = await bundle.generate({ format: "iife", name: "client", minify: true })
  const [chunk] = output
  if (problems.length > 0 || chunk.imports.length > 0) throw new Error([...problems, ...chunk.imports].join("\n"))
  return chunk.code
}
