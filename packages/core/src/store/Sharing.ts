/**
 * How platforms share the slots of a worker. The platform with the fewest running jobs is first, and one alone may use nearly all slots.
 * Jobs are not interrupted, so some slots stay free for platforms that have no work yet, and a platform whose jobs hang cannot take them.
 * Source: D-325.
 */

/**
 * The number of slots that a platform leaves free when it takes another one: the binary digits of its number of running jobs. A platform
 * without running jobs may take the last slot. One with 120 leaves 7, of which the next platform takes 4, and the one after that 2.
 */
export const reserveFor = (running: number): number => 32 - Math.clz32(running)
