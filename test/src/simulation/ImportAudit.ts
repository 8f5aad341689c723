/**
 * The part of the auditor for bulk imports: each job ends with counts that agree with its rows and with the customers that exist, no customer
 * is made twice, and no row that should make one is lost.
 * Source: wire contract areas 1.5.3 to 1.5.5; D-411.
 */
import type { BulkCustomerImportJob, CustomerResource } from "@countersign/core/models"
import type { Answers, ImportRequest } from "./Answers.ts"
import type { Pay } from "./World.ts"

const jobProblems = (
  job: BulkCustomerImportJob,
  { isFailing, rows }: ImportRequest,
  created: ReadonlySet<string>,
): ReadonlyArray<string> => {
  const { errors = [], id, progress, status } = job
  // The names of rows are unique: a customer tells which row made it.
  const successful = isFailing ? 0 : rows.filter(({ fullName }) => created.has(fullName)).length
  const failed = isFailing ? 0 : rows.length - successful
  const due = isFailing || successful === 0 ? "FAILED" : "COMPLETED"
  const counts = `${progress.processed} of ${progress.total}: ${progress.successful} and ${progress.failed}`
  const dueCounts = `${successful + failed} of ${rows.length}: ${successful} and ${failed}`
  const dueErrors = isFailing
    ? "row_0"
    : rows
        .filter(({ fullName }) => !created.has(fullName))
        .map(({ platformCustomerId }) => platformCustomerId)
        .join()
  const named = errors.map(({ correlationId }) => correlationId).join()
  return [
    ...(status === due ? [] : [`${id} is ${status}, and should be ${due}`]),
    ...(counts === dueCounts ? [] : [`${id} counts ${counts}, and should count ${dueCounts}`]),
    ...(named === dueErrors ? [] : [`${id} names the errors ${named}, and should name ${dueErrors}`]),
  ]
}

/** `customers`: all of the platform. */
export const importProblems = async (
  pay: Pay,
  answers: Answers,
  customers: ReadonlyArray<CustomerResource>,
): Promise<ReadonlyArray<string>> => {
  const imported = customers.filter(({ platformCustomerId }) => platformCustomerId.startsWith("person-"))
  const created = new Set(imported.map((each) => ("fullName" in each ? (each.fullName ?? "") : "")))
  const ids = imported.map(({ platformCustomerId }) => platformCustomerId)
  const requests = [...answers.imports.values()]
  const rows = requests.flatMap((request) => (request.isFailing ? [] : request.rows))
  const valid = rows.filter(({ fullName }) => fullName !== "")
  const ended = Map.groupBy(
    new Map(
      pay.webhooks.received.filter(({ type }) => type.startsWith("BULK_UPLOAD.")).map((event) => [event.id, event]),
    ).values(),
    ({ data, type }) => `${String(data["id"])} ${type}`,
  )
  const problems: Array<string> = [
    ...(new Set(ids).size === ids.length ? [] : ["an imported customer exists twice"]),
    ...new Set(
      valid
        .filter(({ platformCustomerId }) => !ids.includes(platformCustomerId))
        .map(({ platformCustomerId }) => `the imported customer ${platformCustomerId} does not exist`),
    ),
    ...[...created]
      .filter((name) => !valid.some(({ fullName }) => fullName === name))
      .map((name) => `the customer ${name} exists without a row`),
  ]
  for (const [id, request] of answers.imports) {
    const job = (await pay.send("GET", `/customers/bulk/jobs/${id}`)).body as BulkCustomerImportJob
    problems.push(...jobProblems(job, request, created))
    const events = ended.get(`${id} BULK_UPLOAD.${job.status}`)?.length ?? 0
    if (events !== 1) problems.push(`${id} is ${job.status} and has ${events} events of its end`)
  }
  return problems
}
