/** The preload's isolated world: `require('electron')` with the members of a sandboxed preload, and IPC over a CDP binding. */
(() => {
  if (window.top !== window) return;
  const bridge = globalThis.__standInBridge('preload', 'page');
  const listeners = new Map();
  globalThis.__standInReceive = (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({ sender: ipcRenderer }, ...args);
  };
  const strict = (name, object) =>
    new Proxy(object, {
      get(target, key) {
        if (typeof key === 'symbol' || key in target) return target[key];
        throw new Error(`The Electron stand-in has no ${name}.${key}`);
      },
    });
  const ipcRenderer = strict('ipcRenderer', {
    // Real IPC clones its arguments, so arguments that cannot be cloned must also throw here.
    send: (channel, ...args) => globalThis.__standInSend(JSON.stringify({ channel, args: structuredClone(args) })),
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
  });
  const contextBridge = strict('contextBridge', {
    exposeInMainWorld: (key, api) =>
      document.dispatchEvent(
        new CustomEvent('stand-in:expose', { detail: JSON.stringify({ key, value: bridge.pack(api) }) }),
      ),
  });
  globalThis.__standInRequire = (name) => {
    if (name === 'electron') return strict('electron', { contextBridge, ipcRenderer });
    throw new Error(`A sandboxed preload cannot require "${name}"`);
  };
})();
