/**
 * The list of known secrets against the repository: whatever documentation, an example or a test shows as a secret, a deployment that
 * strangers reach refuses.
 * Source: D-341.
 */
import { clientSecretMin, weaknessOf } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import { everyFile } from "../tidy/Repository.ts"

/** `clientSecret: "x"`, `--client-secret x`, `vaultOf(Redacted.make("x"))` and the pair `id:secret` of `--platform`. */
const shown =
  /(?:(?:client|wallet|vault)Secret["']?\s*[:=]\s*|(?:client|wallet)-secret["',\s=]+|--platform["',\s=]+[\w-]+:|vaultOf\(Redacted\.make\()["'`]?([^"'`,\s){}$]*[^"'`,)\n{}$]*)["'`]?/giu

const secretsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(shown)].flatMap(([, secret = ""]) => secret.trim())

const isShown = (path: string) =>
  /^(?:README\.md|docs\/|examples\/|test\/src\/|packages\/test\/src\/|packages\/[\w-]+\/README\.md)/u.test(path) &&
  /\.(?:ts|md|json|mjs)$/u.test(path)

describe("known secrets", () => {
  it("include every secret of documentation, examples and tests that would be strong enough", () => {
    const files = everyFile().filter(({ path }) => isShown(path))
    expect(files.map(({ path }) => path)).toContain("README.md")
    const all = files.flatMap(({ text }) => secretsIn(text))
    expect(all).toContain("demo-secret")
    const usable = all.filter(
      (secret) =>
        /^[\w -]+$/u.test(secret) && !secret.includes(" --") && weaknessOf(secret, clientSecretMin) === undefined,
    )
    expect([...new Set(usable)]).toEqual([])
  })
})
