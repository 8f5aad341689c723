/** How the tests of a room are run on a mutant: one process for all of them, since none leaves anything behind. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { include: [".mutants/**/*.test.mjs"], exclude: [], isolate: false, testTimeout: 20_000 },
})
