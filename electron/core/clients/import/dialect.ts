/** Converts clients' placeholder syntaxes to ours: `${VAR}`, `${VAR:-default}`, `${env:VAR}`. */
import { isReference } from '../../secrets/password-managers.ts';

/**
 * `braced-env`: `{env:X}` and `{file:/p}`. `dollar`: `$X`. `percent`: `%X%`. `actions`: `${{ secrets.X }}`.
 */
export type PlaceholderStyle = 'braced-env' | 'dollar' | 'percent' | 'actions';

export interface ProjectFolder {
  /** The value of `${workspaceFolder}`; without it, the placeholder is kept. */
  folder?: string;
}

/** The placeholder in our syntax. */
const ours = (_: string, name: string) => `\${${name}}`;

/** Converts the client's placeholders in `text`. Pure. */
export function normalizePlaceholders(
  text: string,
  styles: readonly PlaceholderStyle[],
  { folder }: ProjectFolder,
): string {
  if (isReference(text)) return `\${${text}}`;
  let result = text;
  if (styles.includes('actions'))
    result = result.replace(/\$\{\{\s{0,9}(?:secrets|env|inputs)\.(\w+)\s{0,9}\}\}/g, ours);
  if (styles.includes('braced-env')) {
    result = result
      .replace(/(?<!\$)\{env:(\w+)\}/g, ours)
      .replace(/(?<!\$)\{file:([^{}]+)\}/g, (_, path: string) => `\${file:${path}}`);
  }
  if (styles.includes('dollar')) result = result.replace(/\$([A-Za-z_]\w*)/g, ours);
  if (styles.includes('percent')) result = result.replace(/%([A-Za-z_]\w*)%/g, ours);
  if (folder !== undefined) {
    const name = folder.split(/[\\/]/).findLast((part) => part !== '') ?? '';
    result = result
      .replaceAll(/\$\{(?:workspaceFolder|workspaceRoot|CLAUDE_PROJECT_DIR)\}/g, () => folder)
      .replaceAll(/\$\{workspaceFolderBasename\}/g, () => name);
  }
  return result;
}
