/** The texts of statements for cells on a cluster. Source: D-517. */
import { describe, expect, it } from "vitest"
import {
  guarded,
  guardFunctions,
  physical,
  statementsIn,
} from "../../../packages/adapter-postgres/src/cluster/PhysicalSql.ts"
import { functions, functionsSql } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import { kindTables } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"
import * as SqlFiles from "../../../packages/adapter-postgres/src/sql/SqlFiles.ts"

const foundation = [...SqlFiles.foundation.matchAll(/create table (\w+)/gu)].map(([, name]) => name ?? "")
const tables = [...foundation, "event_attempt", "schema_version", ...kindTables.map(({ table }) => table)]
const shards = new Map(tables.map((table, n) => [table, String(1000 + n)]))
const schema = "countersign_cell_1_of_4"
const write = (text: string) => physical(text, schema, shards)

describe("the functions of a cell on a cluster", () => {
  const text = write(functionsSql)

  it("name shards alone, so that the cluster's planner never sees them", () => {
    const named = [...text.matchAll(/\b(?:from|join|update|into|using)\s+(?:only\s+)?"?(\w+)"?(?!\s*\()/giu)]
    expect(named.map(([, name = ""]) => name).filter((name) => shards.has(name))).toEqual([])
    expect(text).not.toMatch(/\bcountersign\./u)
    const qualified = [...text.matchAll(/countersign_cell_1_of_4\."?(\w+)"?/gu)].map(([, name = ""]) => name)
    expect(qualified.filter((name) => shards.has(name))).toEqual([])
    expect(qualified).toContain(`ledger_account_${shards.get("ledger_account")}`)
  })

  it("number jobs by the epoch of the cell, wherever they add any", () => {
    const added = text.match(/insert into countersign_cell_1_of_4\."job_\d+" \(\s*sequence, owner_id/gu) ?? []
    expect(added).toHaveLength(2)
    expect(text.match(/countersign_cell_1_of_4\.next_sequence\(\)/gu)).toHaveLength(2)
    expect(functionsSql.replaceAll(/\/\*.*?\*\//gsu, "")).not.toContain("next_sequence")
  })

  it("take one claim of a queue at a time in each cell", () => {
    expect(text).toContain("'claim countersign_cell_1_of_4 '")
  })
})

describe("a statement for a cell on a cluster", () => {
  it("is held to the node that has the cell, when it reads or calls a function", () => {
    for (const query of [
      'select * from countersign."card" c',
      "with a as (select 1) select * from countersign.job j",
    ]) {
      expect(guarded(query, schema, shards)).toBe(
        `select each.* from (${write(query)}) as each where (select ${schema}.require_here(false))`,
      )
    }
    const kept = (call: string) => guarded(`select ${call}`, schema, shards).endsWith("require_here(true))")
    for (const [name, call] of Object.entries(functions)) {
      expect(kept(`${call}($1)`), name).toBe(name !== "readPoints" && name !== "findLocked")
    }
    expect(kept("c.id from countersign.customer c where c.id = $1 for key share")).toBe(true)
    expect(write('select * from countersign."card" c')).toContain(`${schema}."card_${shards.get("card")}" c`)
  })

  it("names the tables of the cluster when it changes any itself", () => {
    expect(guarded("delete from countersign.vault_file where key = $1", schema, shards)).toBe(
      `delete from ${schema}.vault_file where key = $1`,
    )
  })

  it("is refused without the table that stands for the cell", () => {
    expect(() => guardFunctions(schema, new Map())).toThrow("the cell has no table ledger_account")
  })
})

describe("a script", () => {
  it("is divided into its statements", () => {
    const script = `-- a; comment
create table a (b text default ';''');
create function f() returns text language sql as $body$ select 1; select '$$;' $body$;
/* no; end */ select "odd;name" from a; ;
-- nothing`
    expect(statementsIn(script)).toEqual([
      "-- a; comment\ncreate table a (b text default ';''')",
      "create function f() returns text language sql as $body$ select 1; select '$$;' $body$",
      '/* no; end */ select "odd;name" from a',
    ])
  })

  it("has all statements of the schema", () => {
    const all = statementsIn(`${SqlFiles.foundation}\n${SqlFiles.deliveryAttempts}\n${functionsSql}`)
    expect(all.filter((statement) => /create table/u.test(statement))).toHaveLength(foundation.length + 1)
    expect(all.filter((statement) => /create (?:or replace )?function/u.test(statement))).toHaveLength(17)
  })
})
