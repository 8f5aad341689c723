/** The page of what operations answer when they fail, and what functions of the packages throw. */
import { ErrorCodes } from "@countersign/core/models"
import type { SourceFile } from "../src/tidy/Repository.ts"
import { functionErrors } from "./errors/FunctionErrors.ts"
import { commonCodes, type OperationCodes, operationCodes } from "./errors/OperationCodes.ts"
import { code, codes, page, table } from "./Markdown.ts"

const byStatus = ({ codes: own }: OperationCodes): string => {
  const statuses = [...new Set(own.map((each) => ErrorCodes.get(each).status))]
  return statuses
    .map((status) => `${status} ${codes(own.filter((each) => ErrorCodes.get(each).status === status))}`)
    .join("; ")
}

export const errorsOfOperationsPage = (files: ReadonlyArray<SourceFile>): string => {
  const all = operationCodes(files)
  const groups = [...new Set(all.map(({ name }) => name.split(".")[0] ?? ""))]
  return page(
    "Errors of operations",
    "the contract, the handlers and what they lead to",
    "After this page you know which errors to expect of each call. A function of [`makeClient`](guides/embedding.md#without-a-server) has the name of its operation, and rejects with `ApiError`, whose `code` is listed here.",
    `Every operation may answer ${codes([...commonCodes])}: these are not repeated. [Error codes](errors.md) has their statuses. Some codes need a setting of the deployment or a state of a record. An operation answers no code that is neither common nor in its row.`,
    "A later release may add codes: treat one that you do not know by its status.",
    ...groups.flatMap((group) => [
      `## ${group}`,
      table(
        ["Operation", "Request", "Its own errors"],
        all
          .filter(({ name }) => name.startsWith(`${group}.`))
          .map((operation) => [
            code(operation.name.split(".")[1] ?? ""),
            code(`${operation.method} ${operation.path.replaceAll(/:(\w+)/gu, "{$1}")}`),
            byStatus(operation) || "no others",
          ]),
      ),
    ]),
    "## Functions of the packages",
    "A layer fails when it is built, so `embed` rejects with the failures of the layers that it was given. What is not listed is a defect.",
    table(
      ["Package", "Function", "Error", "When"],
      functionErrors.map(({ errors, of, packageName, when }) => [
        code(`@countersign/${packageName}`),
        of,
        codes(errors),
        when,
      ]),
    ),
  )
}
