/** Types of chromium.mjs, which itself has to run on the machine's own Node before anything is installed. */
export function findChromium(env?: NodeJS.ProcessEnv): string | undefined;
export function ensureChromium(): Promise<string>;
