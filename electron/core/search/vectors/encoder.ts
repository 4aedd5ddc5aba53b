/** Converts text to vectors. */

export interface Encoder {
  /** Identifies the model. Vectors of different models cannot be compared. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * A vector of length 1; undefined when the model knows no word of the text. Calls `onWord` with each word and the length of
   * its vector, 0 for an unknown word; it may add to `sum`.
   */
  encode(text: string, onWord?: (word: string, length: number, sum: Float32Array) => void): Float32Array | undefined;
}

/** The vector with length 1; undefined when it has no direction. */
export function toUnit(vector: Float32Array): Float32Array | undefined {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}
