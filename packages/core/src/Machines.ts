/** The list of all machines, from which the drawings and the exhaustive tests are made. */
import { AgentActionMachine } from "./agent/AgentActionMachine.ts"
import { KybMachine, KycMachine, OwnerKycMachine } from "./customer/CheckMachine.ts"
import { VerificationMachine } from "./customer/VerificationMachine.ts"
import { IncomingMachine } from "./transaction/IncomingMachine.ts"

export const machines = {
  AgentActionMachine,
  IncomingMachine,
  KycMachine,
  KybMachine,
  OwnerKycMachine,
  VerificationMachine,
}
