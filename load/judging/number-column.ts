/** A growing list of numbers, eight bytes each: ten million of them fit into 80 MB. */
export class NumberColumn {
  #values = new Float64Array(1024);
  #length = 0;

  /** Adds a number at the end. */
  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(2 * this.#length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** All numbers, ascending. Sorts in place, so the order of adding is lost. */
  ascending(): Float64Array {
    return this.#values.subarray(0, this.#length).sort();
  }
}
