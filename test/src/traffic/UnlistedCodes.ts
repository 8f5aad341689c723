/** Which error codes the traffic of the tests has seen that the page of errors does not list for their operation. Source: D-540. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../e2e/ServerProcess.ts"
import type { Noted } from "./Recorder.ts"

const row = /^\| `\w+` \| `([A-Z]+ [^`]+)` \| (.*) \|$/gmu
const codesIn = (text: string) => [...text.matchAll(/`([A-Z_]+)`/gu)].map(([, code = ""]) => code)

/** The page of errors. */
export const errorsPage = (): string => readFileSync(join(repository, "docs/errors-of-operations.md"), "utf8")

export const unlistedCodes = (page: string, noted: ReadonlyArray<Noted>): ReadonlyArray<string> => {
  const common = codesIn(/^Every operation may answer.*$/mu.exec(page)?.[0] ?? "")
  const own = new Map([...page.matchAll(row)].map(([, operation = "", cell = ""]) => [operation, codesIn(cell)]))
  const unlisted = noted.filter(
    ({ code, operation }) =>
      code !== undefined && !common.includes(code) && own.get(operation)?.includes(code) === false,
  )
  return [
    ...new Set(
      unlisted.map(
        ({ code, operation }) => `${operation} answered ${code}, which docs/errors-of-operations.md does not list`,
      ),
    ),
  ]
}
