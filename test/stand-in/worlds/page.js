/** The page's own world: receives what contextBridge exposes, and hands window.open to the main process. */
(() => {
  if (window.top !== window) return;
  const bridge = globalThis.__standInBridge('page', 'preload');
  document.addEventListener('stand-in:expose', (event) => {
    const { key, value } = JSON.parse(event.detail);
    Object.defineProperty(window, key, { value: Object.freeze(bridge.unpack(value)), enumerable: true });
  });
  const tellOpen = globalThis.__standInOpen;
  delete globalThis.__standInOpen;
  delete globalThis.__standInBridge;
  window.open = (url) => {
    tellOpen(JSON.stringify({ url: new URL(url, location.href).href }));
    return null;
  };
})();
