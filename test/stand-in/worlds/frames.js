/** Records what each frame of the page showed, and when, so that a test knows what the user could see. */
(() => {
  if (window.top !== window) return;
  const frames = [];
  globalThis.standInFrames = frames;
  const look = () => {
    const text = document.body?.innerText ?? '';
    const armed = [...document.querySelectorAll('button')].some(
      (button) => button.textContent === 'Once' && !button.matches(':disabled'),
    );
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
