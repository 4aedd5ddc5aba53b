/** A server's output other than MCP messages: stderr, which is kept to explain a crash, and stray lines on stdout. */

const maxStderrLines = 20;
const maxStderrLineLength = 500;
const maxStrayLength = 120;
/** How much of a line is read: more than is shown, because redaction does not recognize a truncated secret. */
const maxRead = 16_000;
const strayReportIntervalMs = 1_000;

export interface ServerOutputOptions {
  /** Removes the connection's secrets. */
  redact(text: string): string;
  /** Reports stray output. A later report replaces the previous one. */
  onStray(message: string): void;
  /** Receives every line that is not empty. */
  log(kind: 'stderr' | 'stdout', line: string): void;
}

export function createServerOutput({ redact, onStray, log }: ServerOutputOptions) {
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
    stderr(line: Buffer): void {
      const text = textOf(line).trimEnd();
      if (text === '') return;
      log('stderr', text);
      stderr.push(redact(text).slice(0, maxStderrLineLength));
      if (stderr.length > maxStderrLines) stderr.shift();
    },
    /** Reports a line on stdout that is not an MCP message. */
    stray(line: Buffer): void {
      const text = textOf(line).trim();
      if (text === '') return;
      log('stdout', text);
      strayLines += 1;
      lastStray = redact(text).slice(0, maxStrayLength);
      // Report only once, so that a server with much output does not cause a state change for every line.
      if (strayLines === 1) reportStray();
      else timer ??= setTimeout(reportStray, strayReportIntervalMs).unref();
    },
    /** The last lines of stderr, as a sentence for an error message. */
    lastStderr: () => (stderr.length > 0 ? `Its last output:\n${stderr.join('\n')}` : 'It printed nothing to stderr.'),
    close: () => clearTimeout(timer),
  };
}

/**
 * Removes terminal colors, because the output is shown in a window and redaction must recognize secrets that follow an
 * escape sequence.
 */
const esc = String.fromCharCode(27);
const colors = new RegExp(`${esc}\\[[\\d;:]{0,30}[mK]`, 'g');
const textOf = (line: Buffer) => line.toString('utf8', 0, maxRead).replace(colors, '');
