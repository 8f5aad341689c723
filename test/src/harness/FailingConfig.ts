/** The configuration of a Vitest in a process of its own, whose tests fail on purpose. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["@countersign/source"] },
  ssr: { resolve: { conditions: ["@countersign/source"] } },
  test: { include: ["**/*.spec.ts"] },
})
