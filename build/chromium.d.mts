/** Types of chromium.mjs, which is JavaScript because it runs on the machine's own Node before anything is installed. */
export function findChromium(env?: NodeJS.ProcessEnv): string | undefined;
export function ensureChromium(): Promise<string>;
