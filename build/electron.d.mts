export function findElectron(env?: NodeJS.ProcessEnv): string | undefined;
export function sandboxObstacle(
  electron: string,
  options?: { platform?: NodeJS.Platform; unshare?: string },
): string | undefined;
