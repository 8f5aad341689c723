/**
 * Which files a package may contain. Code, types and maps follow its sources; every other file is in the list.
 * Source: D-192, D-541.
 */

const everyPackage = ["LICENSE", "README.md", "package.json", "CHANGELOG.md"]

/** Further files by package; a pattern where names contain a digest or the list is that of a folder of the repository. */
const further: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  "@countersign/adapter-http": [
    /^assets\/(?:guide\.html|reference(?:-dialog|-ids|-resolve|-search)?\.js|reference\.css)$/u,
    /^assets\/renderer\/(?:LICENSE|NOTICE|swagger-ui-bundle\.js(?:\.br|\.LICENSE\.txt)|swagger-ui\.css\.br|version)$/u,
    /^assets\/site\/site\.json$/u,
    /^assets\/site\/(?:[@\w.[\]-]+\/)*[@\w.[\]-]+\.br$/u,
  ],
  "@countersign/adapter-postgres": [/^assets\/cluster\.zst$/u, /^sql\/(?:[\w-]+\/)*[\w-]+\.sql$/u],
  "@countersign/cli": [
    /^bin\/countersign\.js$/u,
    /^bundle\/(?:[\w-]+-[A-Z0-9]{8}\.js|DocumentWorker\.js|LICENSES\.txt|current\.json)$/u,
    /^templates\/(?:(?:ports|bank)\/)?[\w.-]+\.(?:ts|mjs|py)$/u,
  ],
  "@countersign/console": [/^NOTICES\.txt$/u],
  "@countersign/ports-http": [/^schema\/[\w.-]+\.json$/u],
}

/** What the compiler makes of a source. */
const built = (source: string): ReadonlyArray<string> => {
  const stem = source.replace(/^src\/(.*)\.ts$/u, "dist/$1")
  return [`${stem}.js`, `${stem}.js.map`, `${stem}.d.ts`, `${stem}.d.ts.map`]
}

/** Names files that are missing, and files that nothing explains. */
export const problemsOfContents = (name: string, files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const present = new Set(files)
  const sources = files.filter((file) => /^src\/.*(?<!\.test)\.ts$/u.test(file))
  const derived = sources.flatMap(built)
  const explained = new Set([...everyPackage, ...sources, ...derived])
  const isFurther = (file: string) => (further[name] ?? []).some((pattern) => pattern.test(file))
  const required = [...everyPackage.filter((file) => file !== "CHANGELOG.md"), ...derived]
  return [
    ...(sources.length === 0 ? [`${name} has no sources`] : []),
    ...required.filter((file) => !present.has(file)).map((file) => `${name} lacks ${file}`),
    ...files.filter((file) => !explained.has(file) && !isFurther(file)).map((file) => `${name} contains ${file}`),
    ...(further[name] ?? [])
      .filter((pattern) => !files.some((file) => pattern.test(file)))
      .map((pattern) => `${name} has no file ${pattern.source}`),
  ]
}
