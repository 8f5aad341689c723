import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["@countersign/source"] },
  ssr: { resolve: { conditions: ["@countersign/source"] } },
  test: {
    include: ["test/src/**/*.test.ts"],
    globalSetup: ["test/src/adapter-postgres/PostgresServer.ts"],
    // How long a test takes is the machine's business: these ends are for what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
