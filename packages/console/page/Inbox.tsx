/** The inbox of the sandbox: webhooks that arrived there, making it the endpoint, and the answer to the next one. Source: D-473. */
import { useState } from "preact/hooks"
import { InboxMessages } from "./InboxMessages.tsx"
import { useProblemOf } from "./Loaded.ts"
import { usePolling } from "./Polling.ts"
import { useSession } from "./Session.ts"
import type { Inbox as InboxResource, ListedMessage, Page } from "./Wire.ts"

/** As many as the sandbox keeps. */
const messagesMax = 100

interface Shown {
  readonly inbox: InboxResource
  readonly messages: ReadonlyArray<ListedMessage>
}

export const Inbox = () => {
  const { announce, api } = useSession()
  const problemOf = useProblemOf()
  const [shown, setShown] = useState<Shown>()
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const { refresh } = usePolling(
    async () => {
      try {
        const [inbox, { data }] = await Promise.all([
          api.get<InboxResource>("/sandbox/inbox"),
          api.get<Page<ListedMessage>>(`/sandbox/inbox/messages?limit=${messagesMax}`),
        ])
        setShown({ inbox, messages: data })
        setProblem(undefined)
        return true
      } catch (failure) {
        setProblem(problemOf(failure))
        return false
      }
    },
    "inbox",
    "records",
  )
  const change = async (path: string, body: object, text: string) => {
    try {
      await api.post(path, body)
      setRefusal(undefined)
      announce(text)
    } catch (failure) {
      setRefusal(problemOf(failure))
    }
    refresh()
  }
  const open = () => change("/sandbox/inbox", {}, "Your webhooks are sent to the inbox.")
  const failNext = () =>
    change("/sandbox/inbox/answers", { status: 500, count: 1 }, "The next webhook is answered with 500.")
  const said = refusal ?? problem
  return (
    <section class="inbox" aria-labelledby="inbox-title">
      <h2 id="inbox-title" tabIndex={-1}>
        Inbox
      </h2>
      <p>An address of this sandbox that receives webhooks, so that you see them before you have a receiver.</p>
      <div role="alert">{said === undefined ? null : <p class="problem">{said}</p>}</div>
      {shown === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : (
        <>
          <p class="soft small id">{shown.inbox.url}</p>
          {shown.inbox.isEndpoint ? (
            <div class="row">
              <p>Your webhooks are sent here.</p>
              <button type="button" onClick={() => void failNext()}>
                {shown.inbox.nextAnswers === undefined
                  ? "Answer the next with 500"
                  : `The next is answered with ${shown.inbox.nextAnswers.status}`}
              </button>
            </div>
          ) : (
            <button type="button" class="primary" onClick={() => void open()}>
              Send my webhooks here
            </button>
          )}
          <InboxMessages messages={shown.messages} />
        </>
      )}
    </section>
  )
}
