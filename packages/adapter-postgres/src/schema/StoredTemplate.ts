/**
 * The persisted form of a template: `{"body", "holes"}`. Rows written by earlier releases keep this form, so it does not follow
 * renames in the core.
 */
import type { ChangeSet } from "@countersign/core/store"

type Template = ChangeSet["events"][number]["data"]

export interface StoredTemplate {
  readonly body: Template["body"]
  readonly holes: Template["placeholders"]
}

/** The JSON text that is stored for a template. */
export const encodeTemplate = ({ body, placeholders }: Template): string =>
  JSON.stringify({ body, holes: placeholders } satisfies StoredTemplate)

/** The template of a stored row. */
export const decodeTemplate = ({ body, holes }: StoredTemplate): Template => ({ body, placeholders: holes })
