import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["@countersign/source"] },
  ssr: { resolve: { conditions: ["@countersign/source"] } },
  test: { include: ["test/src/**/*.test.ts"], globalSetup: ["test/src/adapter-postgres/PostgresServer.ts"] },
})
