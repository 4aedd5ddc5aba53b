/** Links that websites offer: each shows one entry of a registry, or is ignored. */
import { describe, expect, it } from 'vitest';
import { routeOfLink } from '../../../electron/desktop/open-link.ts';

const name = 'name=io.github.acme/notes';
const official = encodeURIComponent('https://registry.modelcontextprotocol.io');

describe('A link', () => {
  it.each([
    [`gatehouse://install?${name}`, `#/browse/${official}/io.github.acme%2Fnotes`],
    [`gatehouse://install/?${name}&version=1.0.0-rc.1`, `#/browse/${official}/io.github.acme%2Fnotes/1.0.0-rc.1`],
    [`GATEHOUSE://install?${name}&registry=company`, '#/browse/company/io.github.acme%2Fnotes'],
    [
      'gatehouse://install?registry=https%3A%2F%2Fmcp.example.com&name=io.github.acme%2Fnotes',
      '#/browse/https%3A%2F%2Fmcp.example.com/io.github.acme%2Fnotes',
    ],
  ])('such as %s shows an entry', (link, route) => {
    expect(routeOfLink(link)).toBe(route);
  });

  it.each([
    ['without a name', 'gatehouse://install'],
    ['with an empty name', 'gatehouse://install?name='],
    ['with a name without a namespace', 'gatehouse://install?name=notes'],
    ['with another action', `gatehouse://run?${name}`],
    ['with an action and a path', `gatehouse://install/now?${name}`],
    ['without slashes', `gatehouse:install?${name}`],
    ['with a user', `gatehouse://user@install?${name}`],
    ['with a port', `gatehouse://install:80?${name}`],
    ['with another scheme', `gatehouse-app://install?${name}`],
    ['with a web address', `https://install?${name}`],
    ['with a fragment', `gatehouse://install?${name}#/settings`],
    ['with a command', `gatehouse://install?${name}&command=rm`],
    ['with the form of other apps', `gatehouse://install?${name}&config=eyJjb21tYW5kIjoicm0ifQ==`],
    ['with inputs', `gatehouse://install?${name}&input=folder%3D/`],
    ['with a hash of a plan', `gatehouse://install?${name}&hash=abc`],
    ['that asks to be installed unseen', `gatehouse://install?${name}&yes=1`],
    ['with a name twice', `gatehouse://install?${name}&name=io.github.evil/notes`],
    ['with a path in its name', 'gatehouse://install?name=../../etc/passwd'],
    ['with a folder above as its namespace', 'gatehouse://install?name=../notes'],
    ['with a folder above as its name', 'gatehouse://install?name=acme/..'],
    ['with an encoded path in its name', 'gatehouse://install?name=a%2F..%2F..%2Fb'],
    ['with a name that is encoded twice', 'gatehouse://install?name=io.github.acme%252Fnotes'],
    ['with a newline', 'gatehouse://install?name=io.github.acme/notes%0Aname=x'],
    ['with a NUL', 'gatehouse://install?name=io.github.acme/notes%00'],
    ['with markup', 'gatehouse://install?name=io.github.acme/<img src=x>'],
    ['with invisible characters', 'gatehouse://install?name=io.github.acme/no%E2%80%8Btes'],
    ['with characters that look alike', 'gatehouse://install?name=io.github.%D0%B0cme/notes'],
    ['with a range as its version', `gatehouse://install?${name}&version=%5E1.0.0`],
    ['with a registry that is not encrypted', `gatehouse://install?${name}&registry=http://mcp.example.com`],
    ['with a registry with a password', `gatehouse://install?${name}&registry=https://a:b@mcp.example.com`],
    ['with a registry with a query', `gatehouse://install?${name}&registry=https://mcp.example.com?x`],
    ['with a file as its registry', `gatehouse://install?${name}&registry=file:///etc`],
    ['with a switch', `--inspect gatehouse://install?${name}`],
    ['that is too long', `gatehouse://install?${name}&version=${'1'.repeat(2000)}`],
    ['that is very long', `gatehouse://install?name=${'a'.repeat(5_000_000)}`],
  ])('%s is ignored', (_what, link) => {
    expect(routeOfLink(link)).toBeUndefined();
  });
});
