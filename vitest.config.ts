import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"
import { softHsm } from "./test/src/adapter-keys/SoftHsm.ts"
import { SuitesFirst } from "./test/src/harness/SuitesFirst.ts"

/** Folders whose tests need the modules of a process for themselves: they start clusters, pack the packages, or hold global things. */
const alone = ["adapter-keys/token", "cluster", "mutation", "packages"].map(
  (folder) => `test/src/${folder}/**/*.test.ts`,
)

/** Needs a cluster: COUNTERSIGN_TEST_CLUSTER names a folder with the script that starts one. */
const onNodes = process.env["COUNTERSIGN_TEST_CLUSTER"] === undefined ? ["test/src/cluster/nodes/**"] : []

/** Needs SoftHSM 2, which Debian has. */
const onToken = softHsm === "" ? ["test/src/adapter-keys/token/**"] : []

/** Takes an hour: `npm run mutate -- sql` runs it. */
const byRequest =
  process.env["COUNTERSIGN_TEST_SQL_MUTANTS"] === undefined ? ["test/src/mutation/sql/SqlMutation.test.ts"] : []

/** Packages import each other's sources: no test needs a build. */
const resolve = { conditions: ["@countersign/source"] }

export default defineConfig({
  resolve,
  ssr: { resolve },
  // What runs before all tests has an environment of its own.
  environments: { __vitest__: { resolve } },
  test: {
    globalSetup: ["test/src/adapter-postgres/PostgresServer.ts", "test/src/traffic/Run.ts"],
    setupFiles: ["test/src/traffic/Setup.ts"],
    // A third of the time is waiting for processes and databases: two workers more than cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SuitesFirst },
    // How long a test takes is the machine's business: these ends are for what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Servers that tests start compile the same sources each time: once is enough.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: alone,
          exclude: [...configDefaults.exclude, ...onNodes, ...onToken, ...byRequest],
        },
      },
      {
        extends: true,
        // The rooms load the same core: a worker loads it once for all of its files, which is two thirds of their time.
        test: {
          name: "rooms",
          include: ["test/src/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false,
        },
      },
    ],
  },
})
