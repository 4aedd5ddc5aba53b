/** URI templates (RFC 6570) with string values, as templates of resources use them. */

const expression = /\{([+#./;?&]?)([^{}]+)\}/g;

/** The variables in order. Those of a query or fragment are optional. */
export function templateVariables(template: string): { name: string; required: boolean }[] {
  const required = new Map<string, boolean>();
  for (const [, operator = '', list = ''] of template.matchAll(expression))
    for (const name of namesIn(list)) required.set(name, required.get(name) || !/[?&#;]/.test(operator));
  return Array.from(required, ([name, isRequired]) => ({ name, required: isRequired }));
}

/** Expands the template. Omits missing and empty values. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_, operator: string, list: string) => {
    const given = namesIn(list).flatMap((name) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return value ? [[name, operator === '+' || operator === '#' ? reserved(value) : encode(value)] as const] : [];
    });
    if (given.length === 0) return '';
    const isNamed = operator === ';' || operator === '?' || operator === '&';
    const parts = given.map(([name, value]) => (isNamed ? `${name}=${value}` : value));
    const prefix = operator === '+' ? '' : operator;
    return prefix + parts.join(operator === '?' ? '&' : (separators[operator] ?? ','));
  });
}

const separators: Record<string, string> = { '.': '.', '/': '/', ';': ';', '&': '&' };

/** The names without modifiers: `path` for `{path*}`, `id` for `{id:3}`. */
const namesIn = (list: string): string[] => list.split(',').map((name) => name.replace(/(?:\*|:\d+)$/, '').trim());

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Encodes all characters except reserved ones such as `/` and sequences that are already encoded. */
const reserved = (text: string): string => encodeURI(text).replace(/%25(?=[\da-f]{2})/gi, '%');
