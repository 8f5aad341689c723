/** A store in four cells is a `Store`. */

import { afterAll } from "vitest"
import { storeConformance } from "../../../packages/test/src/conformance/index.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const database = TestDatabase.create()

afterAll(async () => (await database).close())

storeConformance(
  "PostgreSQL in four cells",
  TestDatabase.emptyStore(async () => (await database).connection, 4),
  { timeoutMillis: 60_000 },
)
