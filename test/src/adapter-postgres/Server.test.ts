/** The PostgreSQL adapter on a server is a `Store`. */

import { afterAll } from "vitest"
import { storeConformance } from "../../../packages/test/src/conformance/index.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create()

afterAll(async () => (await database).close())

storeConformance(
  "PostgreSQL",
  TestDatabase.emptyStore(async () => (await database).connection),
  {
    timeoutMillis: 60_000,
  },
)
