/**
 * Preloaded into Core: records what it allocates on the heap, and the time that the garbage collector takes.
 * On SIGUSR2, writes the figures since the last signal to the file TOOLKEEP_GARBAGE.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { GCProfiler } = require('node:v8');
const { isMainThread } = require('node:worker_threads');

const file = process.env.TOOLKEEP_GARBAGE;

// The command that starts Core, and the processes that Core starts, also have NODE_OPTIONS.
if (isMainThread && file && process.argv[1]?.endsWith('headless.js')) {
  let profiler = started();
  process.on('SIGUSR2', () => {
    const { statistics } = profiler.stop();
    profiler = started();
    let heapBytes = 0;
    for (const [at, { beforeGC }] of statistics.entries()) {
      if (at > 0)
        heapBytes += beforeGC.heapStatistics.usedHeapSize - statistics[at - 1].afterGC.heapStatistics.usedHeapSize;
    }
    const collectionUs = statistics.slice(1).reduce((sum, { cost }) => sum + cost, 0);
    writeFileSync(`${file}.new`, JSON.stringify({ heapBytes, collectionUs }));
    renameSync(`${file}.new`, file);
  });
}

function started() {
  const made = new GCProfiler();
  made.start();
  return made;
}
