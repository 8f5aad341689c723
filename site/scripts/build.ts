/** Builds the documentation site, if its sources have changed: `npm run site`. `npm ci` and `npm pack` run it, too. */
const isInstalled = (): boolean => {
  try {
    return import.meta.resolve("vitepress") !== ""
  } catch {
    return false
  }
}

if (isInstalled()) {
  const { buildSite } = await import("../src/Build.ts")
  console.log((await buildSite()) ? "the documentation site is built" : "the documentation site is up to date")
} else {
  console.log("vitepress is not installed (a development dependency): there is no documentation site")
}
