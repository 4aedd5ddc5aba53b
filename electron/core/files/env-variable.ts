/** Looks up environment variables. On Windows, their names are case-insensitive, but not in a copy of `process.env`. */
export function envVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  ignoreCase: boolean,
): string | undefined {
  if (env[name] !== undefined || !ignoreCase) return env[name];
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
