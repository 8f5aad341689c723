/** The page of limits: of requests and responses as a whole, and of every text, list and free object in the requests. */
import { JsonLimits, problemsMax } from "@countersign/core"
import { documentsMax, importsMax, Lengths, receiveMillisMax } from "@countersign/core/models"
import { operations } from "../../packages/test/src/arbitraries/Operations.ts"
import { type RequestLimit, requestLimits } from "../src/wire/RequestLimits.ts"
import { code, codes, page, table } from "./Markdown.ts"

const grouped = new Intl.NumberFormat("en-US")

const whole: ReadonlyArray<readonly [what: string, limit: string, excess: string]> = [
  ["Path and query", `${grouped.format(Lengths.rows.address)} characters`, "`INVALID_REQUEST_FORMAT`"],
  ["One parameter of a path", `${Lengths.rows.pathId} characters`, "`REFERENCE_NOT_FOUND`"],
  ["Body", "1 MiB", "`INVALID_REQUEST_FORMAT`, unread if its `Content-Length` is larger"],
  ["Nesting of a body", `${JsonLimits.depthMax} levels`, "`INVALID_REQUEST_FORMAT`"],
  ["Values in a body", grouped.format(JsonLimits.valuesMax), "`INVALID_REQUEST_FORMAT`, before the body is parsed"],
  [
    "A name in a body, as written",
    `${JsonLimits.nameLengthMax} characters`,
    "`INVALID_REQUEST_FORMAT`, before the body is parsed",
  ],
  ["Arrival of a file", `${receiveMillisMax / 60_000} minutes`, "`INVALID_REQUEST_FORMAT`"],
  ["Documents of a customer, with those of its owners", String(documentsMax), "`INVALID_INPUT` of `documentHolder`"],
  [
    "Imports of a platform that wait or run",
    String(importsMax),
    "`RATE_LIMITED` with `details.reason` `WAITING_IMPORTS`",
  ],
  ["Problems in a response", String(problemsMax), "`details.omitted` counts those left out"],
]

/** Merges equal limits of several operations. */
const rowsOf = (limits: ReadonlyArray<RequestLimit>): ReadonlyArray<ReadonlyArray<string>> => {
  const operationsByRow = new Map<string, { readonly limit: RequestLimit; readonly names: Set<string> }>()
  for (const limit of limits) {
    const key = `${limit.path} ${limit.max} ${limit.unit}`
    const names = operationsByRow.get(key)?.names ?? new Set()
    operationsByRow.set(key, { limit, names: names.add(limit.operation.split(".")[1] ?? "") })
  }
  return [...operationsByRow.values()].map(({ limit: { max = 0, path, unit }, names }) => [
    code(path),
    `${grouped.format(max)} ${unit}`,
    codes([...names]),
  ])
}

export const limitsPage = (): string => {
  const limits = requestLimits()
  const groups = [...new Set(operations.map(({ name }) => name.split(".")[0] ?? ""))]
  return page(
    "Limits",
    "`Lengths`, `JsonLimits` and the schemas of the requests",
    "Every request is bounded, so that no request can cost or answer without bound. Characters are UTF-16 code units.",
    table(["What", "Limit", "Beyond it"], whole),
    `A longer field is an \`INVALID_INPUT\`. Free objects have at most ${Lengths.rows.members} members of their own.`,
    ...groups.flatMap((group) => [
      `## ${group}`,
      table(
        ["Field", "At most", "Operations"],
        rowsOf(limits.filter(({ operation }) => operation.startsWith(`${group}.`))),
      ),
    ]),
  )
}
