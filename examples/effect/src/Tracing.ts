/** A tracer of your own. This one keeps the names of what ended; yours hands its spans to whatever you run. */
import { Exit, Layer, Tracer } from "effect"

/** How often a span of this name ended, and whether it did well. */
export const ended: Map<string, { readonly well: number; readonly badly: number }> = new Map()

class CountedSpan extends Tracer.NativeSpan {
  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    super.end(endTime, exit)
    const { badly, well } = ended.get(this.name) ?? { badly: 0, well: 0 }
    ended.set(this.name, Exit.isSuccess(exit) ? { well: well + 1, badly } : { well, badly: badly + 1 })
  }
}

export const layer = Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new CountedSpan(options) }))
