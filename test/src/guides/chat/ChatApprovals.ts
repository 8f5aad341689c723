/** Held actions as messages of a chat tool with two buttons, and clicks as decisions. */
import { ApiError, type Client } from "@countersign/client"
import type { WebhookEvent } from "@countersign/client/webhook"
import type { Click } from "./Clicks.ts"

/** What we need of the chat tool. */
export interface Chat {
  /** Posts a message with two buttons, whose clicks name the action, and returns the message's id. */
  readonly ask: (text: string, action: { readonly agentId: string; readonly actionId: string }) => Promise<string>
  /** Replaces the text of a message and removes its buttons. */
  readonly settle: (messageId: string, text: string) => Promise<void>
  /** Shows a text to one person only. */
  readonly whisper: (userId: string, text: string) => Promise<void>
}

export interface Message {
  readonly id: string
  readonly isSettled: boolean
}

export interface Options {
  readonly client: Pick<Client, "agents">
  readonly chat: Chat
  /** Who may decide, by the tool's id of the person: a list of yours, not of the tool. */
  readonly approvers: ReadonlyMap<string, string>
  /** The address of the approvals page, for actions that need named approvers. */
  readonly page: string
  /** The message of an action. Keep it in your database: deliveries repeat, also after a restart. */
  readonly messages: Map<string, Message>
}

type Held = Extract<WebhookEvent, { readonly type: "AGENT_ACTION.PENDING_APPROVAL" }>["data"]

const describe = ({ agentId, transferDetails, type }: Held): string =>
  transferDetails === undefined
    ? `${agentId} asks to execute a quote`
    : `${agentId} asks for ${type} of ${transferDetails.amount} ${transferDetails.currency} (smallest unit) to ${transferDetails.destinationAccountId}`

/** The status of the action of a 409, which says that it is already decided. */
const decidedAs = (error: unknown): string | undefined => {
  if (!(error instanceof ApiError) || error.code !== "CONFLICT") return undefined
  const { action }: { readonly action?: { readonly status?: unknown } } = Object(error.details)
  return typeof action?.status === "string" ? action.status : undefined
}

const needsNamedApprover = (error: unknown): boolean =>
  error instanceof ApiError && Object(error.details).reason === "NAMED_APPROVER_NEEDED"

export const chatApprovals = ({ approvers, chat, client, messages, page }: Options) => {
  const settle = async (actionId: string, text: string) => {
    const message = messages.get(actionId)
    if (message === undefined || message.isSettled) return
    messages.set(actionId, { ...message, isSettled: true })
    await chat.settle(message.id, text)
  }
  return {
    /** For `process` of the receiver of webhooks, which has verified the event. */
    process: async (event: WebhookEvent) => {
      if (event.type !== "AGENT_ACTION.PENDING_APPROVAL") return
      const { agentId, id: actionId } = event.data
      if (messages.has(actionId)) return // deliveries repeat
      const id = await chat.ask(describe(event.data), { agentId, actionId })
      messages.set(actionId, { id, isSettled: false })
    },
    /** For a click that `clickOf` has verified. */
    decide: async ({ actionId, agentId, decision, userId }: Click) => {
      const name = approvers.get(userId)
      if (name === undefined) return chat.whisper(userId, "You are not an approver.")
      const params = { agentId, actionId }
      try {
        const action =
          decision === "approve"
            ? await client.agents.approveAgentAction({ params })
            : await client.agents.rejectAgentAction({ params, payload: { reason: `Rejected by ${name} in the chat.` } })
        await settle(actionId, `${action.status} by ${name}`)
      } catch (error) {
        const status = decidedAs(error)
        if (needsNamedApprover(error)) return chat.whisper(userId, `This one needs named approvers: ${page}`)
        if (status === undefined) throw error // answer 500, and show that nothing was decided
        // A second click, or a decision elsewhere: the first one counts.
        await settle(actionId, `${status} already`)
      }
    },
  }
}
