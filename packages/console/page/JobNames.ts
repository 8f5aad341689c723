/** Jobs as people read them. A kind that is not listed shows its own name. */
const names: Readonly<Record<string, string>> = {
  "transfer.pull": "Pull money",
  "transfer.push": "Pay out",
  "transfer.refund": "Refund",
  "transfer.confirm": "Confirm delivery",
  "transfer.cancel": "Cancel",
  "quote.pull": "Pull the money of a quote",
  "quote.deliver": "Deliver the money of a quote",
  "quote.end": "End a quote",
  "approval.expire": "End the time to approve",
  "approval.escalate": "Ask further approvers",
  "fees.sweep": "Collect fees",
  "payment.question": "Ask about an incoming payment",
  "payment.time-out": "End the time to decide",
  "deposit.expire": "Refuse a held deposit",
  "deposit.refund": "Return a deposit",
  "account.verify": "Verify an account",
  "card.provision": "Issue a card",
  "card.state": "Update a card",
  "card.expire": "Expire a card authorization",
  "invitation.end": "End an invitation",
  "import.run": "Import customers",
  "webhook.deliver": "Deliver a webhook",
  "webhook.test": "Deliver a test webhook",
}

export const jobName = (kind: string): string => names[kind] ?? kind
