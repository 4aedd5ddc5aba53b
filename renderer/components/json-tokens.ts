/** The tokens of indented JSON that have a color: strings, with the colon after a name, and other values. */

/** A string without its closing quote was cut off by the fold. */
export const jsonTokens = /("(?:[^"\\\n]|\\.)*(?:"|\\?$))(:?)|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;
