/** Timers of Node.js hold at most 32 bits. */

/** The longest delay of a timer in milliseconds, about 25 days. */
export const maxTimerMs = 2 ** 31 - 1;
