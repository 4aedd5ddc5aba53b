/** An object that throws if the app uses a member that the stand-in lacks, because ignoring it would hide a fault. */

/** Names that the language and tools read from every object. */
const harmless = new Set<PropertyKey>(['then', 'toJSON', 'asymmetricMatch', 'constructor', 'prototype', 'domain']);

/** Methods stay bound to `target`, so that private fields work behind the Proxy. */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, key) {
      if (typeof key === 'symbol' || harmless.has(key) || key in object) {
        const value: unknown = Reflect.get(object, key, object);
        return typeof value === 'function' && !isClass(value) ? value.bind(object) : value;
      }
      throw new Error(`The Electron stand-in has no ${name}.${key}`);
    },
    set(object, key, value) {
      if (key in object || String(key).startsWith('_')) return Reflect.set(object, key, value, object);
      throw new Error(`The Electron stand-in has no ${name}.${String(key)}`);
    },
  });
}

const isClass = (value: unknown) => /^class\b/.test(Function.prototype.toString.call(value));
