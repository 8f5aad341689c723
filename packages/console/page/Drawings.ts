/** The drawings of state machines, which are laid out when the page is built. Source: D-468. */

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly states: ReadonlyArray<{
    readonly name: string
    /** The centre. */
    readonly x: number
    readonly y: number
    readonly width: number
  }>
  readonly arrows: ReadonlyArray<{
    readonly from: string
    readonly to: string
    readonly triggers: ReadonlyArray<string>
    readonly path: string
    /** The base of the arrow's head, and its point. */
    readonly head: readonly [x: number, y: number, toX: number, toY: number]
    /** The centre of the label. */
    readonly x: number
    readonly y: number
  }>
  /** What takes each trigger, in words. */
  readonly takers: { readonly [trigger: string]: ReadonlyArray<string> }
}

/** The build puts the drawings here. */
declare const MACHINE_DRAWINGS: { readonly [machine: string]: Drawing }

export const drawings = MACHINE_DRAWINGS
