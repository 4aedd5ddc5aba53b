/** Output of a server beside MCP messages: stderr, kept to explain a crash, and stray lines on stdout. */

const maxStderrLines = 20;
const maxStderrLineLength = 500;
const maxStrayLength = 120;
const strayReportIntervalMs = 1_000;

export interface ServerOutput {
  stderr(line: string): void;
  /** A line on stdout that is no MCP message. */
  stray(line: string): void;
  /** The last lines of stderr, as a sentence of an error message. */
  lastStderr(): string;
  close(): void;
}

export interface ServerOutputOptions {
  /** Removes the connection's secrets. */
  redact(text: string): string;
  /** Reports stray output; a later report replaces an earlier one. */
  onStray(message: string): void;
}

export function createServerOutput({ redact, onStray }: ServerOutputOptions): ServerOutput {
  const stderr: string[] = [];
  let strayLines = 0;
  let lastStray = '';
  let timer: NodeJS.Timeout | undefined;

  function reportStray(): void {
    timer = undefined;
    const count = strayLines === 1 ? '1 line' : `${strayLines} lines`;
    onStray(`Ignored ${count} on stdout that are not MCP messages. Last: ${lastStray}`);
  }

  return {
    stderr(line) {
      if (line.trim() === '') return;
      stderr.push(redact(withoutColors(line.trimEnd())).slice(0, maxStderrLineLength));
      if (stderr.length > maxStderrLines) stderr.shift();
    },
    stray(line) {
      const text = line.trim();
      if (text === '') return;
      strayLines += 1;
      lastStray = redact(withoutColors(text)).slice(0, maxStrayLength);
      // A server that prints a lot must not cause a state change per line.
      if (strayLines === 1) reportStray();
      else timer ??= setTimeout(reportStray, strayReportIntervalMs).unref();
    },
    lastStderr: () => (stderr.length > 0 ? `Its last output:\n${stderr.join('\n')}` : 'It printed nothing on stderr.'),
    close: () => clearTimeout(timer),
  };
}

/** Terminal colors are removed: the output is shown in a window, and redaction must see secrets that follow an escape. */
const esc = String.fromCharCode(27);
const colors = new RegExp(`${esc}\\[[\\d;:]{0,30}[mK]`, 'g');
const withoutColors = (line: string) => line.replace(colors, '');
