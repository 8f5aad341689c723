/** No file has the marks of a merge that was not finished. */
import { expect, it } from "vitest"
import { everyFile } from "./Repository.ts"

it("no file has a mark of an unfinished merge", () => {
  const mark = /^(?:<{7}|>{7}) /mu
  const marked = everyFile().filter(({ text }) => mark.test(text))
  expect(marked.map(({ path }) => path)).toEqual([])
})
