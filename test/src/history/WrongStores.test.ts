/** Each wrong store is noticed by what clients were answered, and by nothing else. */
import { expect, it } from "vitest"
import { memoryRun } from "./MemoryRun.ts"
import { wrongStores } from "./WrongStores.ts"

const seedsMax = 12

it.each(wrongStores)("$name: it is noticed", { timeout: 120_000 }, async ({ around, noticedAs }) => {
  const seen: Array<string> = []
  for (let seed = 1; seed <= seedsMax && !seen.some((problem) => noticedAs.test(problem)); seed++) {
    seen.push(...(await memoryRun({ seed, around, rounds: 2 })).problems)
  }
  expect(seen.join("\n")).toMatch(noticedAs)
})
