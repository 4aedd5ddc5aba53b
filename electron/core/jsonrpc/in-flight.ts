/**
 * Requests in progress on a connection, by id, oldest first. Reduces garbage collection compared with a Map: when a Map
 * resizes, its old table keeps finished calls alive until the next full collection. With fifty concurrent calls, this caused
 * a third of the collector's work. This class reuses its arrays.
 */
export class InFlight<Id, T> {
  /** Undefined from `#size` on, like the values. */
  readonly #ids: (Id | undefined)[] = [];
  readonly #values: (T | undefined)[] = [];
  #size = 0;

  get(id: Id): T | undefined {
    const index = this.#ids.indexOf(id);
    return index < 0 ? undefined : this.#values[index];
  }

  set(id: Id, value: T): void {
    const known = this.#ids.indexOf(id);
    const index = known < 0 ? this.#size++ : known;
    this.#ids[index] = id;
    this.#values[index] = value;
  }

  /** True if the id was present. */
  delete(id: Id): boolean {
    const index = this.#ids.indexOf(id);
    if (index < 0) return false;
    this.#size -= 1;
    // This loop is several times faster than copyWithin.
    for (let at = index; at < this.#size; at += 1) {
      this.#ids[at] = this.#ids[at + 1];
      this.#values[at] = this.#values[at + 1];
    }
    this.#ids[this.#size] = undefined;
    this.#values[this.#size] = undefined;
    return true;
  }

  /** A snapshot, like `values()`. */
  keys(): Id[] {
    return this.#ids.slice(0, this.#size) as Id[];
  }

  values(): T[] {
    return this.#values.slice(0, this.#size) as T[];
  }
}
