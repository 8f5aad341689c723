/** The licences of the packages whose code runs in the pages of the site. */
import { licencesOf } from "../../packages/cli/scripts/bundler.mjs"

/** The theme and what it loads; a test holds the list against what the theme imports. */
export const bundledPackages = [
  "vitepress",
  "vue",
  "@vue/runtime-core",
  "@vue/runtime-dom",
  "@vue/reactivity",
  "@vue/shared",
  "@vueuse/core",
  "@vueuse/integrations",
  "@vueuse/shared",
  "focus-trap",
  "mark.js",
  "minisearch",
  "tabbable",
] as const

export const licencesText = (): string =>
  licencesOf(bundledPackages.map((name) => `node_modules/${name}/index.js`)).join("\n")
