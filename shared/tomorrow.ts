/** The minutes until the next local midnight, for a pause until tomorrow. */
export function minutesToTomorrow(now = Date.now()): number {
  const day = new Date(now);
  return (new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime() - now) / 60_000;
}
