/** Reads a stream of changes as a browser does: the comments, the topics of each event, and the end. */
import { eventually } from "../e2e/Deadline.ts"

export interface EventStream {
  readonly response: Response
  /** Everything that was received so far. */
  readonly text: () => string
  /** The topics of each event so far. */
  readonly events: () => ReadonlyArray<ReadonlyArray<string>>
  /** Waits until an event has the topic. */
  readonly awaits: (topic: string) => Promise<void>
  /** Settles when the server has ended the stream, or has broken it. */
  readonly ended: Promise<"ended" | "broken">
  readonly leave: () => Promise<void>
}

const decoder = new TextDecoder()

export const eventStream = (response: Response): EventStream => {
  const { body } = response
  if (response.status !== 200 || body === null) throw new Error(`no stream: ${response.status}`)
  const reader = body.getReader()
  let text = ""
  const read = async (): Promise<"ended" | "broken"> => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return "ended"
      text += decoder.decode(value, { stream: true })
    }
  }
  const events = () =>
    [...text.matchAll(/event: changed\ndata: (.*)\n\n/gu)].map(
      ([, data = ""]) => (JSON.parse(data) as { readonly topics: ReadonlyArray<string> }).topics,
    )
  return {
    response,
    text: () => text,
    events,
    awaits: async (topic) => {
      await eventually(
        `an event of ${topic}`,
        async () => events(),
        (all) => all.some((topics) => topics.includes(topic)),
      )
    },
    ended: read().catch(() => "broken" as const),
    leave: () => reader.cancel(),
  }
}
