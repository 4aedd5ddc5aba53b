/** The icons that servers declare: which ones are used, and from where they are loaded. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { declaredIcons } from '../../../electron/core/tools/declared-icons.ts';
import { readIcon } from '../../../electron/core/tools/discovery/icon.ts';
import type { Connection } from '../../../shared/model/server.ts';

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const png = `data:image/png;base64,${dot.toString('base64')}`;
const svgOf = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${inner}</svg>`;
const dataOf = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`;
const circle = svgOf('<!-- a dot --><circle cx="4" cy="4" r="4" fill="url(#a)"/>');

let server: Server;
let origin = '';
const requests: string[] = [];
beforeAll(async () => {
  server = createServer(({ url = '', headers }, response) => {
    requests.push(headers.authorization ? `${url} with a sign-in` : url);
    if (url === '/away') response.writeHead(302, { location: '/icon.png' });
    response.end(url === '/long' ? Buffer.concat([dot, Buffer.alloc(70_000)]) : dot);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void requests.splice(0));
afterAll(() => void server.close());

const read = (...sources: unknown[]) =>
  readIcon(
    declaredIcons(sources.map((src) => (typeof src === 'string' ? { src } : src))),
    { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer secret' } },
    new AbortController().signal,
  );

describe('The icon of a server', () => {
  it('is the first usable picture, before those for dark themes', async () => {
    const icon = await read(null, { src: 7 }, { src: dataOf(circle), theme: 'dark' }, png);
    expect(icon).toEqual({ id: expect.stringMatching(/^[\w-]{12}$/), src: png });
    const svg = `data:image/svg+xml;base64,${Buffer.from(circle).toString('base64')}`;
    expect((await read('data:image/png;base64,AAAA', dataOf(circle)))?.src).toBe(svg);
  });

  it('is loaded only from the origin of the server, without redirects and without its secrets', async () => {
    expect((await read(`${origin}/icon.png`))?.src).toBe(png);
    expect(await read(`${origin}/away`, `${origin}/long`)).toBeUndefined();
    expect(requests).toEqual(['/icon.png', '/away', '/long']);
    const elsewhere = [origin.replace('127.0.0.1', 'localhost'), 'file:///etc/hostname', 'ftp://127.0.0.1/a.png'];
    expect(await read(...elsewhere.map((each) => `${each}/icon.png`), 'not a URL')).toBeUndefined();
    expect(requests).toHaveLength(3);
    const local: Connection = { type: 'stdio', command: 'node', args: [], env: {} };
    expect(
      await readIcon(declaredIcons([{ src: `${origin}/icon.png` }]), local, new AbortController().signal),
    ).toBeUndefined();
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['a script', svgOf('<script>alert(1)</script>')],
    ['a handler', svgOf('<g onload="alert(1)"/>')],
    ['another image', svgOf('<image href="https://x.example/a.png"/>')],
    ['nested references', svgOf('<g id="a"/><use xlink:href="#a"/>')],
    ['a style sheet', svgOf('<style>@import "https://x.example"</style>')],
    ['an entity', `<!DOCTYPE svg [<!ENTITY a "b">]>${svgOf('')}`],
    ['a foreign object', svgOf('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Allow</p></foreignObject>')],
    ['a remote paint', svgOf('<rect fill="url(https://x.example/a)"/>')],
    ['an escaped remote paint', svgOf('<rect style="fill:u\\72l(https://x.example/a)"/>')],
    ['an encoded remote paint', svgOf('<rect fill="u&#114;l(https://x.example/a)"/>')],
    ['a set of images', svgOf('<rect style="mask:image-set(\'https://x.example/a\' 1x)"/>')],
    ['a filter', svgOf('<rect style="backdrop-filter:blur(9px)"/>')],
    ['a line of many dashes', svgOf('<path d="M0 0h99999999" stroke-dasharray=".001"/>')],
    ['an open comment', `${svgOf('')}<!-- `],
  ])('is never an SVG with %s', async (_what, svg) => {
    expect(await read(dataOf(svg))).toBeUndefined();
  });

  it('is never large, animated or of another type', async () => {
    const large = Buffer.from(dot);
    large.writeUInt32BE(4_000, 16);
    const animated = Buffer.concat([dot, Buffer.from('acTL')]);
    const others = [large, animated, Buffer.from('GIF89a\x01\0\x01\0'), Buffer.from('<p>Allow</p>')];
    expect(await read(...others.map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`))).toBeUndefined();
    expect(await read(`data:image/png,${'a'.repeat(300_000)}`, 'data:image/png')).toBeUndefined();
  });

  it('is one of the first eight, and no others are kept', () => {
    const icons = Array.from({ length: 20 }, (_, index) => ({ src: `data:${index}`, sizes: ['x'.repeat(9_000)] }));
    expect(declaredIcons([...icons.slice(0, 7), { src: 'x'.repeat(200_000) }, ...icons])).toEqual(
      icons.slice(0, 7).map(({ src }) => ({ src, isDark: false })),
    );
    expect(declaredIcons('icons')).toEqual([]);
  });
});
