/**
 * The functions of this release, beside those of others: each release calls its own, until the others are taken away.
 * Source: D-061.
 */
import type { Session } from "../connection/Connection.ts"
import { functions, functionsSql } from "../functions/Functions.ts"
import { ask, shortly } from "./Steps.ts"

// What all of them have behind their names.
const mark = functions.commitSerial.slice(functions.commitSerial.lastIndexOf("_"))

const others = `pg_proc f where f.pronamespace = 'countersign'::regnamespace and f.proname ~ '_[0-9a-f]{12}$' and right(f.proname, ${mark.length}) <> '${mark}'`

export const areThere = async (session: Session): Promise<boolean> => {
  const found = await ask(session, "select proname::text from pg_proc where pronamespace = 'countersign'::regnamespace")
  return Object.values(functions).every((name) => found.includes(name.replace("countersign.", "")))
}

export const create = async (session: Session): Promise<void> => {
  if (!(await areThere(session))) await shortly(session, () => session.script(functionsSql))
}

export const hasOthers = async (session: Session): Promise<boolean> =>
  (await ask(session, `select 1::text from ${others} limit 1`)).length > 0

export const dropOthers = (session: Session): Promise<number> =>
  shortly(session, async () => {
    const names = await ask(session, `select f.oid::regprocedure::text from ${others}`)
    for (const name of names) await session.script(`drop function ${name}`)
    return names.length
  })
