/** The page of traceability: every statement of the specification, in the project's words, and the tests that prove it. */

import type { SourceFile } from "../src/tidy/Repository.ts"
import { foundIn } from "../src/traceability/Problems.ts"
import type { Proof } from "../src/traceability/Proofs.ts"
import type { Section, Statement } from "../src/traceability/Statement.ts"
import { code, page, table } from "./Markdown.ts"

const link = ({ path, title }: Proof) =>
  `[${path.replace(/^test\/src\//u, "")}](../${path}): ${title.replaceAll(/\s+/gu, " ").replaceAll("<", "&lt;")}`

const counted = (statements: ReadonlyArray<Statement>): string => {
  const named = statements.filter(({ namedOnly }) => namedOnly !== undefined).length
  return `${statements.length} statements: ${statements.length - named} proven, ${named} named only.`
}

const section = ({ statements, title }: Section, proofs: ReadonlyArray<Proof>): string =>
  [
    `## ${title}`,
    counted(statements),
    table(
      ["Id", "Statement", "Proven by"],
      statements.map(({ id, namedOnly, says }) => [
        code(id),
        says,
        namedOnly === undefined
          ? proofs
              .filter(({ ids }) => ids.includes(id))
              .map(link)
              .join("<br>")
          : `**named only**: ${namedOnly}`,
      ]),
    ),
  ].join("\n\n")

/** The page of these sections, with the tests that the files hold. */
export const traceabilityPage = (sections: ReadonlyArray<Section>, files: ReadonlyArray<SourceFile>): string => {
  const { proofs } = foundIn(files.filter(({ path }) => path.startsWith("test/src/")))
  const all = sections.flatMap(({ statements }) => statements)
  return page(
    "Traceability",
    "the statements in `test/src/traceability` and the tests that name them",
    "What the specification obliges the service to, each statement in words of our own, with the tests that prove it. A test names what it proves in a comment above it, `// Proves: CONV-01`; a statement that no test names fails `npm run check`. Named only are areas that the specification names without saying anything of them, and codes that nothing here can reach.",
    `**${counted(all)}**`,
    table(
      ["Section", "Statements", "Named only"],
      sections.map(({ statements, title }) => [
        title,
        String(statements.length),
        String(statements.filter(({ namedOnly }) => namedOnly !== undefined).length),
      ]),
    ),
    ...sections.map((each) => section(each, proofs)),
  )
}
