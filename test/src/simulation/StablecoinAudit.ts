/**
 * The part of the auditor for mints and burns: each is begun once at the provider, none is lost or made twice, and each ends as the magic
 * values of its accounts say.
 * Source: wire contract areas 1.6.6 to 1.6.9; D-390, D-393.
 */
import type { StablecoinOperationResource } from "@countersign/core/models"
import type { Answers } from "./Answers.ts"
import type { Pay } from "./World.ts"

const failures: { readonly [suffix: string]: string } = {
  "002": "FUNDING_RETURNED",
  "003": "DESTINATION_REJECTED",
  "004": "PROVIDER_TRANSFER_FAILED",
  "005": "PROVIDER_TRANSFER_FAILED",
}

/** The account that pays, else the one that is paid, decides. */
const expectedEnd = (pay: Pay, { destination, source }: StablecoinOperationResource): string => {
  const accountId = source?.externalAccountId ?? destination?.accountId
  const [suffix = ""] =
    [...Object.entries(pay.wallets), ...Object.entries(pay.declared)].find(([, id]) => id === accountId) ?? []
  const isFundedOutside = source?.type === "WIRE" || source?.type === "EXTERNAL_ACCOUNT"
  if (suffix === "006" && isFundedOutside) return "EXPIRED"
  return failures[suffix] === undefined ? "COMPLETED" : `FAILED ${failures[suffix]}`
}

/** `operations`: all that the stablecoin has at the end. */
export const stablecoinProblems = (
  pay: Pay,
  answers: Answers,
  operations: ReadonlyArray<StablecoinOperationResource>,
): ReadonlyArray<string> => {
  const ids = new Set<string>(operations.map(({ id }) => id))
  const begun = pay.outside.instructions().filter(({ kind }) => kind === "mint" || kind === "burn")
  const lost = [...answers.stablecoinOperations.keys()].filter((id) => !ids.has(id))
  const hidden = begun.filter(({ reference }) => !ids.has(reference))
  return [
    ...lost.map((id) => `${id} was answered and does not exist`),
    ...hidden.map(({ reference }) => `${reference} was begun at its provider and is not shown`),
    ...operations.flatMap((operation) => {
      const { amount, failureReason, id, operationType, status } = operation
      const own = begun.filter(({ reference }) => reference === id)
      const isAsRequested = own.every(
        (one) => one.kind === operationType.toLowerCase() && one.amount === Number(amount),
      )
      const end = failureReason === undefined ? status : `${status} ${failureReason}`
      const due = expectedEnd(pay, operation)
      return [
        ...(answers.stablecoinOperations.has(id) ? [] : [`${id} exists without a request`]),
        ...(own.length === 1 ? [] : [`${id} was begun ${own.length} times at its provider`]),
        ...(isAsRequested ? [] : [`${id} was begun with another amount or direction`]),
        ...(end === due ? [] : [`${id} ended as ${end}, and its provider said ${due}`]),
      ]
    }),
  ]
}
