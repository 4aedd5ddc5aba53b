/** Keeps what each frame of the page showed, and when it was handed over: a test sees what a person could have seen. */
(() => {
  if (window.top !== window) return;
  const frames = [];
  globalThis.standInFrames = frames;
  const look = () => {
    const text = document.body?.innerText ?? '';
    const armed = document.querySelector('.allow:enabled') !== null;
    if (frames.at(-1)?.text !== text || frames.at(-1)?.armed !== armed) {
      const frame = { text, armed, at: Number.POSITIVE_INFINITY };
      frames.push(frame);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        frame.at = performance.timeOrigin + performance.now();
      };
      port2.postMessage(0);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
