/** Asks one host of a PostgreSQL server whether it answers, over a connection that is kept. Source: D-508. */
import pg from "pg"

export interface ProbeOptions {
  /** The address of the host. */
  readonly url: string
  /** A host that does not answer within this time does not answer. */
  readonly answerMillisMax: number
}

export class Probe<A> {
  #client: pg.Client | undefined
  #hasEnded = false
  readonly #options: ProbeOptions
  readonly #ask: (client: pg.Client) => Promise<A>
  /** Why the host did not answer the last time. */
  problem: unknown

  constructor(options: ProbeOptions, ask: (client: pg.Client) => Promise<A>) {
    this.#options = options
    this.#ask = ask
  }

  /** The answer; `undefined` from a host that does not answer. */
  async answer(): Promise<A | undefined> {
    try {
      this.#client ??= await this.#open()
      const answer = await this.#ask(this.#client)
      this.problem = undefined
      return answer
    } catch (error) {
      this.problem = error
      this.rest()
      return undefined
    }
  }

  async #open(): Promise<pg.Client> {
    const { answerMillisMax, url } = this.#options
    const client = new pg.Client({
      connectionString: url,
      application_name: "countersign",
      connectionTimeoutMillis: answerMillisMax,
      query_timeout: answerMillisMax,
    })
    client.on("error", () => undefined)
    await client.connect()
    if (!this.#hasEnded) return client
    await client.end()
    throw new Error("the pool is closed")
  }

  /** Closes the connection until the next question. */
  rest(): void {
    this.#client?.end().catch(() => undefined)
    this.#client = undefined
  }

  end(): void {
    this.#hasEnded = true
    this.rest()
  }
}
