/**
 * What is wrong between statements and tests: every statement is proven or says why it cannot be, and every id is known.
 * Source: AGENTS.md, "Tests"; the checks are plain functions, so that they are tested themselves.
 */
import { isPackageSource, type SourceFile } from "../tidy/Repository.ts"
import { type Found, isId, type Proof, proofsOf } from "./Proofs.ts"
import type { Section, Statement } from "./Statement.ts"

type Problems = ReadonlyArray<string>

/** The proofs and the spoilt comments of many files. */
export const foundIn = (files: ReadonlyArray<SourceFile>): Found => {
  const found = files.map(proofsOf)
  return { proofs: found.flatMap(({ proofs }) => proofs), problems: found.flatMap(({ problems }) => problems) }
}

/** A statement that is ill written, or given twice. */
export const problemsOfStatements = (statements: ReadonlyArray<Statement>): Problems => [
  ...statements.flatMap(({ id, namedOnly, says }) => [
    ...(isId(id) ? [] : [`${id}: not an id`]),
    ...(says.trim() === "" ? [`${id}: says nothing`] : []),
    ...(namedOnly?.trim() === "" ? [`${id}: named only, without a reason`] : []),
  ]),
  ...statements
    .filter(({ id }, at) => statements.findIndex((other) => other.id === id) < at)
    .map(({ id }) => `${id}: given twice`),
]

/** A statement without a test and without a reason, or with both, and a test of a statement that is not there. */
export const problemsOfProofs = (statements: ReadonlyArray<Statement>, proofs: ReadonlyArray<Proof>): Problems => {
  const known = new Set(statements.map(({ id }) => id))
  const proven = new Set(proofs.flatMap(({ ids }) => ids))
  return [
    ...statements.flatMap(({ id, namedOnly }) => {
      if (namedOnly === undefined) return proven.has(id) ? [] : [`${id}: no test proves it`]
      return proven.has(id) ? [`${id}: named only, and yet a test proves it`] : []
    }),
    ...proofs.flatMap(({ ids, path, title }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${path}: "${title}" proves ${id}, which no statement has`),
    ),
  ]
}

/** How a source answers with a code: as a member of a refusal, or by one of the functions that make refusals. */
const raising = /(?:\bcode:|\b(?:refusal)\(|\bnotFound\([^()]*,|\bfield\([^()]*,)\s*"([A-Z_]+)"/gu

/** A code that nothing can reach, and that a source of the packages answers with all the same. */
export const problemsOfCodes = (statements: ReadonlyArray<Statement>, sources: ReadonlyArray<SourceFile>): Problems => {
  const unreached = new Set(statements.flatMap(({ id, namedOnly }) => (namedOnly === undefined ? [] : [id])))
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(raising)]
      .filter(([, code]) => unreached.has(`ERR-${code}`))
      .map(([, code]) => `ERR-${code}: named only, and yet ${path} answers with it`),
  )
}

/** All that is wrong with the statements of these sections, the tests of these files, and the sources among them. */
export const problemsOfTraceability = (
  sections: ReadonlyArray<Section>,
  files: ReadonlyArray<SourceFile>,
): Problems => {
  const statements = sections.flatMap((section) => section.statements)
  const { problems, proofs } = foundIn(files.filter(({ path }) => path.startsWith("test/src/")))
  return [
    ...problems,
    ...problemsOfStatements(statements),
    ...problemsOfProofs(statements, proofs),
    ...problemsOfCodes(
      statements,
      files.filter(({ path }) => isPackageSource(path)),
    ),
  ]
}
