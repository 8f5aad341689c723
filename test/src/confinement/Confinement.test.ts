/**
 * Every operation against its row of the table of confinement: everyone else is refused and changes nothing, and its owner with exactly the
 * permission of the row succeeds and leaves exactly its audit records.
 * Source: `Row.ts`; wire contract 1, 4.7, 9 and 11 (10, 30, 31, 32, 60); D-111, D-352, D-462.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { signedEndpoints } from "../wallet/SignedEndpoints.ts"
import type { Claim } from "./ConfinedWorld.ts"
import { journey } from "./Journey.ts"
import type { Row } from "./Row.ts"
import { table } from "./Table.ts"

const operationsOf = (rows: ReadonlyArray<Row>) => rows.map(({ operation }) => operation).toSorted()

describe("the table", () => {
  it("has a row for each operation of the document, and the document has an operation for each row", () => {
    const paths: Readonly<Record<string, object>> = Object(OpenApiDocument.make(Api, "")["paths"])
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operationsOf(table)).toEqual(documented.toSorted())
  })

  it("has one row per operation, each with its source", () => {
    expect(new Set(operationsOf(table)).size).toBe(table.length)
    expect(table.filter(({ source }) => source === "")).toEqual([])
  })

  it("marks as signed what answers with a payload to sign, and executions whose quote has one", () => {
    const executions = table.filter(({ path }) => path.endsWith("/execute"))
    expect(operationsOf(table.filter(({ proof }) => proof === "signed" || proof === "signed?"))).toEqual(
      [...new Set(signedEndpoints.map(({ operation }) => operation)), ...operationsOf(executions)].toSorted(),
    )
  })
})

describe("every operation", () => {
  let found: Awaited<ReturnType<typeof journey>>
  beforeAll(async () => {
    found = await journey()
  }, 240_000)
  afterAll(() => found[Symbol.asyncDispose]())

  const hasCredentials = ({ caller }: Row) => caller !== "nobody"
  const isAgents = ({ caller }: Row) => caller === "agent"
  const isShared = ({ method, scope }: Row) =>
    scope === "everyone" || scope === "server" || (scope === "lists" && method !== "GET")

  it.each<readonly [what: string, claim: Claim, applies: (row: Row) => boolean]>([
    ["succeeds for its owner with the permission of its row alone", "success", () => true],
    ["leaves exactly the audit records of its row", "audit", () => true],
    ["responds with 401 to credentials that are missing, unknown or of another kind", "credentials", hasCredentials],
    [
      "responds with 403 to a caller with every permission but its own",
      "permission",
      ({ needs }) => needs !== "TOKEN" && needs !== "NOBODY",
    ],
    ["is refused to a paused agent if it changes something, and to no other", "pause", isAgents],
    ["is confined to its owner", "tenant", (row) => hasCredentials(row) && !isShared(row)],
    ["is open to persons on the console only where its row says so", "console", hasCredentials],
    [
      "requires the signature of the wallet's owner where its row says so",
      "signature",
      ({ proof }) => proof === "signed" || proof === "signed?",
    ],
    [
      "requires strong authentication where its row says so",
      "region",
      ({ proof }) => proof === "region" || proof === "login",
    ],
  ])("%s", (_what, claim, applies) => {
    expect(found.problems(claim)).toEqual([])
    const expected = operationsOf(table.filter(applies))
    expect(expected.filter((operation) => !found.checked(claim).has(operation))).toEqual([])
  })
})
