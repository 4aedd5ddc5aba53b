/** The limit of Node.js timers, whose delay is a 32-bit integer. */

/** The longest timer delay in milliseconds (about 25 days). */
export const maxTimerMs = 2 ** 31 - 1;
