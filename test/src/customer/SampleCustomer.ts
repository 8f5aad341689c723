/** A customer record that every rule accepts. */
import type { Customer } from "@countersign/core/models"

export const ada: Customer = {
  platformCustomerId: "ada",
  customerType: "INDIVIDUAL",
  checkStatus: "APPROVED",
  currencies: ["USD"],
  umaAddress: "$ada@example.com",
  isDeleted: false,
}
