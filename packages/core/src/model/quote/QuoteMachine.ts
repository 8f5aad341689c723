/**
 * The state machine of a quote. A quote changes together with its transaction, so it has the arrows of the transaction's machine;
 * the transaction emits the events.
 * Source: wire contract 5.5; D-120.
 */
import * as Machine from "../../foundation/kit/Machine.ts"
import { OutgoingMachine } from "../transaction/OutgoingMachine.ts"

export const QuoteMachine = Machine.withEvents("Quote", OutgoingMachine, {})
