/** JSON-RPC as lines of a byte stream: cut apart, read, written anew, and what only passes through kept as it came. */

export { createLineSplitter, type LineSplitter } from './splitter.ts';
export { asWritten, lineOf, parseLine, textKept } from './verbatim.ts';
export { createLineWriter, type Line, type LineWriter } from './writer.ts';
