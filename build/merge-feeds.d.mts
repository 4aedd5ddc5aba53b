export function mergeFeeds(from: string, to: string): void;
