/** Holds the page about personal data against the stored kinds: each kind has a row, and each field is personal or listed as not. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Kind, Kinds } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { kindsPage } from "../../scripts/KindsPage.ts"
import { repository } from "../packages/Packed.ts"
import { rows } from "../readme/Readme.ts"
import { fieldsWithoutPerson } from "./FieldsWithoutPerson.ts"

const guide = readFileSync(join(repository, "docs/guides/personal-data.md"), "utf8")
const records = guide.slice(guide.indexOf("## Records"), guide.indexOf("## Everywhere else"))
const table = new Map(
  rows(records).map((row) => {
    const [, kind = "", personal = "", ends = ""] = row.split("|").map((cell) => cell.trim())
    return [kind.replaceAll("`", ""), { personal, ends }]
  }),
)

/** The fields of each kind, as the generated page lists them. */
const fields = new Map(
  kindsPage()
    .split("\n## ")
    .slice(1)
    .map((section) => [
      section.split("\n")[0] ?? "",
      [...section.matchAll(/^\| `(\w+)` \|/gmu)].map(([, name = ""]) => name),
    ]),
)

it("personal-data.md has a row for each kind, and no other row", () => {
  expect([...table.keys()]).toEqual([...Kinds.keys])
})

describe.each<Kind>([...Kinds.keys])("the row of %s in personal-data.md", (kind) => {
  const row = table.get(kind) ?? { personal: "", ends: "" }

  it("names each field, unless it is listed as not personal", () => {
    const named = [...row.personal.matchAll(/`(\w+)`/gu)].map(([, name = ""]) => name)
    expect([...named, ...fieldsWithoutPerson(kind)].toSorted()).toEqual(fields.get(kind)?.toSorted())
  })

  it("says whether the deletion of the customer erases earlier versions", () => {
    expect(row.ends.includes("erased with their earlier versions")).toBe(
      Kinds.get(kind).customerTie.erasesHistory === true,
    )
  })
})
