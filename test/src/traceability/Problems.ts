/**
 * Compares statements and tests: every statement is proven or says why it cannot be, and every id is known.
 * Source: AGENTS.md, "Tests"; the checks are plain functions, so that they are tested themselves.
 */
import { isPackageSource, type SourceFile } from "../tidy/Repository.ts"
import { type Found, isId, type Proof, proofsOf } from "./Proofs.ts"
import type { Section, Statement } from "./Statement.ts"

type Problems = ReadonlyArray<string>

/** The proofs and the invalid comments of many files. */
export const foundIn = (files: ReadonlyArray<SourceFile>): Found => {
  const found = files.map(proofsOf)
  return { proofs: found.flatMap(({ proofs }) => proofs), problems: found.flatMap(({ problems }) => problems) }
}

/** Statements that are malformed or repeated. */
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

/** Statements without a test and without a reason, or with both, and tests of unknown statements. */
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

/** The ways in which a source answers with a code: as a member of a refusal, or by a function that makes refusals. */
const raising = /(?:\bcode:|\b(?:refusal)\(|\bnotFound\([^()]*,|\bfield\([^()]*,)\s*"([A-Z_]+)"/gu

/** Codes that are marked as unreachable although a source of the packages answers with them. */
export const problemsOfCodes = (statements: ReadonlyArray<Statement>, sources: ReadonlyArray<SourceFile>): Problems => {
  const unreached = new Set(statements.flatMap(({ id, namedOnly }) => (namedOnly === undefined ? [] : [id])))
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(raising)]
      .filter(([, code]) => unreached.has(`ERR-${code}`))
      .map(([, code]) => `ERR-${code}: named only, and yet ${path} answers with it`),
  )
}

/** All problems of the statements of these sections, the tests of these files and their sources. */
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
