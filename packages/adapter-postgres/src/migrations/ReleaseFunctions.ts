/**
 * The database functions of this release beside those of others. Each release calls its own until the others are dropped.
 * Source: D-061.
 */
import type { Session } from "../connection/Connection.ts"
import { functions, functionsSql } from "../functions/Functions.ts"
import { inShortTransaction, readColumn } from "./Steps.ts"

// The end of the names of all functions of this release.
const suffix = functions.commitSerial.slice(functions.commitSerial.lastIndexOf("_"))

const others = `pg_proc f where f.pronamespace = 'countersign'::regnamespace and f.proname ~ '_[0-9a-f]{12}$' and right(f.proname, ${suffix.length}) <> '${suffix}'`

export const exist = async (session: Session): Promise<boolean> => {
  const names = await readColumn(
    session,
    "select proname::text from pg_proc where pronamespace = 'countersign'::regnamespace",
  )
  return Object.values(functions).every((name) => names.includes(name.replace("countersign.", "")))
}

export const create = async (session: Session): Promise<void> => {
  if (!(await exist(session))) await inShortTransaction(session, () => session.script(functionsSql))
}

export const hasOthers = async (session: Session): Promise<boolean> =>
  (await readColumn(session, `select 1::text from ${others} limit 1`)).length > 0

export const dropOthers = (session: Session): Promise<number> =>
  inShortTransaction(session, async () => {
    const names = await readColumn(session, `select f.oid::regprocedure::text from ${others}`)
    for (const name of names) await session.script(`drop function ${name}`)
    return names.length
  })
