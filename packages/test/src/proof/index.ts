/** The published proofs of machines and rule lists: functions that register tests, and the checks as plain functions. */
export {
  type MachineProofOptions,
  problemsOfDiagram,
  problemsOfNames,
  problemsOfPair,
  problemsOfReach,
  problemsOfSpecified,
  problemsOfTerminals,
  proveMachine,
} from "./MachineProof.ts"
export {
  type PrecedenceLine,
  type PrecedenceTable,
  problemsOfPrecedence,
  problemsOfRow,
  provePrecedence,
  proveRow,
  type Repair,
  type RowCase,
} from "./RulesProof.ts"
