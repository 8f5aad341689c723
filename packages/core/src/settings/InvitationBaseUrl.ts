/**
 * The base of the links of invitations, such as `https://invite.example.com`; `undefined`: invitations cannot be created.
 * Source: wire contract areas 1.4.3 (`url`) and 1.4.5 (`INVITATIONS_NOT_CONFIGURED`).
 */
import { Context } from "effect"

export const InvitationBaseUrl = Context.Reference<string | undefined>("@countersign/core/InvitationBaseUrl", {
  defaultValue: () => undefined,
})
