/** Imports of a service under test, as a foreign client sends them. */
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"
import { type Parts, sendForm } from "../document/DocumentHarness.ts"

export const header =
  "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country"

/** The row of a person; each name is without a domain until a file is uploaded. */
export const personRow = (
  number: number,
  more: { readonly id?: string; readonly name?: string; readonly uma?: string } = {},
) =>
  [
    more.uma ?? `$person${number}@DOMAIN`,
    more.id ?? `person-${number}`,
    "INDIVIDUAL",
    more.name ?? `Person Number ${number}`,
    "1990-01-31",
    "1 Main St",
    "Boston",
    "MA",
    "02101",
    "US",
  ].join(",")

export const people = (count: number): string =>
  [header, ...Array.from({ length: count }, (_, index) => personRow(index + 1))].join("\n")

export const csv = (content: string | Uint8Array, name = "customers.csv"): Parts => ({
  file: new File([typeof content === "string" ? content : new Uint8Array(content)], name, { type: "text/csv" }),
})

type Pay = Pick<Harness, "fetch" | "baseUrl" | "credentials">

/** Uploads a file. `DOMAIN` stands for the platform's UMA domain. */
export const upload = async (
  pay: Pay & Pick<Harness, "send">,
  content: string | Uint8Array,
  name?: string,
  headers = {},
): Promise<Reply> => {
  const { umaDomain } = (await pay.send("GET", "/config")).body as { readonly umaDomain: string }
  const file = typeof content === "string" ? content.replaceAll("DOMAIN", umaDomain) : content
  return sendForm(pay, "POST", "/customers/bulk/csv", csv(file, name), headers)
}

export const jobIdOf = ({ body }: Reply): string => String((body as { readonly jobId?: unknown }).jobId)

export interface ImportJob {
  readonly id: string
  readonly status: string
  readonly progress: {
    readonly total: number
    readonly processed: number
    readonly successful: number
    readonly failed: number
  }
  readonly errors?: ReadonlyArray<{ readonly correlationId: string; readonly code: string; readonly details?: unknown }>
  readonly completedAt?: string
}

export const jobOf = async (pay: Pick<Harness, "send">, jobId: string): Promise<ImportJob> =>
  (await pay.send("GET", `/customers/bulk/jobs/${jobId}`)).body as ImportJob
