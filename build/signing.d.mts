export function signingOptions(platform: string, env: Record<string, string | undefined>): string[];
