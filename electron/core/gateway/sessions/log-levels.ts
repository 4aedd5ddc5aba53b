/** Log messages: their levels, and which of them a client wants. */
const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The level for a legacy client that set none. A modern client without a level receives no log messages. */
export const defaultLogLevel: LogLevel = 'info';

export function isLogLevel(level: unknown): level is LogLevel {
  return logLevels.includes(level as LogLevel);
}

/** The most detailed of these levels; undefined if there are none. */
export function mostDetailed(levels: LogLevel[]): LogLevel | undefined {
  return logLevels.find((level) => levels.includes(level));
}

/** Whether a message of this level is at least as severe as `lowest`. */
export function isAtLeast(lowest: LogLevel, level: unknown): boolean {
  return logLevels.indexOf(level as LogLevel) >= logLevels.indexOf(lowest);
}
