/** The endpoint as a route handler of Next.js: `export const POST = withNext(receive)` in `app/hooks/route.ts`. */
import type { Receive } from "./Receive.ts"

export const withNext = (receive: Receive) => async (request: Request) => {
  const { json, status } = await receive(request.headers, await request.arrayBuffer())
  return Response.json(json, { status })
}
