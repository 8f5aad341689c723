/** The bank's test system, in memory: a test books, rejects and returns orders, and breaks the connection. */
import type { BankApi, Order, OrderState } from "./BankApi.ts"

/** The bank rejects larger orders at once. */
const limit = 1_000_000

export const testBank = () => {
  const orders = new Map<string, Order & { readonly state: OrderState }>()
  let isDown = false
  let losesAnswers = false
  const answer = <A>(value: A): A => {
    if (losesAnswers) throw new Error("connection reset")
    return value
  }
  const connected = () => {
    if (isDown) throw new Error("connection refused")
  }
  const api: BankApi = {
    order: async (order) => {
      connected()
      const known = orders.get(order.reference)
      const placed = known ?? { ...order, state: order.amount > limit ? ("REJECTED" as const) : ("ACCEPTED" as const) }
      orders.set(order.reference, placed)
      return answer(placed.state)
    },
    stateOf: async (reference) => {
      connected()
      return answer(orders.get(reference)?.state)
    },
    cancel: async (reference) => {
      connected()
      const known = orders.get(reference)
      if (known?.state === "ACCEPTED") orders.set(reference, { ...known, state: "CANCELLED" })
      return answer(orders.get(reference)?.state)
    },
  }
  return {
    api,
    orders: () => [...orders.values()],
    /** Returns the notification about the order's new state. */
    move: (reference: string, state: OrderState) => {
      const order = orders.get(reference)
      if (order === undefined) throw new Error(`there is no order ${reference}`)
      orders.set(reference, { ...order, state })
      return { reference, note: order.note, state }
    },
    executed: () => [...orders.values()].filter(({ state }) => state !== "REJECTED").length,
    setDown: (value: boolean) => {
      isDown = value
    },
    loseAnswers: (value: boolean) => {
      losesAnswers = value
    },
  }
}
