/**
 * Says which member of an answer is not of the contract, and what is expected there. The value itself is never shown: it may be a secret.
 * Source: D-527.
 */
import { type Schema, SchemaIssue } from "effect"

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

/** For example `reason: Expected one of BANK_REJECTED, ...`. */
export const answerFault = ({ issue }: Schema.SchemaError): string => {
  const [{ message, path = [] } = { message: "" }] = standard(issue).issues
  const member = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  return member === "" ? message : `${member}: ${message}`
}
