/** The check of the window's strings. */
import { describe, expect, it } from 'vitest';
import { readStrings } from '../../build/strings.mjs';

const read = (source: string) => readStrings('view.tsx', source);
const texts = (source: string) => read(source).untranslated.map(({ text }) => text);

describe('The check of strings', () => {
  it.each([
    ['text', 'const a = <p>No tools yet</p>;', 'No tools yet'],
    ['an attribute', 'const a = <input aria-label="filter" />;', 'filter'],
    ['a choice in an attribute', 'const a = <Button title={isOpen ? "Close it" : undefined} />;', 'Close it'],
    ['a property', 'const a = { label: "copy", icon: Copy };', 'copy'],
    ['a toast', 'toasts.success("Copied.");', 'Copied.'],
    ['a problem', 'problems.name = "Enter a name.";', 'Enter a name.'],
    ['a template', 'const a = `${server} has tools`;', '{} has tools'],
    ['one part of a message', 't(isOn ? "Disable it" : "Enable it");', 'Disable it'],
  ])('reports %s that is not translated: %s', (_what, source, text) => {
    expect(texts(source)).toContain(text);
  });

  it.each([
    ['a message', 'const a = <p>{t("No tools yet")}</p>;'],
    ['a message with elements', 'const a = <T text="Read <b>this</b>." b={(text) => <b>{text}</b>} />;'],
    ['class names', 'const a = <p className="muted small" />;'],
    ['a key', 'if (event.key === "Enter") open();'],
    ['a bug', 'throw new Error("The page has no root.");'],
    ['a selector', 'document.querySelector("main input");'],
    ['a reason', '// untranslated: code\nconst example = "npx -y server";'],
  ])('accepts %s: %s', (_what, source) => {
    expect(texts(source)).toEqual([]);
  });

  it('collects the messages of `t`, of `T` and of declared tables', () => {
    const source = [
      'const a = t("Remove {name}?", { name });',
      'const b = <T text="<b>Paused.</b>" b={bold} />;',
      '// translated: in the window',
      'const outcomes = { ok: "OK", failed: "Failed" };',
    ].join('\n');
    expect(read(source).messages).toEqual(['Remove {name}?', '<b>Paused.</b>', 'OK', 'Failed']);
  });
});
