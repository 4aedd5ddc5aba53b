/** Runs a public conformance suite against a URL and reads its result, check by check. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The suite for eras with a handshake, and the requirements of 2026-07-28 at its release. */
const suites = {
  legacy: { folder: '@modelcontextprotocol/conformance', args: ['--suite', 'active'] },
  modern: { folder: 'conformance-next', args: ['--requirements', '2026-07-28'] },
} as const;

export type Suite = keyof typeof suites;
/** `scenario: check` → the error, or an empty string. A check that ran several times passed if every run did. */
export type Findings = ReadonlyMap<string, string>;

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** Resolves even if checks fail; rejects if the suite did not run. */
export async function runSuite(suite: Suite, url: string): Promise<Findings> {
  const { folder, args } = suites[suite];
  const program = join(dirname(require.resolve(`${folder}/package.json`)), 'dist/index.js');
  const results = mkdtempSync(join(tmpdir(), 'toolkeep-conformance-'));
  try {
    await new Promise<void>((resolve) =>
      execFile(process.execPath, [program, 'server', '--url', url, '-o', results, ...args], () => resolve()),
    );
    return readFindings(results);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function readFindings(results: string): Findings {
  const findings = new Map<string, string>();
  for (const name of readdirSync(results)) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    for (const { id, status, errorMessage } of JSON.parse(
      readFileSync(join(results, name, 'checks.json'), 'utf8'),
    ) as Check[]) {
      if (status === 'INFO' || status === 'SKIPPED') continue;
      const key = `${scenario}: ${id}`;
      const problem = status === 'SUCCESS' ? '' : `${status} ${errorMessage ?? ''}`;
      findings.set(key, findings.get(key) || problem);
    }
  }
  return findings;
}
