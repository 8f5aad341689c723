/** The rooms for others need no test runner of ours, and a file that does is found. */
import { expect, it } from "vitest"
import { sources } from "./Repository.ts"
import { problemsOfRunner } from "./Runner.ts"

it.each(["arbitraries", "model"])("%s is run by any test runner, or by none", (room) => {
  expect(problemsOfRunner(sources(), `packages/test/src/${room}/index.ts`)).toEqual([])
})

it("a file that needs one is found, by way of others", () => {
  const files = [
    { path: "test/src/room/index.ts", text: 'export { a } from "./A.ts"\nimport type { D } from "../typed/D.ts"\n' },
    { path: "test/src/room/A.ts", text: 'import { b } from "../other/B.ts"\nexport const a = b\n' },
    { path: "test/src/other/B.ts", text: 'import { expect } from "vitest"\nimport "./C.ts"\n' },
  ]
  expect(problemsOfRunner(files, "test/src/room/index.ts")).toEqual([
    "test/src/other/B.ts needs vitest, by way of test/src/room/A.ts",
    "test/src/other/C.ts is not there, and test/src/other/B.ts imports it",
  ])
})
