import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["@countersign/source"] },
  ssr: { resolve: { conditions: ["@countersign/source"] } },
  test: {
    include: ["test/src/**/*.test.ts"],
    globalSetup: ["test/src/adapter-postgres/PostgresServer.ts"],
    // Most of the time is processes and databases: one worker for each core, and none spared.
    maxWorkers: availableParallelism(),
    // How long a test takes is the machine's business: these ends are for what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
