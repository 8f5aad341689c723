/**
 * What holds for every change set whatever the store contains.
 * Source: core, ports/Validity.ts.
 */
export { assertValid } from "@countersign/core"
