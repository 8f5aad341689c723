/**
 * What only a sandbox lets pass: each row makes a test weaker than a live deployment would be, and a run can tell which it leaned on.
 * Spec: Sandbox authentication behavior; 4.6.
 */
import * as Reached from "../kit/Reached.ts"
import * as Table from "../kit/Table.ts"

export const SandboxMercies = Table.make("SandboxMercies", {
  FIXED_CODE: "a fixed code stood for one that a customer is sent",
})

export const lenient = (name: (typeof SandboxMercies.keys)[number]): void => Reached.tell({ _tag: "Mercy", name })
