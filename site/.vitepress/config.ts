/** The settings of the site, whose pages `src/Build.ts` writes first. */
import { defineConfig } from "vitepress"
import { base } from "../src/Contents.ts"
import { sidebar } from "../src/Pages.ts"
import { slugOf } from "../src/Slugs.ts"

const work = process.env["COUNTERSIGN_SITE_WORK"]
if (work === undefined) throw new Error("the site is built by npm run site")

export default defineConfig({
  title: "Countersign",
  description: "An embeddable payments domain library with pluggable adapters, in TypeScript on Effect 4.",
  lang: "en",
  base,
  srcDir: `${work}/pages`,
  outDir: `${work}/built`,
  cacheDir: `${work}/cache`,
  // Pages enter the index of the search one after another, so that two builds are equal.
  buildConcurrency: 1,
  // The plain pages of sources are added afterwards.
  ignoreDeadLinks: [/^\/docs\/site\/source\//u],
  markdown: {
    anchor: { slugify: slugOf },
    config: (md) => {
      const { code_inline: inline } = md.renderer.rules
      // Braces in code are no expressions of a template.
      md.renderer.rules.code_inline = (...all) => inline?.(...all).replace("<code", "<code v-pre") ?? ""
    },
  },
  vite: { logLevel: "warn", build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "First steps", link: "/guides/first-steps" },
      { text: "Embed", link: "/guides/embedding" },
      { text: "Test", link: "/guides/testing" },
      { text: "Verify", link: "/guides/verifying" },
      { text: "Reference", link: "/wire" },
    ],
    sidebar: sidebar(),
    footer: { message: "Apache-2.0" },
  },
})
