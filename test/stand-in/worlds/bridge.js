/**
 * Transfers values between two worlds of one page with events, as contextBridge does: functions and promises are proxied, data is
 * copied, and what electron_api_context_bridge.cc cannot copy throws.
 */
globalThis.__standInBridge = (own, other) => {
  const maxDepth = 1_000;
  const functions = new Map();
  const settlers = new Map();
  let last = 0;
  let answer;

  const tell = (what) => document.dispatchEvent(new CustomEvent(`stand-in:${other}`, { detail: JSON.stringify(what) }));

  function pack(value, depth = 0) {
    if (depth >= maxDepth)
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      );
    if (value instanceof Promise) {
      last += 1;
      const promise = last;
      value.then(
        (result) => tell({ settled: promise, value: pack(result) }),
        (error) => tell({ settled: promise, error: String(error?.message ?? error) }),
      );
      return { $promise: promise };
    }
    if (typeof value === 'function') {
      last += 1;
      functions.set(last, value);
      return { $function: last };
    }
    if (value === undefined) return { $undefined: true };
    if (Array.isArray(value)) return Array.from(value, (entry) => pack(entry, depth + 1));
    if (typeof value === 'symbol') throw new TypeError('An object could not be cloned.');
    if (typeof value !== 'object' || value === null) return packPlain(value);
    const prototype = Object.getPrototypeOf(value);
    // Events carry JSON, which would silently change a map, a date or bytes.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      throw new Error(`The stand-in cannot transfer a ${value.constructor?.name}`);
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, pack(entry, depth + 1)]));
  }

  /** JSON has no such numbers. */
  function packPlain(value) {
    return typeof value === 'number' && !Number.isFinite(value) ? { $number: String(value) } : value;
  }

  function unpack(value) {
    if (Array.isArray(value)) return value.map(unpack);
    if (typeof value !== 'object' || value === null) return value;
    if (value.$undefined) return undefined;
    if (value.$number) return Number(value.$number);
    if (value.$promise) return new Promise((resolve, reject) => settlers.set(value.$promise, { resolve, reject }));
    if (value.$function)
      return (...args) => {
        answer = undefined;
        tell({ call: value.$function, args: pack(args) });
        const { error, value: result } = answer;
        if (error !== undefined) throw new Error(error);
        return unpack(result);
      };
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, unpack(entry)]));
  }

  document.addEventListener(`stand-in:${own}`, (event) => {
    const what = JSON.parse(event.detail);
    if (what.call) {
      let reply;
      try {
        reply = { value: pack(functions.get(what.call)(...unpack(what.args))) };
      } catch (error) {
        reply = { error: String(error?.message ?? error) };
      }
      tell({ reply });
    } else if (what.reply) {
      answer = what.reply;
    } else {
      const settler = settlers.get(what.settled);
      settlers.delete(what.settled);
      if (what.error !== undefined) settler?.reject(new Error(what.error));
      else settler?.resolve(unpack(what.value));
    }
  });
  return { pack, unpack };
};
