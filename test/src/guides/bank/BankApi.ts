/** How a program calls its bank, which takes an order now, books it hours later, and then notifies the program. */

export interface Order {
  /** Ours, unique: the bank takes one order under it, and answers a second one with the state of the first. */
  readonly reference: string
  /** Kept by the bank and part of its notifications. */
  readonly note: string
  readonly direction: "DEBIT" | "CREDIT"
  readonly accountNumber: string
  readonly amount: number
}

export type OrderState = "ACCEPTED" | "BOOKED" | "REJECTED" | "CANCELLED" | "RETURNED"

export interface BankApi {
  readonly order: (order: Order) => Promise<OrderState>
  /** `undefined`: the bank has no such order, and none is on its way. */
  readonly stateOf: (reference: string) => Promise<OrderState | undefined>
  /** Cancels an order that is not booked; returns its state. */
  readonly cancel: (reference: string) => Promise<OrderState | undefined>
}
