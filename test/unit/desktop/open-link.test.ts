/** Links that websites offer: each shows one entry of a registry, or is ignored. */
import { describe, expect, it } from 'vitest';
import { routeOfLink } from '../../../electron/desktop/open-link.ts';

const name = 'name=io.github.acme/notes';
const official = encodeURIComponent('https://registry.modelcontextprotocol.io');

describe('A link', () => {
  it.each([
    [`toolkeep://install?${name}`, `#/browse/${official}/io.github.acme%2Fnotes`],
    [`toolkeep://install/?${name}&version=1.0.0-rc.1`, `#/browse/${official}/io.github.acme%2Fnotes/1.0.0-rc.1`],
    [`TOOLKEEP://install?${name}&registry=company`, '#/browse/company/io.github.acme%2Fnotes'],
    [
      'toolkeep://install?registry=https%3A%2F%2Fmcp.example.com&name=io.github.acme%2Fnotes',
      '#/browse/https%3A%2F%2Fmcp.example.com/io.github.acme%2Fnotes',
    ],
  ])('such as %s shows an entry', (link, route) => {
    expect(routeOfLink(link)).toBe(route);
  });

  it.each([
    ['without a name', 'toolkeep://install'],
    ['with an empty name', 'toolkeep://install?name='],
    ['with a name without a namespace', 'toolkeep://install?name=notes'],
    ['with another action', `toolkeep://run?${name}`],
    ['with an action and a path', `toolkeep://install/now?${name}`],
    ['without slashes', `toolkeep:install?${name}`],
    ['with a user', `toolkeep://user@install?${name}`],
    ['with a port', `toolkeep://install:80?${name}`],
    ['with another scheme', `toolkeep-app://install?${name}`],
    ['with a web address', `https://install?${name}`],
    ['with a fragment', `toolkeep://install?${name}#/settings`],
    ['with a command', `toolkeep://install?${name}&command=rm`],
    ['with the form of other apps', `toolkeep://install?${name}&config=eyJjb21tYW5kIjoicm0ifQ==`],
    ['with inputs', `toolkeep://install?${name}&input=folder%3D/`],
    ['with a hash of a plan', `toolkeep://install?${name}&hash=abc`],
    ['that asks to be installed unseen', `toolkeep://install?${name}&yes=1`],
    ['with a name twice', `toolkeep://install?${name}&name=io.github.evil/notes`],
    ['with a path in its name', 'toolkeep://install?name=../../etc/passwd'],
    ['with a folder above as its namespace', 'toolkeep://install?name=../notes'],
    ['with a folder above as its name', 'toolkeep://install?name=acme/..'],
    ['with an encoded path in its name', 'toolkeep://install?name=a%2F..%2F..%2Fb'],
    ['with a name that is encoded twice', 'toolkeep://install?name=io.github.acme%252Fnotes'],
    ['with a newline', 'toolkeep://install?name=io.github.acme/notes%0Aname=x'],
    ['with a NUL', 'toolkeep://install?name=io.github.acme/notes%00'],
    ['with markup', 'toolkeep://install?name=io.github.acme/<img src=x>'],
    ['with invisible characters', 'toolkeep://install?name=io.github.acme/no%E2%80%8Btes'],
    ['with characters that look alike', 'toolkeep://install?name=io.github.%D0%B0cme/notes'],
    ['with a range as its version', `toolkeep://install?${name}&version=%5E1.0.0`],
    ['with a registry that is not encrypted', `toolkeep://install?${name}&registry=http://mcp.example.com`],
    ['with a registry with a password', `toolkeep://install?${name}&registry=https://a:b@mcp.example.com`],
    ['with a registry with a query', `toolkeep://install?${name}&registry=https://mcp.example.com?x`],
    ['with a file as its registry', `toolkeep://install?${name}&registry=file:///etc`],
    ['with a switch', `--inspect toolkeep://install?${name}`],
    ['that is too long', `toolkeep://install?${name}&version=${'1'.repeat(2000)}`],
    ['that is very long', `toolkeep://install?name=${'a'.repeat(5_000_000)}`],
  ])('%s is ignored', (_what, link) => {
    expect(routeOfLink(link)).toBeUndefined();
  });
});
