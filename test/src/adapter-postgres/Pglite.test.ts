/** The PostgreSQL adapter on PGlite is a `Store`. */
import { PgliteConnection } from "@countersign/adapter-postgres"
import { PGlite } from "@electric-sql/pglite"
import { afterAll } from "vitest"
import { storeConformance } from "../../../packages/test/src/conformance/index.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = PGlite.create()
const connection = database.then((opened) => PgliteConnection.make(opened))

afterAll(async () => (await database).close())

storeConformance(
  "PGlite",
  TestDatabase.emptyStore(() => connection),
  { timeoutMillis: 60_000 },
)
