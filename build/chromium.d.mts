/** Types of chromium.mjs, which is JavaScript because it runs on the machine's own Node before anything is installed. */
export function findChromium(): string | undefined;
export function findBrowser(): string | undefined;
export function ensureChromium(): void;
