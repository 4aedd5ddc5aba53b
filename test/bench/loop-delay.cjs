/**
 * Preloaded into a measured process: records how long its event loop was blocked, and how much of that was its own work.
 * `TOOLKEEP_LOOP_DELAY_PROGRAM` names the script to measure; by default, it is the first process. On SIGUSR2, writes the figures since the last signal to the file TOOLKEEP_LOOP_DELAY.
 * On SIGWINCH, stops measuring, which keeps an idle process busy.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const everyMs = 2;
const file = process.env.TOOLKEEP_LOOP_DELAY;

const program = process.env.TOOLKEEP_LOOP_DELAY_PROGRAM;
// Processes that this one starts inherit NODE_OPTIONS.
const isMeasured = program ? process.argv[1]?.endsWith(program) : !process.env.TOOLKEEP_LOOP_DELAY_PID;
if (isMainThread && file && isMeasured) {
  process.env.TOOLKEEP_LOOP_DELAY_PID = String(process.pid);
  let delays = [];
  let busy = [];
  let last = now();
  const timer = setInterval(() => {
    const tick = now();
    delays.push(Math.max(0, tick.at - last.at - everyMs));
    busy.push(tick.busy - last.busy);
    last = tick;
  }, everyMs).unref();
  process.on('SIGWINCH', () => clearInterval(timer));
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, JSON.stringify({ delays, busy }));
    renameSync(`${file}.new`, file);
    delays = [];
    busy = [];
    last = now();
  });
}

function now() {
  const { user, system } = process.threadCpuUsage();
  return { at: performance.now(), busy: (user + system) / 1000 };
}
