/** Types of test-tools.mjs, which is JavaScript because it runs on the machine's own Node before anything is installed. */
export interface Need {
  for: string;
  programs?: string[];
  packages?: string[];
  has?: () => boolean;
}
export const needs: Record<string, Need>;
export function missingNeeds(): string[];
export function installable(): string[];
export const leftToRest: string[];
export function ensureTestTools(): void;
