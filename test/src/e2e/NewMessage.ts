/** A message in the inbox of the sandbox. Source: D-473. */
import { type Send, textAt } from "./Client.ts"

/** Posts a message to the inbox of the sandbox, and returns its id. */
export const newMessage = async (platform: Send): Promise<string> => {
  await fetch(textAt(await platform("GET", "/sandbox/inbox"), "url"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  })
  return textAt(await platform("GET", "/sandbox/inbox/messages"), "data", 0, "id")
}
