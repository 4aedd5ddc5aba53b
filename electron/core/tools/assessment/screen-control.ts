/**
 * Recognizes tools that move the mouse or type anywhere on the screen. Such a tool can press a button in any window, including
 * the one in which Toolkeep asks the user.
 */
import type { ToolDefinition } from '../../../../shared/model/tool.ts';
import { choicesOf } from './choices.ts';
import { parametersOf } from './schema-parameters.ts';
import { words } from './verb-row.ts';

const device =
  /\b(?:mouse|keyboard|key ?strokes?|key ?presses|hot ?keys?|screen coordinates?|(?:mouse|move the|moves the) cursor)\b/i;
const inputVerbs = words('click doubleclick tap type press drag scroll key keys hotkey send input');
const desktop =
  /\b(?:desktop|screen|windows?|computer|operating system|macos|(?:active|foreground|focused) (?:app|application|program|window))\b/i;
/** A tool that acts only inside a page, an app under test or a device does not reach other windows. */
const inside =
  /\b(?:browsers?|pages?|web ?pages?|websites?|elements?|selectors?|locators?|tabs?|dom|simulators?|emulators?|android|ios|iphone|ipad|mobile|phones?|games?|play(?:er|test)|studio|terminal|tmux|pty|ssh)\b/i;
const inputChoice =
  /^(?:(?:left|right|double|middle|triple)[_ ]?click|mouse[_ ]?(?:move|down|up)|key(?:press|stroke|down)|hotkey)$/i;

export function controlsScreen(definition: ToolDefinition, name: readonly string[], text: string): boolean {
  const said = `${name.join(' ')} ${text.slice(0, 400)}`;
  if (inside.test(said)) return false;
  if (device.test(said)) return true;
  if (name.some((word) => inputVerbs.has(word)) && desktop.test(said)) return true;
  return parametersOf(definition.inputSchema).some(({ schema }) =>
    choicesOf(schema).some((one) => inputChoice.test(one)),
  );
}
