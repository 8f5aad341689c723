/**
 * Bulk imports of customers: files whose rows are new, repeated, malformed, or taken by another file.
 * Source: wire contract areas 1.5.
 */
import { header, personRow } from "../bulk/ImportHarness.ts"
import { contentType, form } from "../document/Forms.ts"
import type { ImportedRow } from "./Answers.ts"
import type { ClientActions } from "./ClientRequests.ts"

const fileNames = ["people.csv", "people.csv", "people.csv", "people-001.csv", "people-002.csv"] as const

/** The customers of all files: few, so that files have rows in common. */
const people = 6

export const importActions: ClientActions = {
  import: {
    weight: 1,
    run: async ({ answers, keyed, name, random, pay }) => {
      const fileName = random.pick(fileNames)
      const rows = Array.from({ length: 1 + random.below(3) }, (): ImportedRow => {
        const number = random.below(people)
        const isValid = !random.once(5)
        return { number, platformCustomerId: `person-${number}`, fullName: isValid ? `Person ${name()}` : "" }
      })
      const text = [
        header,
        ...rows.map(({ fullName, number }) =>
          personRow(number, { name: fullName, uma: `$person${number}@${pay.umaDomain}` }),
        ),
      ].join("\n")
      const body = form([{ name: "file", fileName, body: text }]).toString()
      const accepted = await keyed("/customers/bulk/csv", { headers: { "content-type": contentType }, body })
      if (accepted === undefined) return false
      answers.imports.set(String(accepted["jobId"]), { rows, isFailing: fileName === "people-002.csv" })
      return true
    },
  },
}
