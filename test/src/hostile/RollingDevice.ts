/** The device of a wallet's owner, whose requests go to the server that serves at this moment. */
import { Clock, Effect } from "effect"
import { type DeviceOptions, device } from "../../../packages/test/src/harness/Device.ts"
import { basic } from "../e2e/Client.ts"
import { credentials } from "../e2e/Flow.ts"

const authorization = basic(credentials.clientId, credentials.clientSecret)

/** The owner's contacts are an e-mail address unless others are given. */
export const deviceAt = (
  base: () => string,
  seed: string,
  contacts: NonNullable<DeviceOptions["contacts"]> = { email: `${seed}@rotation.example` },
) =>
  device(
    {
      baseUrl: "http://rolling.example",
      fetch: (input, init) => {
        const request = new Request(input, init)
        return fetch(new Request(request.url.replace("http://rolling.example", base()), request))
      },
      headers: { authorization },
      now: () => Effect.runPromise(Clock.currentTimeMillis),
    },
    { seed, contacts },
  )
